"""The five indexes of the table, as the document numbers them. Each kind of item uses some of them."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex


def by_login() -> Any:
    """GSI1: a person by the Cognito sub; an invitation and a shared game by their token."""

    class ByLogin(GlobalSecondaryIndex[Any]):
        gsi1_pk = UnicodeAttribute(hash_key=True, attr_name="GSI1PK")
        gsi1_sk = UnicodeAttribute(range_key=True, attr_name="GSI1SK")

        class Meta:
            index_name = "GSI1"
            projection = AllProjection()

    return ByLogin()


def by_kind() -> Any:
    """GSI2: all people, all teams, all games."""

    class ByKind(GlobalSecondaryIndex[Any]):
        gsi2_pk = UnicodeAttribute(hash_key=True, attr_name="GSI2PK")
        gsi2_sk = UnicodeAttribute(range_key=True, attr_name="GSI2SK")

        class Meta:
            index_name = "GSI2"
            projection = AllProjection()

    return ByKind()


def by_team() -> Any:
    """GSI3: the games of a team by time, and its members."""

    class ByTeam(GlobalSecondaryIndex[Any]):
        gsi3_pk = UnicodeAttribute(hash_key=True, attr_name="GSI3PK")
        gsi3_sk = UnicodeAttribute(range_key=True, attr_name="GSI3SK")

        class Meta:
            index_name = "GSI3"
            projection = AllProjection()

    return ByTeam()


def by_person() -> Any:
    """GSI4: the players that somebody is, across teams; the invitations to an e-mail address."""

    class ByPerson(GlobalSecondaryIndex[Any]):
        gsi4_pk = UnicodeAttribute(hash_key=True, attr_name="GSI4PK")
        gsi4_sk = UnicodeAttribute(range_key=True, attr_name="GSI4SK")

        class Meta:
            index_name = "GSI4"
            projection = AllProjection()

    return ByPerson()


def by_player() -> Any:
    """GSI5: the plate appearances of a player by time."""

    class ByPlayer(GlobalSecondaryIndex[Any]):
        gsi5_pk = UnicodeAttribute(hash_key=True, attr_name="GSI5PK")
        gsi5_sk = UnicodeAttribute(range_key=True, attr_name="GSI5SK")

        class Meta:
            index_name = "GSI5"
            projection = AllProjection()

    return ByPlayer()
