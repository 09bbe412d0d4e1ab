"""The rate-limit store: never more than the limit in any trailing window, one request per decision."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.dynamo import maintenance, metering
from core.stores import refusal_cache
from core.stores.config import StoreConfig
from core.stores.errors import InvalidKey, StoreClosed
from core.stores.interfaces import Decision, Limit, LimitStats
from core.stores.models import StoreItem
from core.stores.ratelimit import RateLimitStore
from core.stores.sliding_window import PARTS
from tests.core.stores.conftest import Clock
from tests.racing import at_once

MINUTE = 60_000
PART = MINUTE // PARTS
LIMITS = {
    "default": Limit(3, MINUTE),
    "limits": {"few": Limit(1, MINUTE), "none": Limit(0, MINUTE), "many": Limit(1000, MINUTE)},
}


@pytest.fixture
def store(config: StoreConfig, clock: Clock) -> RateLimitStore:
    return RateLimitStore(config, **LIMITS, clock=clock)


def allowed(store: RateLimitStore, resource: str, times: int) -> list[bool]:
    return [store.acquire(resource).allowed for _try in range(times)]


def test_so_many_are_allowed_and_the_next_waits(store: RateLimitStore) -> None:
    decisions = [store.acquire("api") for _try in range(4)]

    assert [decision.remaining for decision in decisions] == [2, 1, 0, 0]
    assert [decision.allowed for decision in decisions] == [True, True, True, False]
    assert MINUTE <= decisions[3].wait_ms <= MINUTE + PART


def test_a_place_is_free_again_when_its_window_is_over_and_not_before(
    store: RateLimitStore, clock: Clock
) -> None:
    assert allowed(store, "api", 2) == [True, True]
    clock.pass_ms(MINUTE // 2)
    assert allowed(store, "api", 2) == [True, False]

    clock.pass_ms(MINUTE // 2 - 1)
    assert allowed(store, "api", 1) == [False]
    clock.pass_ms(1 + PART)
    assert allowed(store, "api", 3) == [True, True, False]


def test_after_the_wait_there_is_a_place(store: RateLimitStore, clock: Clock) -> None:
    allowed(store, "api", 3)
    wait = store.get_wait_time("api")
    assert store.can_proceed("api") is False

    clock.pass_ms(wait - 1)
    assert allowed(store, "api", 1) == [False]
    clock.pass_ms(1)
    assert store.get_wait_time("api") == 0
    assert store.can_proceed("api") is True
    assert allowed(store, "api", 1) == [True]


def test_looking_takes_no_place(store: RateLimitStore) -> None:
    for _again in range(10):
        assert store.can_proceed("few") is True

    assert allowed(store, "few", 2) == [True, False]


def test_what_happened_anyway_counts_even_above_the_limit(store: RateLimitStore, clock: Clock) -> None:
    for _again in range(5):
        store.record("api")

    assert store.get_status("api").remaining == 0
    assert allowed(store, "api", 1) == [False]
    clock.pass_ms(MINUTE + PART)
    assert allowed(store, "api", 1) == [True]


def test_the_status_says_how_many_are_left_and_when_all_are_free(store: RateLimitStore, clock: Clock) -> None:
    empty = store.get_status("api")
    assert (empty.remaining, empty.limit) == (3, 3)
    assert empty.reset_time == datetime.fromtimestamp(clock.ms / 1000, UTC)

    store.acquire("api")
    status = store.get_status("api")
    assert status.remaining == 2
    seconds = status.reset_time.timestamp() - clock.ms / 1000
    assert 60 <= seconds <= 63


def test_each_resource_has_its_own_places_and_some_their_own_limit(store: RateLimitStore) -> None:
    assert allowed(store, "api", 4) == [True, True, True, False]
    assert allowed(store, "other", 4) == [True, True, True, False]
    assert allowed(store, "few", 2) == [True, False]


def test_a_limit_of_nothing_lets_nobody_through(store: RateLimitStore) -> None:
    assert store.acquire("none") == Decision(False, MINUTE, 0)
    assert store.can_proceed("none") is False
    assert store.get_wait_time("none") == MINUTE


def test_after_a_reset_all_places_are_free(store: RateLimitStore) -> None:
    allowed(store, "api", 4)
    store.reset("api")

    assert allowed(store, "api", 4) == [True, True, True, False]


def test_32_threads_get_exactly_the_places_there_are(config: StoreConfig, clock: Clock) -> None:
    store = RateLimitStore(config, default=Limit(20, MINUTE), clock=clock)

    parts = at_once(lambda _number: allowed(store, "api", 3), 32)

    decisions = [decision for part in parts for decision in part]

    assert (len(decisions), sum(decisions)) == (96, 20)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pauses=st.lists(st.integers(0, 3_000), min_size=5, max_size=60), limit=st.integers(1, 5))
def test_no_trailing_window_holds_more_than_the_limit_however_the_calls_fall(
    config: StoreConfig, clock: Clock, pauses: list[int], limit: int
) -> None:
    window = 5_000
    store = RateLimitStore(config, default=Limit(limit, window), clock=clock)
    store.reset("api")
    admitted: list[int] = []
    for pause in pauses:
        clock.pass_ms(pause)
        if store.acquire("api").allowed:
            admitted.append(clock.ms)

    assert admitted
    for moment in admitted:
        assert sum(moment - window < other <= moment for other in admitted) <= limit


def test_while_a_resource_rests_nobody_is_let_through(store: RateLimitStore, clock: Clock) -> None:
    store.acquire("api")
    store.cool_down("api", 90_000)
    store.cool_down("api", 1_000)

    assert store.acquire("api") == Decision(False, 90_000, 0), "a shorter rest does not end a longer one"
    assert (store.can_proceed("api"), store.get_wait_time("api")) == (False, 90_000)
    assert store.get_status("api").remaining == 0
    assert store.get_status("api").reset_time.timestamp() == clock.ms / 1000 + 90
    assert store.acquire("other").allowed is True
    clock.pass_ms(89_999)
    assert allowed(store, "api", 1) == [False]
    clock.pass_ms(1)
    assert store.get_status("api").remaining == 3
    assert allowed(store, "api", 4) == [True, True, True, False]


def test_a_reset_ends_the_rest_too(store: RateLimitStore) -> None:
    store.cool_down("api", MINUTE)
    store.reset("api")

    assert store.acquire("api").allowed is True


def test_the_statistics_tell_how_much_of_what_is_asked_for_is_used(
    store: RateLimitStore, clock: Clock
) -> None:
    allowed(store, "api", 4)
    store.acquire("many")
    store.cool_down("resting", MINUTE)
    store.get_status("looked at")

    asked = ["api", "many", "resting", "looked at", "none", "api"]
    assert store.stats(asked) == LimitStats(
        total_resources=5, active_resources=2, rate_limited_resources=3, total_requests=4
    )
    assert store.stats([]) == LimitStats(0, 0, 0, 0)
    clock.pass_ms(MINUTE + PART)
    assert store.stats(["api", "many", "resting"]) == LimitStats(3, 0, 0, 0)


def test_a_closed_store_refuses_everything(store: RateLimitStore) -> None:
    allowed(store, "api", 4)
    store.close()
    uses: list[Callable[[], Any]] = [
        lambda: store.acquire("api"),
        lambda: store.acquire("other"),
        lambda: store.acquire("none"),
        lambda: store.can_proceed("api"),
        lambda: store.record("api"),
        lambda: store.get_status("api"),
        lambda: store.get_wait_time("api"),
        lambda: store.get_wait_time("none"),
        lambda: store.cool_down("api", 1),
        lambda: store.stats([]),
        lambda: store.reset("api"),
    ]
    for use in uses:
        with pytest.raises(StoreClosed):
            use()


def test_a_resource_or_a_limit_that_makes_no_sense_is_refused(store: RateLimitStore) -> None:
    with pytest.raises(InvalidKey):
        store.acquire("")
    for requests, window in ((-1, 1000), (1, 0)):
        with pytest.raises(ValueError):
            Limit(requests, window)


def test_the_wait_is_told_to_browsers_in_whole_seconds_rounded_up() -> None:
    assert [Decision(False, ms, 0).retry_after for ms in (0, 1, 1000, 1001)] == [0, 1, 1, 2]


# --- In DynamoDB


@pytest.fixture
def stored(db: object, clock: Clock) -> RateLimitStore:
    return RateLimitStore(**LIMITS, clock=clock)


def test_each_decision_is_one_request_and_a_refusal_is_remembered(
    stored: RateLimitStore, clock: Clock
) -> None:
    def cost(use: Callable[[], Any]) -> tuple[list[str], float]:
        with metering.metered() as meter:
            use()
        return meter.operations, meter.units

    for _try in range(3):
        assert cost(lambda: stored.acquire("api")) == (["UpdateItem"], 1)
    assert cost(lambda: stored.get_status("api")) == (["GetItem"], 1)
    assert cost(lambda: stored.acquire("api")) == (["UpdateItem"], 0), "a refusal tells no units"
    assert cost(lambda: [stored.acquire("api") for _try in range(100)]) == ([], 0)
    assert cost(lambda: stored.can_proceed("api")) == ([], 0)
    assert cost(lambda: stored.get_wait_time("api")) == ([], 0)
    clock.pass_ms(MINUTE + PART)
    assert cost(lambda: stored.can_proceed("api")) == (["GetItem"], 1)
    assert cost(lambda: stored.get_wait_time("api")) == (["GetItem"], 1)
    assert cost(lambda: stored.record("api")) == (["UpdateItem"], 1)
    assert cost(lambda: stored.cool_down("api", 1)) == (["UpdateItem"], 1)
    assert cost(lambda: stored.stats(["api", "many", "few"])) == (["BatchGetItem"], 3)
    assert cost(lambda: stored.reset("api")) == (["DeleteItem"], 1)
    assert cost(lambda: stored.acquire("none")) == ([], 0)


def test_the_state_is_one_small_item_however_long_the_traffic_lasts(
    stored: RateLimitStore, clock: Clock
) -> None:
    sizes = []
    with metering.metered() as meter:
        for pause in [100, 3_000, 50_000, 400_000, 1_000_000] * 10:
            clock.pass_ms(pause)
            stored.acquire("many")
            (item,) = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
            sizes.append(len(item))
    assert (item["PK"], item["SK"]) == ({"S": "RATELIMIT#many"}, {"S": "STATE"})
    assert max(sizes) < 70
    assert meter.units == len(sizes), "one unit each"
    assert int(item["TTL"]["N"]) * 1000 >= clock.ms + MINUTE + PART
    assert "GSI1PK" not in item


def test_a_request_that_arrives_late_takes_no_place_that_others_have(
    stored: RateLimitStore, clock: Clock
) -> None:
    """Two stores stand for two processes; the second one's packets take longer and longer."""
    late_clock = Clock(clock.ms)
    late = RateLimitStore(**LIMITS, clock=late_clock)
    for delay_parts in (1, 2, 3, 10, 11, PARTS):
        clock.pass_ms(10 * MINUTE)
        late_clock.ms = clock.ms
        clock.pass_ms(delay_parts * PART)
        assert allowed(stored, "api", 3) == [True] * 3

        assert late.acquire("api").allowed is False, f"{delay_parts} parts late"


def test_a_request_is_never_so_late_that_what_it_missed_is_forgotten(
    stored: RateLimitStore, clock: Clock
) -> None:
    late = RateLimitStore(**LIMITS, clock=Clock(clock.ms + 5 * PART))
    assert allowed(stored, "api", 3) == [True] * 3
    for parts in (37, 5):
        clock.pass_ms(parts * PART)
        assert allowed(stored, "api", 1) == [True]

    assert late.acquire("api").allowed is False, "37 parts late: a fourth one within a minute"


def test_a_late_request_leaves_the_state_as_long_as_others_need_it(
    stored: RateLimitStore, clock: Clock
) -> None:
    late = RateLimitStore(**LIMITS, clock=Clock(clock.ms))
    clock.pass_ms(10 * PART)
    stored.acquire("api")
    assert late.acquire("api").allowed is True

    (item,) = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    assert int(item["TTL"]["N"]) * 1000 >= clock.ms + MINUTE + PART


def test_a_rest_is_remembered_to_its_end(stored: RateLimitStore, clock: Clock) -> None:
    """Even if something happens meanwhile that must be counted."""
    day = 24 * 3600 * 1000
    stored.cool_down("api", 2 * day)
    for use in (lambda: None, lambda: stored.record("api")):
        use()
        (item,) = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
        assert item["coolDownUntil"]["N"] == str(clock.ms + day), "a rest lasts a day at most"
        assert int(item["TTL"]["N"]) * 1000 >= clock.ms + day


def test_a_request_that_arrives_too_late_asks_again_with_the_time_of_now(
    stored: RateLimitStore, clock: Clock
) -> None:
    moments = [clock.ms] * 2 + [clock.ms + 15 * PART] * 2
    late = RateLimitStore(**LIMITS, clock=lambda: moments.pop(0))
    clock.pass_ms(15 * PART)
    stored.acquire("api")

    with metering.metered() as meter:
        assert late.acquire("api").allowed is True
    assert meter.operations == ["UpdateItem"] * 2


def test_a_clock_that_was_set_back_is_only_late(stored: RateLimitStore, clock: Clock) -> None:
    stored.acquire("api")
    clock.pass_ms(100 * MINUTE)
    stored.acquire("api")
    clock.pass_ms(-100 * MINUTE)

    assert stored.acquire("api").allowed is False


def test_a_flood_of_resources_does_not_fill_the_memory(
    stored: RateLimitStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusal_cache, "MOST_REFUSALS", 3)
    for number in range(5):
        allowed(stored, f"api {number}", 4)
    assert len(stored._refusals._until) == 3

    clock.pass_ms(2 * MINUTE)
    allowed(stored, "later", 4)
    assert len(stored._refusals._until) == 1, "refusals that have ended make room"
