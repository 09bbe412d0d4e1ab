"""`manage.py sams check` tells what SAMS is not any more: mended defects, and fields that are gone."""

import pytest
from django.core.management import CommandError, call_command

from tests.cms.sams.server import ASSOCIATION, ASSOCIATION_NAME, LEAGUE, OWN, ranking_row
from tests.cms.sams.test_sync import command

EXPECTED = """\
as expected season: all fields that are read
as expected league: all fields that are read
as expected hierarchy: all fields that are read
as expected club: all fields that are read
as expected team: all fields that are read
as expected ranking: all fields that are read
as expected match: all fields that are read
as expected the association is missing from the list
as expected application/json is refused with 406
as expected logoImageForScreenOutputLink of a team is always null
as expected scoreIncludingLosses of a ranking is always null
as expected shortName or clubCode of a team is empty text instead of null
as expected date of a match is declared a moment and is a day
as expected results and referees of a match are null before it is played
as expected parentLeagueHierarchyUuid of the highest league is null
"""


@pytest.fixture
def checked(sams):
    sams.rankings[LEAGUE] = [ranking_row(OWN, 1)]
    return sams


def test_the_sams_that_we_know_is_as_expected(checked):
    assert command("check") == EXPECTED


def test_what_was_mended_is_told_and_breaks_nothing(checked):
    checked.associations.append({"uuid": ASSOCIATION, "name": ASSOCIATION_NAME})
    checked.hierarchies = [each | {"parentLeagueHierarchyUuid": "x"} for each in checked.hierarchies]
    told = command("check")

    assert "mended      the association is missing from the list" in told
    assert "mended      parentLeagueHierarchyUuid of the highest league is null" in told
    assert told.count("mended") == 2


def test_a_field_that_is_gone_fails_the_check(checked, capsys):
    for match in checked.matches[LEAGUE]:
        del match["date"]
    for match in checked.matches:
        checked.matches[match] = [
            {name: value for name, value in each.items() if name != "date"} for each in checked.matches[match]
        ]

    with pytest.raises(CommandError, match="SAMS is not what this release expects"):
        call_command("sams", "check")
    assert "broken      match: without date" in capsys.readouterr().out


def test_what_cannot_be_looked_at_is_unknown(checked):
    checked.rankings = {}

    assert "unknown     ranking: there is none to look at" in command("check")
