"""The editor's day on a phone: a photo into the news, an event, another hall for a team, a sponsor's end.

Everything is real: the login pages, the bucket, DynamoDB, fingers on glass. A reader looks on from a phone
of his own.
"""

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.utils.timezone import localdate
from playwright.sync_api import Locator, Page, expect

from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from config.engines.provision import provision_user_pool
from core.accounts import cast
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.browser.conftest import OpenPage
from tests.browser.files import a_photo, expect_in
from tests.browser.signing_in import fill_in, use_user_pool
from tests.cms.club import make_location, make_sponsor, make_team, training
from tests.media_bucket import Bucket

Accessible = Callable[[Page], None]

MORITZ = next(person for person in cast.CAST if person.group == "moderator")
PICTURE_SHOWS = "Jubel am Netz"
BEFORE = "Tuesdays 18:00\N{EN DASH}20:00: Mühlenhalle"
AFTER = "Thursdays 20:00\N{EN DASH}22:00: Rebberghalle"


@pytest.fixture
def editor(phone: Page, files: Bucket, live_server: object, settings: Any) -> Page:
    """Moritz, a moderator, who has signed in with his password."""
    endpoint = files.engine.endpoint
    pool = provision_user_pool(endpoint, settings.AWS_REGION, str(live_server))
    use_user_pool(settings, endpoint, pool.pool_id, pool.client_id)
    phone.goto("/desk/")
    fill_in(phone, MORITZ)
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Moritz")
    return phone


@pytest.fixture
def reader(open_page: OpenPage) -> Page:
    """Somebody who is not signed in."""
    return open_page("phone", "light")


def from_the_menu(page: Page, title: str, *, group: str = "") -> None:
    page.locator("#open-menu").tap()
    menu = page.locator("#menu")
    if group and not menu.get_by_role("list", name=group).is_visible():
        menu.get_by_text(group, exact=True).tap()
    menu.get_by_role("link", name=title, exact=True).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def publish(page: Page) -> None:
    page.locator("#publish").tap()
    expect(page.locator("#toasts")).to_contain_text("Published.")


def local(moment: datetime) -> str:
    """As a phone's date and time picker writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M")


def pictures_of(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("img", name=PICTURE_SHOWS)


@pytest.mark.journey
def test_the_editors_day(editor: Page, reader: Page, assert_accessible: Accessible) -> None:
    old_hall = make_location("Mühlenhalle")
    make_location("Rebberghalle")
    make_team("Herren 1", status="published", schedules=[training(old_hall, "dienstags")])
    bakery = make_sponsor("Bäckerei Kornblum", website="https://kornblum.example")
    make_sponsor("Stadtwerke")

    a_photo_becomes_news(editor, reader, assert_accessible)
    an_event_is_announced(editor, reader, assert_accessible)
    a_team_trains_elsewhere(editor, reader, assert_accessible)
    a_sponsor_ends(editor, reader, assert_accessible, bakery)


def a_photo_becomes_news(page: Page, reader: Page, assert_accessible: Accessible) -> None:
    from_the_menu(page, "News", group="Website")
    page.locator("#new").tap()
    page.get_by_role("textbox", name="Title", exact=True).fill("Derby gewonnen")
    text = page.get_by_role("textbox", name=re.compile("^Content"))
    # Until the editor is there, a plain field stands in its place.
    expect(text).to_have_attribute("contenteditable", "true")
    text.tap()
    page.keyboard.type("Fünf Sätze, zwei Stunden.")

    camera = page.get_by_label("Take a photo")
    expect(camera).to_have_attribute("capture", "environment")
    camera.set_input_files(a_photo("IMG_0001.jpg", size=(1600, 1200)))
    page.get_by_label("What does the picture show?").fill(PICTURE_SHOWS)
    page.keyboard.press("Enter")
    expect_in(page.locator(".upload"), "Saved.")
    page.get_by_role("button", name="Picture", exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name="IMG_0001.jpg").tap()
    expect(text.get_by_role("img", name=PICTURE_SHOWS)).to_be_visible()
    assert_accessible(page)
    publish(page)

    reader.goto("/")
    reader.get_by_role("link", name="Derby gewonnen").first.tap()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Derby gewonnen")
    expect(reader.get_by_text("Fünf Sätze, zwei Stunden.")).to_be_visible()
    # The cover, and the one within the text; both have come from the bucket.
    expect(pictures_of(reader)).to_have_count(2)
    for number in range(2):
        pictures_of(reader).nth(number).scroll_into_view_if_needed()
        expect(pictures_of(reader).nth(number)).not_to_have_js_property("naturalWidth", 0)
    assert_accessible(reader)


def an_event_is_announced(page: Page, reader: Page, assert_accessible: Accessible) -> None:
    morning = datetime.combine(localdate(), time(10))
    from_the_menu(page, "Events", group="Website")
    page.locator("#new").tap()
    page.get_by_role("textbox", name="Title", exact=True).fill("Sommerturnier")
    page.get_by_label("Starts").fill(local(morning))
    page.get_by_label("Ends").fill(local(morning + timedelta(days=1, hours=12)))
    page.get_by_role("textbox", name=re.compile("^Place")).fill("Mühlenhalle")
    assert_accessible(page)
    publish(page)

    from_the_menu(page, "Calendar")
    expect(page.locator("#today").get_by_role("link", name="Sommerturnier")).to_be_visible()
    assert_accessible(page)
    reader.get_by_role("link", name="Dates", exact=True).tap()
    reader.get_by_role("link", name="Sommerturnier").tap()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Sommerturnier")
    expect(reader.get_by_text("Mühlenhalle")).to_be_visible()
    assert_accessible(reader)


def a_team_trains_elsewhere(page: Page, reader: Page, assert_accessible: Accessible) -> None:
    reader.get_by_role("link", name="Teams", exact=True).tap()
    reader.get_by_role("link", name="Herren 1").tap()
    trainings = reader.locator("#trainings li")
    expect(trainings).to_have_text([BEFORE])

    from_the_menu(page, "Teams", group="Club")
    page.get_by_role("link", name="Herren 1").tap()
    row = page.get_by_role("group", name="Training 1", exact=True)
    row.get_by_label("Tuesdays").uncheck()
    row.get_by_label("Thursdays").check()
    row.get_by_label("From").fill("20:00")
    row.get_by_label("To", exact=True).fill("22:00")
    row.get_by_role("button", name="Remove: Mühlenhalle").tap()
    row.get_by_role("combobox", name="Place").press_sequentially("reb")
    row.get_by_role("option", name="Rebberghalle").tap()
    assert_accessible(page)

    page.locator("#save").tap()
    expect(page.locator("#record-head")).to_contain_text("Changed")
    reader.reload()
    expect(trainings).to_have_text([BEFORE])
    publish(page)
    reader.reload()
    expect(trainings).to_have_text([AFTER])


def a_sponsor_ends(page: Page, reader: Page, assert_accessible: Accessible, bakery: Sponsor) -> None:
    reader.get_by_role("link", name="Sponsors", exact=True).tap()
    shown = reader.locator("#sponsors > li")
    expect(shown).to_have_text([re.compile("Bäckerei Kornblum"), re.compile("Stadtwerke")])

    from_the_menu(page, "Sponsors", group="Website")
    page.get_by_role("link", name="Bäckerei Kornblum").tap()
    page.get_by_label("Shown until").fill(local(datetime.now() - timedelta(days=1)))
    page.locator("#save").tap()
    expect(page.locator("#id_expiry_timestamp_error")).to_contain_text("This time is in the past.")
    page.get_by_label("Shown until").fill(local(datetime.now() + timedelta(days=1)))
    assert_accessible(page)
    page.locator("#save").tap()
    expect(page.locator("#toasts")).to_contain_text("Saved.")
    expect(page.locator("#record-head")).to_contain_text("Ends soon")

    the_day_is_over = {"expiry_timestamp": now() - timedelta(seconds=1)}
    sponsors.update(sponsors.get(bakery.id, strong=True), the_day_is_over, actor=SYSTEM)
    reader.reload()
    expect(shown).to_have_text([re.compile("Stadtwerke")])
    from_the_menu(page, "Sponsors", group="Website")
    expect(page.get_by_role("row", name=re.compile("Bäckerei Kornblum"))).to_contain_text("Expired")
