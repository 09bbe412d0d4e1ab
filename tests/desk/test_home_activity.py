"""Recent activity on Home: what people did, what one did in one go as one line, and only what one may see."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import history, metering, transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from desk.activity import MOST_READ, MOST_SHOWN
from tests.cast import CAST
from tests.desk.home import AsRole, article, happened, keep, text_of

ODILE, MORITZ, AMARA = (CAST[role].actor for role in ("official", "moderator", "admin"))


def enter(
    label: str,
    at: datetime | None = None,
    *,
    by: Actor = ODILE,
    verb: str = "update",
    scope: str = "cms",
    entity: str = "role",
    key: str = "",
) -> None:
    """An entry of the history. Its record is gone: those of roles are shown to members all the same."""
    entry = history.entry(
        entity=entity,
        key=key or new_id(),
        scope=scope,
        label=label,
        verb=verb,
        actor=by,
        at=at or now(),
        fields=[],
        before={},
    )
    transactions.send(entry)


def test_what_people_did_is_a_sentence_with_links_to_what_exists(as_role: AsRole, odile: Actor) -> None:
    kept, gone = article(odile, "Herbstturnier"), article(odile, "Old <b>news</b>")
    news.update(kept, {"status": "published"}, actor=MORITZ, verb="publish")
    news.delete(gone, actor=odile)
    client = as_role("official")

    assert happened(client) == [
        "Odile Brandt deleted “Old <b>news</b>”",
        "Moritz Feldkamp published “Herbstturnier”",
        "Odile Brandt created “Herbstturnier”",
    ]
    response = client.get("/desk/activity")
    page = response.content.decode()
    link = f'<a href="/cms/news/{kept.id}/">“Herbstturnier”</a>'
    assert f"<strong>Moritz Feldkamp</strong> published {link}" in page
    assert "MFMoritz Feldkamp published “Herbstturnier” article · just now" in text_of(response)
    assert gone.id not in page
    assert "<b>news</b>" not in page


def test_the_system_imports_and_examples_are_left_out(as_role: AsRole, odile: Actor) -> None:
    article(SYSTEM, "Imported")
    article(odile, "Written")

    assert happened(as_role("official")) == ["Odile Brandt created “Written”"]


def test_all_scopes_of_somebody_are_one_list(as_role: AsRole) -> None:
    enter("Trainer", now() - timedelta(hours=2))
    enter("Netz", now() - timedelta(hours=1), scope="quests", entity="quest", verb="offer")
    enter("Ada Lind", scope="admin", entity="user", verb="invite", by=AMARA)

    assert happened(as_role("admin")) == [
        "Amara Lindqvist invited “Ada Lind”",
        "Odile Brandt changed “Netz”",
        "Odile Brandt changed “Trainer”",
    ]


# --- Grouping ----------------------------------------------------------------------------------------------


def test_of_several_changes_of_a_record_the_most_telling_is_shown(as_role: AsRole, odile: Actor) -> None:
    record = article(odile, "One")
    for title in ("Two", "Three"):
        record = news.update(record, {"title": title}, actor=odile)
    record = news.update(record, {"status": "published"}, actor=odile, verb="publish")
    news.update(record, {"title": "Four"}, actor=odile)
    article(odile, "Other")

    assert happened(as_role("official")) == [
        "Odile Brandt created “Other”",
        "Odile Brandt published “Three”",
    ]


@pytest.mark.parametrize(
    ("count", "what", "kind"),
    [
        (1, "“Number 0”", "role"),
        (2, "“Number 1” and “Number 0”", "Roles"),
        (3, "“Number 2”, “Number 1” and 1 other", "Roles"),
        (30, "“Number 29”, “Number 28” and 28 others", "Roles"),
    ],
)
def test_what_one_person_did_to_many_records_is_one_line(
    as_role: AsRole, count: int, what: str, kind: str
) -> None:
    noon = datetime.now(UTC).replace(hour=11, minute=0)
    for number in range(count):
        enter(f"Number {number}", noon + timedelta(seconds=number), verb="create")
    client = as_role("member")

    assert happened(client) == [f"Odile Brandt created {what}"]
    assert f"{what} {kind} ·" in text_of(client.get("/desk/activity"))


def test_other_people_days_verbs_and_kinds_are_other_lines(as_role: AsRole) -> None:
    at = datetime.now(UTC).replace(hour=11, minute=0)
    enter("A", at)
    enter("B", at - timedelta(minutes=1), by=MORITZ)
    enter("C", at - timedelta(minutes=2))
    enter("D", at - timedelta(minutes=3), verb="create")
    enter("E", at - timedelta(minutes=4), entity="quest", scope="quests")
    enter("F", at - timedelta(days=1))

    assert happened(as_role("member")) == [
        "Odile Brandt changed “A” and “C”",
        "Moritz Feldkamp changed “B”",
        "Odile Brandt created “D”",
        "Odile Brandt changed “E”",
        "Odile Brandt changed “F”",
    ]


def test_the_list_ends_after_a_few_lines(as_role: AsRole) -> None:
    for number in range(MOST_SHOWN + 3):
        enter(f"Number {number}", by=Actor(f"sub-{number}", f"Person {number}"))

    assert len(happened(as_role("member"))) == MOST_SHOWN == 8


# --- Rights ------------------------------------------------------------------------------------------------


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
    enter("Ada Lind", scope="admin", entity="user")
    keep(odile, record.id, "Herbstturnier, changed", based_on=1)
    client = as_role(role)

    expected = [f"Odile Brandt created {what}" for what in told]
    assert [line for line in happened(client) if "Ada" not in line] == expected
    assert ("Ada Lind" in text_of(client.get("/desk/activity"))) is (role == "admin")


def test_a_guest_has_none(as_role: AsRole) -> None:
    enter("Trainer")
    client = as_role("guest")

    assert happened(client) == []
    assert "Recent activity" not in client.get("/desk/").content.decode()


def test_htmx_gets_only_the_list(as_role: AsRole) -> None:
    page = as_role("admin").get("/desk/activity", headers={"HX-Request": "true"}).content.decode()

    assert page.strip().startswith('<div id="activity"')
    assert "No activity yet. What people change appears here." in page


# --- What it costs -----------------------------------------------------------------------------------------


def test_a_young_month_also_shows_the_month_before(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2027, 1, 1, 0, 30, tzinfo=UTC))
    enter("January", datetime(2027, 1, 1, 0, 10, tzinfo=UTC))
    enter("December", datetime(2026, 12, 30, 23, 50, tzinfo=UTC))
    enter("November", datetime(2026, 11, 30, tzinfo=UTC))

    assert happened(as_role("member")) == [
        "Odile Brandt changed “January”",
        "Odile Brandt changed “December”",
    ]


def test_of_a_month_with_more_than_is_read_the_month_before_is_not(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2027, 1, 31, tzinfo=UTC))
    for number in range(MOST_READ):
        enter(f"Not for members {number}", datetime(2027, 1, 30, tzinfo=UTC), entity="news")
    enter("December", datetime(2026, 12, 31, tzinfo=UTC))
    client = as_role("member")

    with metering.metered() as meter:
        assert happened(client) == []

    assert meter.operations == ["GetItem", "Query", "Query"]


@pytest.mark.parametrize("role", CAST)
def test_no_role_costs_more_than_six_requests(as_role: AsRole, odile: Actor, role: str) -> None:
    for number in range(20):
        article(odile, f"Article {number}")
    enter("Ada Lind", scope="admin", entity="user")
    enter("Netz", scope="quests", entity="quest")
    client: Client = as_role(role)

    with metering.metered() as meter:
        assert client.get("/desk/activity").status_code == 200

    assert meter.requests <= 6
