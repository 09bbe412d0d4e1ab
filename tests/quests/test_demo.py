"""The example quests: every state, believable, loaded once."""

from collections import Counter
from datetime import timedelta

import pytest

from core.accounts.cast import CAST
from core.accounts.user import GUEST, User
from core.dynamo.attributes import now
from quests import demo, repository, rules
from quests.models import ABANDONED, COMPLETE, DISPUTED, OPEN, PENDING
from quests.months import first_day_of, month_of
from quests.services.audit import audited
from quests.services.expiry import SweepResult, sweep

PEOPLE = {
    person.given_name: User.of(
        sub=f"{person.given_name}-sub", name=person.name, email=person.email, groups=[person.group or ""]
    )
    for person in CAST
    if person.group != GUEST
}


@pytest.fixture
def loaded(db, monkeypatch):
    monkeypatch.setattr(demo, "_members", lambda: PEOPLE)
    demo.load()


def by_status():
    return {status: repository.quests.with_status(status, limit=100).items for status in rules.STATUSES}


def rows():
    """Every record with its version: what a second load must not change."""
    quests = {quest.id: int(quest.version) for quests in by_status().values() for quest in quests}
    figures = {
        person.sub: [int(row.points) for row in repository.ledger.of_user(person.sub, limit=100).items]
        for person in PEOPLE.values()
    }
    return quests, figures


def test_there_are_quests_in_every_state_and_a_second_load_changes_nothing(loaded):
    counted = Counter({status: len(quests) for status, quests in by_status().items()})
    assert min(counted.values()) >= 1
    assert counted[OPEN] >= 6
    assert counted[DISPUTED] == 2
    categories = {quest.category for quests in by_status().values() for quest in quests}
    assert categories == set(rules.CATEGORIES)

    for person in PEOPLE.values():
        assert audited(person.sub).differences == []
    waiting = repository.failed_rewards.with_status(PENDING).items
    given_up = repository.failed_rewards.with_status(ABANDONED).items
    assert [record.user_id for record in waiting] == [demo.FORMER_MEMBERS["Jonas"].sub]
    assert [record.user_id for record in given_up] == [demo.FORMER_MEMBERS["Pia"].sub]
    assert sweep(is_dry_run=True) == SweepResult(stale=["Flyer in den Grundschulen verteilen"])

    before = rows()
    demo.load()
    assert rows() == before


def test_the_leaderboards_of_this_month_and_the_last_one_have_several_people(loaded):
    last_month = first_day_of(now()) - timedelta(days=1)
    for month in (month_of(now()), f"{last_month:%Y-%m}"):
        leaders = repository.ledger.leaders(month, limit=50)
        assert len({leader.experience for leader in leaders}) >= 2, month
    for quest in by_status()[COMPLETE]:
        assert quest.created_at < quest.completed_at <= now()


@pytest.mark.parametrize("step", ["claim", "submit", "attest", "dispute", "decide"])
def test_an_interrupted_load_goes_on_where_it_stopped(db, monkeypatch, step):
    (quest,) = [entry for entry in demo.QUESTS if entry["title"] == "Pokale polieren und neu aufstellen"]
    (paid,) = [entry for entry in demo.QUESTS if entry["title"] == "Müll am Bachufer sammeln"]
    monkeypatch.setattr(demo, "QUESTS", [quest, paid])
    monkeypatch.setattr(demo, "_members", lambda: PEOPLE)
    with monkeypatch.context() as broken:
        broken.setattr(f"quests.demo.lifecycle.{step}", lambda *_args, **_options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            demo.load()
    demo.load()

    assert {status: len(quests) for status, quests in by_status().items() if quests} == {COMPLETE: 2}


def test_texts_keep_to_the_limits_of_the_form():
    for entry in demo.QUESTS:
        assert 5 <= len(entry["title"]) <= 200
        assert 20 <= len(entry["description"]) <= 2000
        assert 10 <= entry["reward_xp"] <= 1000
        assert 1 <= entry["reward_reputation"] <= 100


def test_without_a_local_user_pool_there_is_nobody(db, settings):
    settings.COGNITO_ENDPOINT = None
    demo.load()

    assert repository.quests.with_status(OPEN).items == []
