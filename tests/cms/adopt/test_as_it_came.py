"""What of the original is here before it is adopted, and what follows it afterwards."""

import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from cms.members.repository import members
from cms.news.repository import news
from core.dynamo import guards, references, working_copies
from core.dynamo.streams import failures, source
from tests.cast import sign_in
from tests.cms.adopt.document import COUNTS, OtherProgram, article, event, key_of, member, team
from tests.cms.adopt.test_document import adopt, adopted, keys_of, listed
from tests.core.crud.pages import open_form
from tests.core.dynamo.found import titles

PUBLISHED, DRAFT = key_of("vcm-news", 1), key_of("vcm-news", 0)
ADDRESS = f"/cms/news/{PUBLISHED}/"
TURNS = 8


@pytest.fixture
def admin(other: OtherProgram) -> Client:
    return sign_in(Client(), "admin")


def drafts(table: str, make: Any) -> set[str]:
    items = [make(number) for number in range(COUNTS[table])]
    return {item["id"]["S"] for item in items if item["status"] == {"S": "draft"}}


def test_the_website_shows_at_once_what_the_original_has_published(
    client: Client, other: OtherProgram
) -> None:
    slug = article(1)["slug"]["S"]
    assert client.get(f"/news/{slug}/").status_code == 200
    assert article(59)["title"]["S"] in client.get("/news/").content.decode()
    assert team(1)["name"]["S"] in client.get("/teams/").content.decode()
    assert client.get(f"/events/{event(29)['slug']['S']}/").status_code == 200
    for page in (
        "/",
        "/dates/",
        "/club/people/",
        "/sponsors/",
        "/dates/past/",
        "/feeds/news.rss",
        "/sitemap.xml",
    ):
        assert client.get(page).status_code == 200


def test_the_lists_of_a_status_have_all_at_once_and_the_others_after_an_adoption(admin: Client) -> None:
    assert set(listed(admin, "/cms/news/")) == set()
    drafted = {row.key for row in admin.get("/cms/news/?status=draft&limit=100").context["rows"]}
    assert drafted == drafts("vcm-news", article)

    adopt()

    assert set(listed(admin, "/cms/news/")) == keys_of("vcm-news")


def test_an_article_keeps_its_date_and_its_authors(admin: Client, other: OtherProgram) -> None:
    open_form(admin, ADDRESS).fill(title="Neuer Titel").send("publish")
    draft = open_form(admin, f"/cms/news/{DRAFT}/")
    assert draft["publish_at"] == "2025-01-01T19:05"
    draft.fill(title="Noch einer").send("publish")

    for key, number in ((PUBLISHED, 1), (DRAFT, 0)):
        stored = other.get("vcm-news", key)
        assert stored["publishedDate"] == article(number)["publishedDate"]
        assert stored["authorIds"] == article(number)["authorIds"]


def test_a_draft_is_taken_back_and_published_again_on_its_date(admin: Client, other: OtherProgram) -> None:
    admin.post(f"{ADDRESS}unpublish", {"version": "0", "copy_version": "0"})
    assert other.get("vcm-news", PUBLISHED)["status"] == {"S": "draft"}
    admin.post(f"{ADDRESS}republish", {"version": "1", "copy_version": "0"})
    stored = other.get("vcm-news", PUBLISHED)
    assert (stored["status"], stored["publishedDate"]) == ({"S": "published"}, article(1)["publishedDate"])


def test_a_form_is_kept_while_it_is_typed_and_its_unchanged_copy_is_none(admin: Client) -> None:
    form = open_form(admin, ADDRESS)
    assert form.send(to="autosave", htmx=True).status_code == 200
    assert working_copies.get("news", PUBLISHED) is None

    assert form.fill(title="Halb fertig").send(to="autosave", htmx=True).status_code == 200
    assert open_form(admin, ADDRESS)["title"] == "Halb fertig"
    adopt()
    assert open_form(admin, ADDRESS)["title"] == "Halb fertig"

    assert open_form(admin, ADDRESS).send("publish").status_code == 302
    assert news.get(PUBLISHED, strong=True).title == "Halb fertig"
    assert working_copies.get("news", PUBLISHED) is None


def test_of_a_new_record_there_is_still_a_copy_without_a_record(admin: Client) -> None:
    form = open_form(admin, "/cms/news/new").fill(title="Ganz neu")
    assert form.send(to="autosave", htmx=True).status_code == 200
    assert open_form(admin, form.action)["title"] == "Ganz neu"


def test_a_form_that_was_open_while_it_was_adopted_is_saved(admin: Client) -> None:
    form = open_form(admin, ADDRESS).fill(title="Neuer Titel")
    adopt()

    assert form.send("publish").status_code == 302
    assert news.get(PUBLISHED, strong=True).title == "Neuer Titel"


def test_a_form_that_another_editor_has_overtaken_is_compared(admin: Client) -> None:
    form = open_form(admin, ADDRESS).fill(title="Mein Titel")
    open_form(sign_in(Client(), "moderator"), ADDRESS).fill(title="Dein Titel").send("publish")

    answer = form.send("publish")
    assert answer.status_code == 409
    assert "Dein Titel" in answer.content.decode()


def test_what_was_deleted_meanwhile_is_told_with_all_that_was_typed(admin: Client) -> None:
    form = open_form(admin, ADDRESS).fill(title="Neuer Titel")
    admin.post(f"{ADDRESS}delete", {"version": "0"})

    answer = form.send("publish")
    assert answer.status_code == 409
    assert "Neuer Titel" in answer.content.decode()


# --- What the original writes later ------------------------------------------------------------------------


def follow() -> None:
    call_command("streams", "--once")
    assert list(failures.failed(source.streamed_tables())) == []


@adopted
def test_what_it_writes_later_comes_in_by_the_streams(admin: Client, other: OtherProgram) -> None:
    other.put("vcm-news", article(60))
    other.put("vcm-members", member(30))
    follow()

    assert key_of("vcm-news", 60) in set(listed(admin, "/cms/news/"))
    assert key_of("vcm-members", 30) in set(listed(admin, "/cms/members/"))
    assert titles("060") == ["Spieltag 060: Müllheim gegen Gäste 060"]


@adopted
def test_what_it_changes_later_is_followed(admin: Client, other: OtherProgram) -> None:
    picture = key_of("vcm-media", 29)
    changes = {
        "title": {"S": "Umbenannt"},
        "slug": {"S": "umbenannt"},
        "publishedDate": {"S": "2025-09-09T09:09:09.999Z"},
        "imageIds": {"L": [{"S": picture}]},
        "updatedAt": {"S": "2026-02-02T02:02:02.000Z"},
    }
    other.change("vcm-news", PUBLISHED, **changes)
    other.change(
        "vcm-members", key_of("vcm-members", 3), name={"S": "Zora Neu"}, updatedAt=changes["updatedAt"]
    )
    follow()

    assert titles("umbenannt") == ["Umbenannt"]
    assert PUBLISHED in {row.key for row in references.used_in("media", picture, limit=100).items}
    assert guards.owners_of("news", "slug", ["umbenannt"]) == {"umbenannt": PUBLISHED}
    assert [found.id for found in members.by_name(limit=100).items][-1] == key_of("vcm-members", 3)
    open_form(admin, ADDRESS).fill(tags="x").send("publish")
    assert other.get("vcm-news", PUBLISHED)["publishedDate"] == changes["publishedDate"]


@adopted
def test_a_form_that_was_open_while_the_original_saved_is_compared(
    admin: Client, other: OtherProgram
) -> None:
    form = open_form(admin, ADDRESS).fill(title="Mein Titel")
    later = {"S": "2026-02-02T02:02:02.000Z"}
    other.change("vcm-news", PUBLISHED, title={"S": "Titel des Originals"}, updatedAt=later)
    follow()

    answer = form.send("publish")

    assert answer.status_code == 409
    assert "Titel des Originals" in answer.content.decode()
    assert "Another program" in answer.content.decode()
    assert other.get("vcm-news", PUBLISHED)["title"] == {"S": "Titel des Originals"}


@adopted
def test_what_it_deletes_leaves_nothing_behind(admin: Client, other: OtherProgram) -> None:
    other.delete("vcm-members", key_of("vcm-members", 3))
    follow()

    assert "Änne Mitglied 003" not in titles("003")
    assert guards.owners_of("member", "name", ["anne mitglied 003"]) == {}


def test_both_programs_write_at_once(admin: Client, other: OtherProgram) -> None:
    """It goes on saving its articles while they are adopted, and the streams are read afterwards."""

    def save() -> None:
        for turn in range(TURNS):
            for number in range(8):
                other.put("vcm-news", article(number) | {"title": {"S": f"Fassung {turn}"}})

    saving = threading.Thread(target=save)
    saving.start()
    while saving.is_alive():
        adopt()
    saving.join()
    follow()
    adopt()

    for number in range(8):
        stored = other.get("vcm-news", key_of("vcm-news", number))
        assert stored["title"] == {"S": f"Fassung {TURNS - 1}"}
        assert "version" in stored
    call_command("guards", "repair", stdout=StringIO())
    told = StringIO()
    call_command("guards", "repair", "--dry-run", stdout=told)
    assert told.getvalue().startswith(
        "0 unique values would be released, 0 references would be removed, 0 counts"
    )
