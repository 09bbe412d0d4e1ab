"""An event as readers see it, and the preview of it: published only, no session, two reads."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client

from cms.events.models import Event
from cms.events.repository import events
from core.dynamo import metering, transactions
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.occasions import SUMMER, address_of, event, filled
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")
PLACE = {"name": "Mühlenhalle", "street": "Am Bach 3", "postalCode": 1067, "city": "Dresden"}


def shown(page: str) -> str:
    return re.search(r'<article class="article">.*</article>', page, re.DOTALL)[0]


def test_it_shows_when_where_and_what(client) -> None:
    event(
        "Fest & <b>mehr</b>",
        end_date=SUMMER + timedelta(hours=7),
        address=PLACE,
        variant="Party",
        text="Bring cake.",
    )

    page = client.get("/events/fest-b-mehr-b/").content.decode()

    assert "<title>Fest &amp; &lt;b&gt;mehr&lt;/b&gt; · Fieldhouse</title>" in page
    assert '<time datetime="2026-07-04T15:00:00+02:00">4 July 2026, 15:00</time>' in page
    assert '<time datetime="2026-07-04T22:00:00+02:00">22:00</time>' in page
    assert "Mühlenhalle, Am Bach 3, 01067 Dresden" in page
    assert "<p>Bring cake.</p>" in page
    assert "<script" not in page
    assert "/cms/" not in page


@pytest.mark.parametrize(
    ("start", "end", "badge"),
    [
        (timedelta(days=1), None, "Upcoming"),
        (timedelta(hours=-1), None, "Going on now"),
        (timedelta(days=-3), timedelta(days=1), "Going on now"),
        (timedelta(hours=-3), None, "Past"),
    ],
)
def test_it_says_whether_it_is_upcoming_going_on_or_past(client, start, end, badge: str) -> None:
    event(start_date=now() + start, end_date=now() + end if end else None)

    page = client.get("/events/summer-party/").content.decode()

    assert re.findall(r'class="badge status \w+">([^<]*)<', page) == [badge]


def test_only_what_is_published_is_shown(client) -> None:
    event("Draft", published=False)
    event("Shown")
    archived = event("Archived")
    sign_in(Client(), "official").post(address_of(archived, "archive"), {"version": "1"})

    answers = {
        slug: client.get(f"/events/{slug}/").status_code for slug in ("draft", "shown", "archived", "nothing")
    }
    assert answers == {"draft": 404, "shown": 200, "archived": 404, "nothing": 404}


def test_what_an_index_still_shows_after_it_was_unpublished_is_not_found(client, monkeypatch) -> None:
    item = event()
    stale = events.at_slug("summer-party")
    events.update(item, {"status": "draft"}, actor=SYSTEM)
    monkeypatch.setattr(events, "at_slug", lambda _slug: stale)

    assert client.get("/events/summer-party/").status_code == 404


def test_what_another_program_published_without_a_date_is_not_found(client) -> None:
    raw = {"id": "foreign", "title": "Import", "slug": "import", "status": "published"}
    transactions.commit(transactions.put_raw(Event, {name: {"S": value} for name, value in raw.items()}))

    assert client.get("/events/import/").status_code == 404


def test_an_earlier_address_leads_to_the_new_one(client) -> None:
    item = event()
    events.update(item, {"slug": "winter-party"}, actor=SYSTEM)

    answer = client.get("/events/summer-party/")

    assert (answer.status_code, answer["Location"]) == (301, "/events/winter-party/")


@pytest.mark.parametrize("role", ["stranger", "admin"])
def test_reading_asks_no_session_and_costs_two_reads(client, role: str) -> None:
    sign_in(client, role)
    event()

    with metering.metered() as meter:
        answer = client.get("/events/summer-party/")

    assert meter.operations == ["Query", "BatchGetItem"]
    assert answer["Cache-Control"] == "public, max-age=60"
    assert "Cookie" not in answer.get("Vary", "")
    assert settings.SESSION_COOKIE_NAME not in answer.cookies


def test_text_that_should_never_have_been_stored_is_inert(client) -> None:
    link = {"type": "link", "attrs": {"href": "javascript:alert(1)"}}
    hostile = {"type": "text", "text": "<script>alert(1)</script>", "marks": [link]}
    document = {"type": "doc", "content": [{"type": "paragraph", "content": [hostile]}]}
    event(description=document, address={"name": "<img src=x>"}, variant="<script>")

    page = client.get("/events/summer-party/").content.decode()

    assert "javascript:" not in page
    assert "<img src=x>" not in page
    assert "<script" not in page


def test_the_preview_shows_what_readers_see(as_role) -> None:
    item = event(address=PLACE, text="Bring cake.")
    readers = shown(Client().get("/events/summer-party/").content.decode())

    assert shown(as_role("official").get(address_of(item, "preview")).content.decode()) == readers


def test_the_preview_shows_drafts_without_a_date_and_changes_that_wait(as_role) -> None:
    client = as_role("official")
    form = filled(client, title="Only typed", start_date="")
    form.send("preview")
    assert "Date to be announced." in shown(client.get(form.action + "preview").content.decode())

    item = event()
    open_form(client, address_of(item)).fill(address__name="Elsewhere").send()
    assert "Elsewhere" in shown(client.get(address_of(item, "preview")).content.decode())
    assert "Elsewhere" not in Client().get("/events/summer-party/").content.decode()
