"""Scoring while DynamoDB has a bad day: what is sent until it is answered is stored once."""

import pytest

from core.dynamo.errors import Unavailable
from core.dynamo.faults import Faults
from tests.tracker.scorebook import Played, once
from tracker.scoring.services import scoring

RESULTS = ("1B", "HR", "K", "BB", "2B", "GO", "E", "FC", "FO", "3B", "SF", "K")


def send_until_answered(work, *, tries=60):
    """As a scorekeeper does: the same request again, until there is an answer."""
    for _try in range(tries):
        try:
            return work()
        except Unavailable:
            continue
    return pytest.fail("There was never an answer.")


@pytest.mark.parametrize(
    "faults",
    [Faults(lost_answer=0.3), Faults(conflict=0.3, throttle=0.3), Faults(reset=0.3)],
    ids=["lost answers", "conflicts and throttling", "cut connections"],
)
def test_a_game_is_stored_exactly_however_often_its_requests_are_sent(proxy, faults):
    played = Played()
    proxy.faults = faults
    for seen, result in enumerate(RESULTS):
        told = {"result": result, "player_id": played.batter(seen % 9 + 1).id}
        request = once(played.owner, payload=told)
        send_until_answered(
            lambda told=told, seen=seen, request=request: scoring.record(
                played.owner, played.id, told, seen=seen, once=request
            )
        )
    proxy.faults = Faults()
    assert played.results() == list(RESULTS)
    assert played.box().pa_count == len(RESULTS)
    assert sum(proxy.injected.values()) > 5


def test_a_killed_engine_loses_nothing_that_was_answered_and_doubles_nothing(own_engine):
    played = Played()
    first = once(played.owner)
    told = {"result": "HR", "player_id": played.batter(1).id}
    stored = scoring.record(played.owner, played.id, told, seen=0, once=first).at_bat
    own_engine.kill()
    with pytest.raises(Unavailable):
        scoring.record(played.owner, played.id, told, seen=0, once=first)
    own_engine.restart()
    again = scoring.record(played.owner, played.id, told, seen=0, once=first).at_bat
    assert again.id == stored.id
    assert (played.results(), played.box().runs) == (["HR"], 1)
