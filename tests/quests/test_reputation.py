"""Reputation fades continuously, whatever the order of its rewards and whatever the half-life was before."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quests import reputation
from quests.models import LedgerRow
from tests.quests.board import PERFORMER, completed, open_accounts

BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
moments = st.integers(min_value=0, max_value=20 * 365 * 24).map(lambda hours: BEGIN + timedelta(hours=hours))
rewards = st.lists(st.tuples(st.integers(min_value=1, max_value=100), moments), min_size=1, max_size=12)


def rows(*rewarded):
    return [LedgerRow(reputation=points, at=moment) for points, moment in rewarded]


@pytest.mark.parametrize(("half_lives", "left"), [(0, 80), (1, 40), (2, 20), (3, 10)])
@pytest.mark.parametrize("days", [1, 30, 180, 3650])
def test_half_is_left_after_the_half_life(settings, days, half_lives, left):
    settings.QUEST_REPUTATION_HALF_LIFE_DAYS = days
    earned = BEGIN + timedelta(days=777)

    assert (
        reputation.current_reputation(rows((80, earned)), earned + timedelta(days=days * half_lives)) == left
    )


def test_what_was_booked_later_fades_from_when_it_was_earned():
    row = LedgerRow(reputation=80, at=BEGIN + timedelta(days=180), earned_at=BEGIN)

    assert reputation.current_reputation([row], BEGIN + timedelta(days=180)) == 40


@given(rewards, st.randoms())
def test_the_order_of_rewards_does_not_matter(rewarded, random):
    today = max(moment for _points, moment in rewarded)
    shuffled = list(rewarded)
    random.shuffle(shuffled)

    assert (
        abs(
            reputation.current_reputation(rows(*shuffled), today)
            - reputation.current_reputation(rows(*rewarded), today)
        )
        <= 1
    )


@given(rewards, st.integers(min_value=0, max_value=3650), st.integers(min_value=1, max_value=3650))
def test_it_never_grows_by_itself(rewarded, days, later):
    today, earned = max(moment for _points, moment in rewarded) + timedelta(days=days), rows(*rewarded)

    assert reputation.current_reputation(
        earned, today + timedelta(days=later)
    ) <= reputation.current_reputation(earned, today)
    assert 0 <= reputation.current_reputation(earned, today) <= sum(points for points, _moment in rewarded)


@pytest.mark.parametrize("later", [timedelta(0), timedelta(minutes=1), timedelta(hours=12)])
def test_on_its_day_a_reward_is_worth_what_it_says(later):
    left = [reputation.current_reputation(rows((points, BEGIN)), BEGIN + later) for points in range(1, 101)]

    assert left == [*range(1, 101)]


@pytest.mark.parametrize("days", [1, 30, 3650])
def test_a_half_life_that_is_changed_makes_nobodys_reputation_wrong(db, as_role, settings, days):
    open_accounts()
    completed()
    settings.QUEST_REPUTATION_HALF_LIFE_DAYS = days
    completed()

    page = as_role("official").get(f"/quests/people/{PERFORMER.sub}/")
    assert page.context["profile"].reputation == 20
