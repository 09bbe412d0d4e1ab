"""How a limit is shared: the vectors of the original, and what must hold for every history."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stores.capacity import Activity, AdaptiveSettings, Capacity, capacity

NOW = 1_800_000_000_000
SECOND = 1000
STEADY = [1.0] * 5 + [400.0] * 5


def activity_of(user: list[int], background: list[int], window_ms: int) -> Activity:
    """The activity by the moments of single requests."""
    third = window_ms / 3
    return Activity(
        user_requests=sum(moment > NOW - window_ms for moment in user),
        latest_user_requests=sum(moment > NOW - third for moment in user),
        earlier_user_requests=sum(NOW - 2 * third < moment <= NOW - third for moment in user),
        background_requests=sum(moment > NOW - window_ms for moment in background),
        last_user_at=max(user, default=None),
        last_background_at=max(background, default=None),
    )


def share(limit: int, user: list[float], background: list[float], **settings: Any) -> Capacity:
    """The shares when requests were made so many seconds ago."""
    chosen = AdaptiveSettings(**settings)
    moments = [[NOW - round(age * SECOND) for age in ages] for ages in (user, background)]
    activity = activity_of(*moments, chosen.monitoring_window_ms)
    return capacity(limit, activity, chosen, NOW)


@pytest.mark.parametrize(
    ("limit", "settings", "user", "background", "reserved", "rest"),
    [
        (100, {"min_user_reserved": 5}, [], [], 30, 70),
        (100, {"min_user_reserved": 7}, [], [1], 7, 93),
        (
            50,
            {"sustained_inactivity_threshold_ms": 60_000, "monitoring_window_ms": 120_000},
            [120],
            [1],
            0,
            50,
        ),
        (
            50,
            {
                "monitoring_window_ms": 1000,
                "sustained_inactivity_threshold_ms": 60_000,
                "min_user_reserved": 9,
            },
            [5],
            [1],
            9,
            41,
        ),
        (20, {"min_user_reserved": 12}, [0.1], [], 12, 8),
        (100, {}, [250, 200, 20, 10], [], 67, 33),
        (100, {}, [500, 450, 400, 350, 100], [], 48, 52),
        (100, {}, STEADY, [], 90, 10),
        (100, {"max_user_scaling": 1.0}, STEADY, [], 50, 50),
        (100, {}, [500, 480, 210, 190], [], 56, 44),
        (3, {}, [], [], 3, 0),
        (0, {}, STEADY, [1], 0, 0),
    ],
)
def test_the_shares_of_people_and_of_background_jobs(
    limit: int, settings: dict[str, Any], user: list[float], background: list[float], reserved: int, rest: int
) -> None:
    result = share(limit, user, background, **settings)

    assert (result.user_reserved, result.background_max, result.background_paused) == (reserved, rest, False)


def test_the_first_shares_say_that_nothing_is_known() -> None:
    assert share(100, [], []).reason.startswith("Initial state")


BUSY = {"high_activity_threshold": 5, "moderate_activity_threshold": 2}


@pytest.mark.parametrize("pauses", [True, False])
def test_background_jobs_pause_when_many_people_come_and_ever_more(pauses: bool) -> None:
    result = share(100, [299, 250, 60, 40, 20, 10], [5], **BUSY, background_pause_on_increasing_trend=pauses)

    assert result.background_paused is pauses
    assert (result.activity_level, result.user_reserved) == ("high", 90)


def test_background_jobs_do_not_pause_when_people_leave() -> None:
    assert share(100, [550, 540, 530, 520, 510, 20], [5], **BUSY).background_paused is False


@pytest.mark.parametrize(
    ("ages_ms", "trend"),
    [
        ([550, 200, 100, 50], "increasing"),
        ([500, 450, 400, 350, 100], "decreasing"),
        ([500, 480, 210, 190], "stable"),
        ([500, 480, 210, 190, 180], "stable"),
        ([500, 480, 100], "stable"),
        ([], "none"),
        ([900], "none"),
        ([300], "decreasing"),
        ([299], "increasing"),
    ],
)
def test_the_trend_compares_the_last_third_with_the_one_before(ages_ms: list[int], trend: str) -> None:
    assert activity_of([NOW - age for age in ages_ms], [], 900).trend == trend


@pytest.mark.parametrize(("requests", "level"), [(2, "low"), (3, "moderate"), (9, "moderate"), (10, "high")])
def test_the_level_counts_what_people_ask(requests: int, level: str) -> None:
    assert share(100, [1] * requests, [1] * 50).activity_level == level


def test_inactivity_is_sustained_only_after_its_time() -> None:
    settings = {"monitoring_window_ms": 1000, "sustained_inactivity_threshold_ms": 60_000}

    assert share(50, [60], [1], **settings).user_reserved == 5
    assert share(50, [60.001], [1], **settings).user_reserved == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"high_activity_threshold": 3, "moderate_activity_threshold": 3},
        {"moderate_activity_threshold": -1},
        {"monitoring_window_ms": 0},
        {"recalculation_interval_ms": 0},
        {"sustained_inactivity_threshold_ms": 0},
        {"max_user_scaling": 0},
        {"min_user_reserved": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        AdaptiveSettings(**settings)


ages = st.lists(st.floats(0, 4000), max_size=30)


@given(st.integers(0, 500), ages, ages, st.integers(0, 50), st.floats(0.1, 5))
def test_both_shares_together_are_the_limit(
    limit: int, user: list[float], background: list[float], least: int, scaling: float
) -> None:
    result = share(limit, user, background, min_user_reserved=least, max_user_scaling=scaling)

    assert result.user_reserved >= 0
    assert result.background_max >= 0
    assert result.user_reserved + result.background_max == limit
