"""What webhooks are told: each kind of change by the real streams, at the moment when it is one."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from core.dynamo.streams import Change, failures, source
from core.webhooks import repository, services
from core.webhooks.registry import kinds
from tests.cast import CAST, sign_in
from tests.cms.articles import article
from tests.quests.board import completed
from tests.scouting import field
from tests.scouting.field import KEY
from tests.tracker.club import team_of
from tracker.games.models import FINAL
from tracker.games.services import games

pytestmark = pytest.mark.usefixtures("streaming")


def follow():
    """Handle all changes, and send what they queued."""
    call_command("streams", "--once")
    assert list(failures.failed(source.streamed_tables())) == []


@pytest.fixture
def told(register, receiver):
    """`told()` is what the receiver was told since it was last asked: pairs of a kind and its data."""
    follow()
    register()

    def ask():
        receiver.told.clear()
        follow()
        documents = [json.loads(each.body) for each in receiver.told]
        assert all(each.keys() == {"type", "timestamp", "data"} for each in documents)
        return [(each["type"], each["data"]) for each in documents]

    return ask


def test_there_are_five_kinds():
    assert list(kinds()) == [
        "news.published",
        "scouting.stand-form.sent",
        "scouting.pit-form.sent",
        "quest.completed",
        "game.final",
    ]


def test_news_when_they_are_published(told):
    draft = article("Derby")
    assert told() == []
    published = news.update(draft, {"status": "published"}, actor=SYSTEM)
    shown = {
        "id": draft.id,
        "address": f"/api/v1/website/news/{draft.id}",
        "page": "/news/derby/",
        "title": "Derby",
        "slug": "derby",
        "excerpt": "Five sets.",
        "publishedDate": to_iso(published.published_date),
    }
    assert told() == [("news.published", shown)]
    answer = Client().get(shown["address"]).json()
    assert answer | shown == answer | {"address": shown["address"], "page": "/news/derby/"}
    changed = news.update(published, {"title": "Derby won"}, actor=SYSTEM)
    assert told() == []
    withdrawn = news.update(changed, {"status": "draft"}, actor=SYSTEM)
    news.update(withdrawn, {"status": "published"}, actor=SYSTEM)
    assert [kind for kind, _data in told()] == ["news.published"]


def test_news_of_a_later_date_when_that_has_come(told, dispatcher, clock, receiver, monkeypatch):
    later = now() + timedelta(hours=1)
    article("Later", published=True, publish_at=later)
    moved = article("Moved", published=True, publish_at=later)
    dropped = article("Dropped", published=True, publish_at=later)
    assert told() == []
    news.update(moved, {"publish_at": later + timedelta(hours=1)}, actor=SYSTEM)
    news.update(dropped, {"status": "draft"}, actor=SYSTEM)
    assert told() == []

    def titles():
        receiver.told.clear()
        monkeypatch.setattr("cms.news.models.now", clock)
        dispatcher.run_due()
        return [json.loads(each.body)["data"]["title"] for each in receiver.told]

    clock.ahead = timedelta(hours=1, seconds=1)
    assert titles() == ["Later"]
    clock.ahead = timedelta(hours=2, seconds=2)
    assert titles() == ["Moved"]


def test_news_of_a_later_date_stay_the_same_from_the_first_attempt_on(
    told, dispatcher, clock, receiver, monkeypatch
):
    later = article("Later", published=True, publish_at=now() + timedelta(hours=1))
    assert told() == []
    monkeypatch.setattr("cms.news.models.now", clock)
    receiver.answer = lambda _told: 500 if len(receiver.told) == 1 else 204
    clock.ahead = timedelta(hours=1, seconds=1)
    dispatcher.run_due()
    news.update(later, {"title": "Changed since"}, actor=SYSTEM)
    clock.ahead = timedelta(hours=1, minutes=2)
    dispatcher.run_due()
    first, second = receiver.told
    assert (first.id, first.body) == (second.id, second.body)


def test_an_imported_article_is_no_news(told):
    article("Old", published=True, publish_at=now() - timedelta(days=400))
    assert told() == []


def test_stand_and_pit_forms_when_they_are_sent(told):
    field.event()
    stand, pit = field.stand("254", 7), field.pit("1678")
    lead = sign_in(Client(), "scout-lead")
    found = dict(told())
    assert found == {
        "scouting.stand-form.sent": {
            "id": stand.id,
            "key": found["scouting.stand-form.sent"]["key"],
            "address": found["scouting.stand-form.sent"]["address"],
            "event": KEY,
            "teamNumber": "254",
            "matchNumber": 7,
        },
        "scouting.pit-form.sent": {
            "id": pit.id,
            "key": found["scouting.pit-form.sent"]["key"],
            "address": found["scouting.pit-form.sent"]["address"],
            "event": KEY,
            "teamNumber": "1678",
        },
    }
    for data in found.values():
        assert lead.get(data["address"]).json()["key"] == data["key"]


def test_a_quest_when_it_is_completed(told):
    quest = completed()
    found = told()
    assert found == [("quest.completed", {"id": quest.id, "address": f"/api/v1/quests/{quest.id}"})]
    assert sign_in(Client(), "member").get(found[0][1]["address"]).json()["questId"] == quest.id


def test_a_game_each_time_it_becomes_final(told):
    owner = CAST["member"]
    team = team_of(owner)
    game = games.create(owner, team.id, {"opponent_name": "Rivertown Rockets"})
    assert told() == []
    games.move(owner, game.id, FINAL, fields={"team_score": 7, "opponent_score": 3})
    found = told()
    page = f"/tracker/games/{game.id}/"
    address = f"/api/v1/tracker/games/{game.id}"
    assert found == [("game.final", {"id": game.id, "teamId": team.id, "address": address, "page": page})]
    assert "Rivertown Rockets" in sign_in(Client(), "member").get(page).content.decode()


def test_a_change_that_is_handled_twice_is_told_once(register, receiver):
    made = register("/one"), register("/other")
    published = article("Derby", published=True, publish_at=now())
    change = Change(News.Meta.table_name, "INSERT", "1", now(), None, published.serialize())
    for _time in range(2):
        services.queue(kinds()["news.published"], change)
    assert [len(repository.due(each.webhook.id, now()).items) for each in made] == [1, 1]


def test_a_webhook_is_told_what_it_asked_for_only_and_nothing_while_it_is_paused(register, receiver):
    follow()
    register("/news", kinds=["news.published"])
    register("/games", kinds=["game.final"])
    paused = register("/paused", kinds=["news.published"])
    services.pause(CAST["admin"], paused.webhook.id)
    article("Derby", published=True, publish_at=now())
    follow()
    assert [told.path for told in receiver.told] == ["/news"]
    assert repository.delivered(paused.webhook.id).items == []
    services.resume(CAST["admin"], paused.webhook.id)
    follow()
    assert [told.path for told in receiver.told] == ["/news"]
    assert isinstance(news.by_date().items[0], News)
