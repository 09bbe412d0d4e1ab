"""The table of access patterns in docs/tracker.md is true and complete: each costs the requests it says."""

import inspect
from typing import NamedTuple

import pytest

from core.dynamo import metering
from tests.pattern_tables import table_in, verbs_in
from tests.tracker.pattern_calls import CALLS, Club
from tracker import repository
from tracker.base_repository import TrackerRepository
from tracker.games.services import availability, calendar_feed, game_removal, games, seasons
from tracker.people import services as people
from tracker.roster import services as roster
from tracker.scoring.services import lineup, scoring
from tracker.teams.services import invitations, members, teams

VERBS = (
    availability,
    calendar_feed,
    game_removal,
    games,
    invitations,
    lineup,
    members,
    people,
    roster,
    scoring,
    seasons,
    teams,
)
# What joins the transaction of a verb, and is no request of its own.
OPERATIONS = {"boxes.replace", "boxes.remove", "games.put_back", "players.counted", "players.recounted"}
# What verbs are made of.
HELPERS = {"id_for", "until_decided", "written_before"}


class Line(NamedTuple):
    keys: str
    about: str
    screen: str
    requests: str
    index: str
    method: str


LINES = table_in("tracker.md", Line)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.method)
def test_it_costs_the_requests_that_the_table_says(db, line):
    club = Club()
    needed, call = CALLS[line.method]
    found = needed(club) if needed else None
    with metering.metered() as cost:
        assert call(club, found) not in ([], {})

    assert ", ".join(cost.operations) == line.requests
    assert [call.index for call in cost.calls if call.index] == ([line.index] if line.index else [])


def test_every_pattern_is_in_the_table_and_every_index_is_used():
    """What the repositories add to the usual ones, and everything that is carried out once."""
    stored = {name: type(getattr(repository, name)) for name in repository.__all__ if name.islower()}
    own = {
        f"{name}.{method}"
        for name, kind in stored.items()
        for method, _function in inspect.getmembers(kind, inspect.isfunction)
        if not method.startswith("_") and method not in dir(TrackerRepository)
    }
    verbs = verbs_in(VERBS, but=HELPERS)
    listed = [line.method for line in LINES]

    assert (own | verbs) - OPERATIONS - set(listed) == set()
    assert sorted(listed) == sorted(CALLS)
    assert [line.method for line in LINES if not (line.keys and line.screen)] == []
    assert {line.index for line in LINES if line.index} == {f"GSI{number}" for number in range(1, 6)}
