"""Reputation fades continuously, whatever the order of its rewards."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quests import reputation

BEGIN = reputation.BEGINNING
moments = st.integers(min_value=0, max_value=20 * 365 * 24).map(lambda hours: BEGIN + timedelta(hours=hours))
rewards = st.lists(st.tuples(st.integers(min_value=1, max_value=100), moments), min_size=1, max_size=12)


def total(rewarded) -> float:
    return sum(reputation.mass(points, moment) for points, moment in rewarded)


@pytest.mark.parametrize(("half_lives", "left"), [(0, 80), (1, 40), (2, 20), (3, 10)])
def test_half_is_left_after_the_half_life(settings, half_lives, left):
    settings.QUEST_REPUTATION_HALF_LIFE_DAYS = 180
    earned = BEGIN + timedelta(days=777)
    mass = reputation.mass(80, earned)

    assert reputation.faded(mass, earned + timedelta(days=180 * half_lives)) == left


def test_the_half_life_is_a_setting(settings):
    settings.QUEST_REPUTATION_HALF_LIFE_DAYS = 30
    mass = reputation.mass(100, BEGIN)

    assert reputation.faded(mass, BEGIN + timedelta(days=30)) == 50


@given(rewards, st.randoms())
def test_the_order_of_rewards_does_not_matter(rewarded, random):
    today = max(moment for _points, moment in rewarded)
    shuffled = list(rewarded)
    random.shuffle(shuffled)

    assert total(shuffled) == pytest.approx(total(rewarded), rel=1e-12)
    assert abs(reputation.faded(total(shuffled), today) - reputation.faded(total(rewarded), today)) <= 1


@given(rewards, st.integers(min_value=0, max_value=3650))
def test_it_is_the_sum_of_what_is_left_of_each_reward(rewarded, days):
    today = max(moment for _points, moment in rewarded) + timedelta(days=days)
    each = sum(points * 0.5 ** ((today - moment) / timedelta(days=180)) for points, moment in rewarded)

    assert reputation.faded(total(rewarded), today) == pytest.approx(each, abs=0.501)


@given(rewards, st.integers(min_value=0, max_value=3650), st.integers(min_value=1, max_value=3650))
def test_it_never_grows_by_itself(rewarded, days, later):
    today = max(moment for _points, moment in rewarded) + timedelta(days=days)
    mass = total(rewarded)

    assert reputation.faded(mass, today + timedelta(days=later)) <= reputation.faded(mass, today)
    assert 0 <= reputation.faded(mass, today) <= sum(points for points, _moment in rewarded)


@pytest.mark.parametrize("later", [timedelta(0), timedelta(minutes=1), timedelta(hours=12)])
def test_on_its_day_a_reward_is_worth_what_it_says(later):
    earned = BEGIN + timedelta(days=700, hours=5)
    left = [reputation.faded(reputation.mass(points, earned), earned + later) for points in range(1, 101)]

    assert left == [*range(1, 101)]
