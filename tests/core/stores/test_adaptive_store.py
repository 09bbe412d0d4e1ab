"""The adaptive store: an exact limit, shared between people and background jobs as people come and go."""

from collections.abc import Callable
from typing import Any

import pytest

from core.dynamo import maintenance, metering
from core.dynamo.attributes import wrap
from core.stores.adaptive import USER_BUCKET, AdaptiveRateLimitStore, meta_key
from core.stores.capacity import AdaptiveSettings
from core.stores.config import StoreConfig
from core.stores.errors import StoreClosed
from core.stores.interfaces import Limit, Priority
from core.stores.models import StoreItem
from core.stores.ratelimit import state_key
from core.stores.sliding_window import numbers
from tests.core.stores.conftest import Clock
from tests.racing import at_once

MINUTE = 60_000
HALF_MINUTE = 30_000
BUSY = AdaptiveSettings(high_activity_threshold=5, moderate_activity_threshold=2)


def make(
    config: StoreConfig, clock: Clock, limit: int = 20, settings: AdaptiveSettings | None = None
) -> AdaptiveRateLimitStore:
    return AdaptiveRateLimitStore(config, default=Limit(limit, MINUTE), settings=settings, clock=clock)


@pytest.fixture
def store(config: StoreConfig, clock: Clock) -> AdaptiveRateLimitStore:
    return make(config, clock)


def allowed(store: AdaptiveRateLimitStore, priority: Priority, times: int) -> int:
    return sum(store.acquire("api", priority).allowed for _try in range(times))


def test_at_first_a_third_is_kept_for_people(store: AdaptiveRateLimitStore) -> None:
    status = store.get_status("api")

    assert (status.user_reserved, status.background_max, status.remaining, status.limit) == (6, 14, 20, 20)
    assert (status.activity_level, status.background_paused, status.recent_user_activity) == ("low", False, 0)
    assert status.reason.startswith("Initial state")


def test_background_jobs_leave_to_people_what_is_reserved_and_the_sum_is_the_limit(
    store: AdaptiveRateLimitStore,
) -> None:
    assert allowed(store, "background", 30) == 14
    assert allowed(store, "user", 30) == 6
    assert allowed(store, "background", 1) == 0
    assert store.get_status("api").remaining == 0


def test_people_may_use_what_background_jobs_leave(store: AdaptiveRateLimitStore) -> None:
    assert allowed(store, "user", 30) == 20
    assert allowed(store, "background", 5) == 0


def test_without_a_word_a_request_is_a_background_job(store: AdaptiveRateLimitStore) -> None:
    assert sum(store.acquire("api").allowed for _try in range(30)) == 14
    assert store.can_proceed("api") is False
    assert store.can_proceed("api", "user") is True


def test_after_the_wait_there_is_a_place(store: AdaptiveRateLimitStore, clock: Clock) -> None:
    allowed(store, "background", 30)
    assert store.get_wait_time("api", "user") == 0
    wait = store.get_wait_time("api")
    clock.pass_ms(wait)

    assert store.acquire("api").allowed is True


def test_the_shares_are_calculated_at_most_every_30_seconds(
    store: AdaptiveRateLimitStore, clock: Clock
) -> None:
    first = store.get_status("api")
    assert allowed(store, "user", 3) == 3
    clock.pass_ms(HALF_MINUTE - 1)
    assert store.get_status("api").last_calculation == first.last_calculation
    clock.pass_ms(1)

    status = store.get_status("api")
    assert (status.activity_level, status.recent_user_activity) == ("moderate", 3)
    # 8 * 1.3 * 1.2 = 12.48
    assert (status.user_reserved, status.background_max) == (12, 8)
    assert status.last_calculation > first.last_calculation


def test_they_can_be_calculated_at_once(store: AdaptiveRateLimitStore) -> None:
    store.get_status("api")
    store.record("api", "user")

    assert store.recalculate("api").recent_user_activity == 1
    assert store.get_status("api").recent_user_activity == 1


def test_background_jobs_pause_when_many_people_come_and_go_on_when_they_left(
    config: StoreConfig, clock: Clock
) -> None:
    store = make(config, clock, settings=BUSY)
    assert store.acquire("api").allowed is True
    for _request in range(6):
        store.record("api", "user")
    clock.pass_ms(HALF_MINUTE)

    refusal = store.acquire("api")
    assert (refusal.allowed, refusal.wait_ms) == (False, HALF_MINUTE)
    assert store.get_status("api").background_paused is True
    assert store.acquire("api", "user").allowed is True
    clock.pass_ms(HALF_MINUTE - 1)
    assert store.get_wait_time("api") == 1

    clock.pass_ms(10 * MINUTE)
    assert store.get_status("api").background_paused is False
    assert store.acquire("api").allowed is True


def test_when_nobody_came_for_long_background_jobs_may_have_everything(
    store: AdaptiveRateLimitStore, clock: Clock
) -> None:
    store.record("api", "user")
    clock.pass_ms(31 * MINUTE)

    status = store.get_status("api")
    assert (status.user_reserved, status.background_max) == (0, 20)
    assert allowed(store, "background", 30) == 20


def test_after_a_reset_nothing_is_known(store: AdaptiveRateLimitStore) -> None:
    allowed(store, "user", 30)
    store.reset("api")

    status = store.get_status("api")
    assert (status.remaining, status.recent_user_activity, status.reason) == (20, 0, "Manually reset")
    assert allowed(store, "user", 30) == 20


def test_threads_of_both_kinds_get_exactly_the_limit(config: StoreConfig, clock: Clock) -> None:
    store = make(config, clock, limit=30)
    assert store.get_status("api").background_max == 21

    def work(number: int) -> tuple[Priority, int]:
        priority: Priority = "user" if number % 2 else "background"
        return priority, allowed(store, priority, 4)

    results = at_once(work, 24)

    by_background = sum(count for priority, count in results if priority == "background")
    assert sum(count for _priority, count in results) == 30
    assert by_background <= 21


def test_while_a_resource_rests_neither_people_nor_jobs_are_let_through(
    store: AdaptiveRateLimitStore, clock: Clock
) -> None:
    store.cool_down("api", 10_000)

    assert [store.acquire("api", priority).wait_ms for priority in ("user", "background")] == [10_000] * 2
    assert [store.get_wait_time("api", priority) for priority in ("user", "background")] == [10_000] * 2
    assert store.get_status("api").remaining == 0
    clock.pass_ms(10_000)
    assert [store.acquire("api", priority).allowed for priority in ("user", "background")] == [True] * 2


def test_the_statistics_tell_who_uses_what(store: AdaptiveRateLimitStore, clock: Clock) -> None:
    assert allowed(store, "user", 3) == 3
    assert allowed(store, "background", 2) == 2
    for _request in range(20):
        store.acquire("full", "user")

    stats = store.stats(["api", "full", "unknown"])
    assert (stats.total_resources, stats.active_resources, stats.rate_limited_resources) == (3, 2, 1)
    assert (stats.total_requests, stats.user_requests, stats.background_requests) == (25, 23, 2)
    api = stats.resources["api"]
    assert (api.request_count, api.user_requests, api.background_requests) == (5, 3, 2)
    assert api.allocation == store.get_status("api")
    unknown = stats.resources["unknown"]
    assert (unknown.request_count, unknown.allocation.user_reserved) == (0, 6)
    assert unknown.allocation.reason.startswith("Initial state")


def test_a_closed_store_refuses_everything(store: AdaptiveRateLimitStore) -> None:
    for priority in ("background", "user"):
        allowed(store, priority, 30)
    store.close()
    uses: list[Callable[[], Any]] = [
        lambda: store.acquire("api"),
        lambda: store.acquire("api", "user"),
        lambda: store.acquire("other"),
        lambda: store.get_wait_time("api"),
        lambda: store.cool_down("api", 1),
        lambda: store.stats([]),
        lambda: store.record("api"),
        lambda: store.get_status("api"),
        lambda: store.recalculate("api"),
        lambda: store.reset("api"),
    ]
    for use in uses:
        with pytest.raises(StoreClosed):
            use()


# --- In DynamoDB


@pytest.fixture
def stored(db: object, clock: Clock) -> AdaptiveRateLimitStore:
    return AdaptiveRateLimitStore(default=Limit(20, MINUTE), clock=clock)


def cost(use: Callable[[], Any]) -> tuple[list[str], float]:
    with metering.metered() as meter:
        use()
    return meter.operations, meter.units


def test_each_decision_is_one_request_beside_one_look_per_interval(
    stored: AdaptiveRateLimitStore, clock: Clock
) -> None:
    assert cost(lambda: stored.acquire("api", "user")) == (["UpdateItem"], 1)
    assert cost(lambda: stored.acquire("api")) == (["BatchGetItem", "PutItem", "UpdateItem"], 4)
    assert cost(lambda: stored.acquire("api")) == (["UpdateItem"], 1)
    assert cost(lambda: stored.record("api")) == (["UpdateItem"], 1)
    assert cost(lambda: stored.can_proceed("api")) == (["GetItem"], 1)
    assert cost(lambda: stored.get_status("api")) == (["BatchGetItem"], 2)
    assert cost(lambda: stored.stats(["api", "other"])) == (["BatchGetItem"], 4)
    assert cost(lambda: stored.recalculate("api")) == (["BatchGetItem", "PutItem"], 3)
    assert cost(lambda: stored.reset("api")) == (["TransactWriteItems"], 4)
    while stored.acquire("api").allowed:
        pass
    assert cost(lambda: [stored.acquire("api") for _try in range(50)]) == ([], 0)


def test_of_several_processes_one_calculates_and_its_word_counts(
    stored: AdaptiveRateLimitStore, clock: Clock
) -> None:
    others = [AdaptiveRateLimitStore(default=Limit(20, MINUTE), clock=clock) for _process in range(3)]
    stored.acquire("api")
    for other in others:
        assert cost(lambda other=other: other.acquire("api"))[0] == ["BatchGetItem", "UpdateItem"]

    # All saw the same META, which is too old; the first to write wins.
    state, seen = stored._read("api")
    clock.pass_ms(HALF_MINUTE)
    first = stored._calculate("api", state, seen)
    clock.pass_ms(5)
    assert others[0]._calculate("api", state, seen) == first


def test_what_the_original_left_about_the_shares_is_calculated_anew(
    stored: AdaptiveRateLimitStore, clock: Clock
) -> None:
    """Its table may be this one, and its META does not say who may have how much."""
    left = {"userRequestCount": 1, "backgroundRequestCount": 2, "lastCalculation": clock.ms}
    left |= {"backgroundPaused": False, "activityLevel": "low", "reason": "initial"}
    item = meta_key("api") | {"Data": wrap(left)}
    maintenance.request("PutItem", TableName=StoreItem.Meta.table_name, Item=item)

    assert stored.stats(["api"]).resources["api"].allocation.background_max == 14
    assert cost(lambda: stored.acquire("api"))[0] == ["BatchGetItem", "PutItem", "UpdateItem"]
    assert stored.get_status("api").background_max == 14


def test_in_memory_what_people_did_long_ago_is_forgotten(clock: Clock) -> None:
    store = AdaptiveRateLimitStore(StoreConfig(in_memory=True), default=Limit(20, MINUTE), clock=clock)
    for _request in range(20):
        store.acquire("api", "user")
        clock.pass_ms(60 * MINUTE)

    assert len(list(numbers(store._table.get(state_key("api")), USER_BUCKET))) <= 2, (
        "one of them goes with the next"
    )


def test_the_item_of_the_shares_looks_as_the_document_says(
    stored: AdaptiveRateLimitStore, clock: Clock
) -> None:
    stored.record("api", "user")
    stored.acquire("api")

    items = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    (meta,) = [item for item in items if item["PK"]["S"] == "ADAPTIVE#api"]
    assert meta == {
        "PK": {"S": "ADAPTIVE#api"},
        "SK": {"S": "META"},
        "Data": {
            "M": {
                "userRequestCount": {"N": "1"},
                "backgroundRequestCount": {"N": "0"},
                "lastCalculation": {"N": str(clock.ms)},
                "backgroundPaused": {"BOOL": False},
                "activityLevel": {"S": "low"},
                "reason": {"S": "Low user activity (1 user requests, trend increasing)"},
                "userReserved": {"N": "6"},
                "backgroundMax": {"N": "14"},
            }
        },
    }


def test_long_traffic_leaves_an_item_of_two_units(stored: AdaptiveRateLimitStore, clock: Clock) -> None:
    for step in range(100):
        clock.pass_ms(20_000)
        stored.acquire("api", "user" if step % 2 else "background")
        stored.acquire("api", "background" if step % 2 else "user")

    with metering.metered() as meter:
        stored.acquire("api", "user")
    assert (meter.operations, meter.units) == (["UpdateItem"], 2)
    clock.pass_ms(3 * 3600 * 1000)
    stored.acquire("api", "user")
    with metering.metered() as meter:
        stored.acquire("api", "user")
    assert meter.units == 2, "the write that removes what is over still pays for it"
    assert cost(lambda: stored.acquire("api", "user")) == (["UpdateItem"], 1)
