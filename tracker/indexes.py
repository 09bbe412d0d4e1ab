"""The five GSIs of the table, numbered as in the design document. Each model declares those it uses."""

from typing import Any

from core.dynamo.indexes import index


def by_login() -> Any:
    """GSI1: a person by Cognito sub; an invitation and a shared game by the hash of their token."""
    return index("GSI1", "GSI1PK", "GSI1SK")


def by_kind() -> Any:
    """GSI2: all people, all teams, all games."""
    return index("GSI2", "GSI2PK", "GSI2SK")


def by_team() -> Any:
    """GSI3: the games of a team by time, and its members."""
    return index("GSI3", "GSI3PK", "GSI3SK")


def by_person() -> Any:
    """GSI4: the players linked to a person, across teams; the invitations to an e-mail address."""
    return index("GSI4", "GSI4PK", "GSI4SK")


def by_player() -> Any:
    """GSI5: the plate appearances of a player by time."""
    return index("GSI5", "GSI5PK", "GSI5SK")
