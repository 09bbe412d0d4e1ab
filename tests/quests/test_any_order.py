"""Whatever people do in whatever order: no point is lost or made up, and no quest leaves its path."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.engines.dynoxide import Dynoxide
from core.dynamo.errors import DataError
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, EXPIRED, OPEN, SUBMITTED
from quests.services import lifecycle
from tests import engine_tables
from tests.quests.board import (
    BYSTANDER,
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
)

# Where a quest can go from each point.
EDGES = {
    OPEN: {CLAIMED, EXPIRED, CANCELLED},
    CLAIMED: {OPEN, SUBMITTED},
    SUBMITTED: {CLAIMED, COMPLETE, DISPUTED},
    DISPUTED: {COMPLETE, OPEN, CANCELLED},
    COMPLETE: set(),
    EXPIRED: set(),
    CANCELLED: set(),
}
PEOPLE = (CREATOR, PERFORMER, BYSTANDER, STEWARD)
REASON = "Das Netz hat noch immer zwei Löcher."
STEPS = {
    "claim": {},
    "release": {},
    "take_down": {"note": REASON},
    "recall": {"note": REASON},
    "submit": {"text": TEXT, "photos": []},
    "request_changes": {"note": REASON},
    "attest": {},
    "dispute": {"reason": REASON},
    "answer": {"text": REASON},
    "decide:complete": {"note": REASON},
    "decide:reopen": {"note": REASON},
    "decide:cancel": {"note": REASON},
}
moves = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(sorted(STEPS))), min_size=3, max_size=14)


def taken(person, step, quest):
    """Take the step; answers why it was refused, or None."""
    verb, _colon, decision = step.partition(":")
    more = {"decision": decision} if decision else {}
    try:
        getattr(lifecycle, verb)(person, quest.id, **STEPS[step], **more)
    except DataError as refusal:
        return refusal
    return None


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves)
def test_points_are_conserved_and_quests_keep_to_their_edges(db: Dynoxide, steps):
    engine_tables.empty(db)
    open_accounts(*PEOPLE)
    quest = offered()
    rewarded = Counter()
    refunded = 0
    for person, step in steps:
        before = stored(quest)
        refusal = taken(person, step, quest)
        if refusal is not None:
            assert refusal.status_code in (400, 403, 404, 409)
            assert quest.id not in str(refusal)
            assert stored(quest).version == before.version
            continue
        after = stored(quest)
        assert after.status == before.status or after.status in EDGES[before.status]
        assert after.performer_id != after.creator_id
        if after.status == COMPLETE:
            rewarded[after.performer_id] += 1
        refunded += step == "take_down"

    points = {person.sub: figures(person)[0] for person in PEOPLE}
    assert sum(points.values()) == 4 * 10 - 1 + refunded + 2 * rewarded.total()
    assert min(points.values()) >= 0
    assert rewarded.total() <= 1
    assert all(ledger_agrees(person) for person in PEOPLE)
