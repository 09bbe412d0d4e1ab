"""The first page: what happened lately in the scopes of a person."""

from datetime import UTC, datetime

import pytest

from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import history, metering, transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from desk.activity import MOST_READ
from tests.cast import CAST
from tests.desk.home import AsRole, article, happened, keep, text_of


def enter(label: str, at: datetime, *, scope: str = "cms", entity: str = "role") -> None:
    entry = history.entry(
        entity=entity,
        key=new_id(),
        scope=scope,
        label=label,
        verb="update",
        actor=SYSTEM,
        at=at,
        fields=[],
        before={},
    )
    transactions.send(entry)


def test_what_happened_is_told_in_words_with_a_link_to_what_exists(as_role: AsRole, odile: Actor) -> None:
    kept, gone = article(odile, "Herbstturnier"), article(odile, "Old <b>news</b>")
    news.update(kept, {"status": "published"}, actor=CAST["moderator"].actor, verb="publish")
    news.delete(gone, actor=odile)

    response = as_role("official").get("/desk/")

    assert happened(response) == [
        "Odile Brandt deleted “Old <b>news</b>”",
        "Moritz Feldkamp published “Herbstturnier”",
        "Odile Brandt created “Old <b>news</b>”",
        "Odile Brandt created “Herbstturnier”",
    ]
    page = response.content.decode()
    link = f'<a class="row-link" href="/cms/news/{kept.id}/">“Herbstturnier”</a>'
    assert page.count(f'published {link} <span class="quiet">article</span>') == 1
    assert gone.id not in page
    assert "<b>news</b>" not in page


def test_saving_again_and_again_is_one_thing_that_happened(as_role: AsRole, odile: Actor) -> None:
    record = article(odile, "One")
    for title in ("Two", "Three", "Four"):
        record = news.update(record, {"title": title}, actor=odile)

    assert happened(as_role("official").get("/desk/")) == [
        "Odile Brandt changed “Four”",
        "Odile Brandt created “One”",
    ]


@pytest.mark.parametrize(
    ("role", "told"),
    [
        ("admin", ["“Trainer”", "“Herbstturnier”"]),
        ("official", ["“Trainer”", "“Herbstturnier”"]),
        ("steward", ["“Trainer”"]),
        ("member", ["“Trainer”"]),
    ],
)
def test_people_are_told_only_of_what_they_may_see(
    as_role: AsRole, odile: Actor, role: str, told: list[str]
) -> None:
    record = article(odile, "Herbstturnier")
    roles.create(Role(name="Trainer"), actor=odile)
    enter("Ada Lind", now(), scope="admin", entity="user")
    keep(odile, record.id, "Herbstturnier, changed", based_on=1)

    response = as_role(role).get("/desk/")

    assert happened(response) == [f"Odile Brandt created {what}" for what in told]
    assert "Ada Lind" not in text_of(response)
    assert ("Herbstturnier" in response.content.decode()) is (len(told) > 1)


def test_only_administrators_have_the_tab_of_the_administration(as_role: AsRole, odile: Actor) -> None:
    enter("Ada Lind", now(), scope="admin", entity="user")

    response = as_role("admin").get("/desk/?scope=admin")
    assert [scope for scope, _title in response.context["scopes"]] == ["cms", "quests", "admin"]
    assert happened(response) == ["Fieldhouse changed “Ada Lind”"]
    for role in ("moderator", "member"):
        response = as_role(role).get("/desk/?scope=admin")
        assert [scope for scope, _title in response.context["scopes"]] == ["cms", "quests"]
        assert happened(response) == []
        assert "Ada Lind" not in response.content.decode()


def test_an_unknown_scope_is_the_first_one(as_role: AsRole, odile: Actor) -> None:
    article(odile, "Herbstturnier")

    for scope in ("nobody", "x" * 10_000, "people", "cms#2026"):
        response = as_role("official").get("/desk/", {"scope": scope})
        assert response.context["scope"] == "cms"
        assert happened(response) == ["Odile Brandt created “Herbstturnier”"]


def test_htmx_replaces_only_what_happened(as_role: AsRole) -> None:
    page = as_role("admin").get("/desk/?scope=admin", headers={"HX-Request": "true"}).content.decode()

    assert page.strip().startswith('<section id="activity"')
    assert "To do" not in page


def test_a_young_month_also_shows_the_month_before(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2027, 1, 1, 0, 30, tzinfo=UTC))
    enter("January", datetime(2027, 1, 1, 0, 10, tzinfo=UTC))
    enter("December", datetime(2026, 12, 31, 23, 50, tzinfo=UTC))
    enter("November", datetime(2026, 11, 30, tzinfo=UTC))

    assert happened(as_role("member").get("/desk/")) == [
        "Fieldhouse changed “January”",
        "Fieldhouse changed “December”",
    ]


def test_of_a_month_with_more_than_is_looked_through_the_month_before_is_not_read(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2027, 1, 31, tzinfo=UTC))
    for number in range(MOST_READ + 1):
        enter(f"Not for members {number}", datetime(2027, 1, 30, tzinfo=UTC), entity="news")
    enter("December", datetime(2026, 12, 31, tzinfo=UTC))
    client = as_role("member")

    with metering.metered() as meter:
        response = client.get("/desk/")

    assert happened(response) == []
    assert meter.operations == ["GetItem", "Query", "Query", "Query"]
