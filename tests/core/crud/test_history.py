"""The history of a record: who changed what, field by field, and who may read it."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts import directory
from core.accounts.rights import ADMIN, RIGHTS, Right, is_author
from core.content.richtext import from_plain_text
from core.crud.display import display_value, names_in
from core.crud.fields import PickerField
from core.dynamo import history, metering
from core.dynamo.actors import Actor
from tests.cast import CAST, sign_in
from tests.cms.articles import address_of, article

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]


def words_of(page: HttpResponse) -> str:
    """The text of a page as somebody hears it."""
    assert page.status_code == 200
    main = page.content.decode().split("<main")[-1].split("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", "<main" + main)).split())


def version_address(entity: str, key: str, place: int, address: str) -> str:
    """The page of one entry, counted from the newest."""
    entry = history.entries(entity, key).items[place]
    return f"{address}version?entry={entry.entry_id.replace('#', '%23')}"


def diff(client: Client, role: Role, place: int = 0) -> str:
    return words_of(client.get(version_address("role", role.id, place, f"/cms/roles/{role.id}/")))


def test_entries_say_who_did_what_and_when_the_newest_first(
    as_role: AsRole, alice: Actor, bob: Actor
) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    roles.update(role, {"name": "Coach", "vorstand": True}, actor=bob)

    text = words_of(as_role("member").get(f"/cms/roles/{role.id}/history"))

    assert text.index("Bob Brandt changed it : Name, Part of the board".replace(" :", ":")) < text.index(
        "Alice Ahrens created it"
    )


def test_an_entry_opens_to_its_difference(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    roles.update(role, {"name": "Coach"}, actor=alice)
    client = as_role("member")

    assert "Name Before: Trainer After: Coach" in diff(client, role)
    assert "Part of the board" not in diff(client, role)
    assert "Name After: Trainer Part of the board After: No" in diff(client, role, place=1)


def test_with_htmx_only_the_difference_is_sent(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    address = version_address("role", role.id, 0, f"/cms/roles/{role.id}/")

    part = as_role("member").get(address, headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in part
    assert '<dl class="changes">' in part


def test_a_long_text_is_compared_word_by_word(as_role: AsRole) -> None:
    item = article(text="Two hours and four sets. " * 5)
    changed = from_plain_text("Two hours and four sets. " * 4 + "Two hours and five sets.")
    news.update(item, {"content": changed}, actor=CAST["official"].actor)

    page = as_role("official").get(version_address("news", item.id, 0, address_of(item)))

    text = words_of(page)
    assert "Two hours and removed: four added: five sets." in text
    assert '<del><span class="visually-hidden">removed: </span>four </del>' in page.content.decode()


def test_what_is_in_no_form_has_a_readable_title_and_what_is_internal_is_hidden(as_role: AsRole) -> None:
    item = article(published=True)

    text = words_of(as_role("official").get(version_address("news", item.id, 0, address_of(item))))

    assert "Status After: Published" in text
    assert "Web address After: derby" in text
    assert "entity" not in text.lower()
    assert item.id not in text


def test_people_are_shown_by_name_with_one_request(as_role: AsRole) -> None:
    for role in ("official", "moderator"):
        user = CAST[role]
        directory.enter(user.sub, name=user.name, email=user.email, actor=user.actor)
    item = article(by="official")
    news.update(item, {"author_ids": ["moderator-sub"]}, actor=CAST["official"].actor)
    client, address = as_role("official"), version_address("news", item.id, 0, address_of(item))

    with metering.metered() as meter:
        page = client.get(address)

    assert "Authors Removed: Odile Brandt Added: Moritz Feldkamp" in words_of(page)
    assert meter.operations == ["GetItem", "BatchGetItem", "Query", "BatchGetItem"]


def test_what_somebody_typed_is_inert(as_role: AsRole, alice: Actor) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    mallory = Actor(sub="m", name="<b>Mallory</b>")
    role = roles.create(Role(name="Trainer"), actor=alice)
    roles.update(role, {"name": hostile}, actor=mallory, verb="<i>did</i>")
    client = as_role("member")

    pages = [
        client.get(f"/cms/roles/{role.id}/history"),
        client.get(version_address("role", role.id, 0, f"/cms/roles/{role.id}/")),
    ]

    for page in pages:
        html = page.content.decode()
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "<b>Mallory" not in html
        assert "<i>did" not in html


def test_load_more_goes_on_where_the_page_ended(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Role 0"), actor=alice)
    for number in range(1, 22):
        role = roles.update(role, {"name": f"Role {number}"}, actor=alice)
    client = as_role("member")

    first = client.get(f"/cms/roles/{role.id}/history").content.decode()
    (address,) = re.findall(r'id="load-more" href="([^"]+)"', first)
    second = client.get(unescape(address), headers={"HX-Request": "true"}).content.decode()

    assert (first.count("What changed"), second.count("What changed")) == (20, 2)
    assert "created it" not in first
    assert "created it" in second
    assert "<html" not in second


def test_a_token_of_somebody_else_is_refused(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Role 0"), actor=alice)
    for number in range(1, 22):
        role = roles.update(role, {"name": f"Role {number}"}, actor=alice)
    first = as_role("member").get(f"/cms/roles/{role.id}/history").content.decode()
    (address,) = re.findall(r'id="load-more" href="([^"]+)"', first)

    assert sign_in(Client(), "official").get(unescape(address)).status_code == 400


def test_the_page_costs_three_requests(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    client = as_role("member")

    with metering.metered() as meter:
        client.get(f"/cms/roles/{role.id}/history")

    assert meter.operations == ["GetItem", "BatchGetItem", "Query"]


def test_what_changed_costs_no_more_however_often_the_record_was_changed_since(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = news.get(article(by="official").id, strong=True)
    monkeypatch.setattr(history, "AT_ONCE", 2)
    for number in range(7):
        item = news.update(item, {"title": f"Title {number}"}, actor=CAST["official"].actor)
    client, address = as_role("official"), version_address("news", item.id, -1, address_of(item))

    with metering.metered() as meter:
        changed = words_of(client.get(address))
    with metering.metered() as meter_of_restore:
        asked = words_of(client.get(address.replace("/version?", "/restore-version?")))

    assert changed.endswith("This change is too old to show in full.")
    assert "This version is too old to restore. Cancel" in asked
    assert meter.operations == ["GetItem", "BatchGetItem", *["Query"] * 3]
    assert meter_of_restore.operations == ["GetItem", "BatchGetItem", *["Query"] * 3]


def test_a_hundred_newer_changes_are_looked_through_at_once(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    for number in range(30):
        role = roles.update(role, {"name": f"Role {number}"}, actor=alice)
    first = history.entries("role", role.id, limit=100).items[-1].entry_id
    client = as_role("member")

    with metering.metered() as meter:
        page = words_of(client.get(f"/cms/roles/{role.id}/version", {"entry": first}))

    assert "Name After: Trainer" in page
    assert meter.operations == ["GetItem", "BatchGetItem", "Query"]


def test_the_version_that_is_there_is_not_offered_for_going_back(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    roles.update(role, {"name": "Coach"}, actor=alice)
    client, address = as_role("moderator"), f"/cms/roles/{role.id}/"

    page = words_of(client.get(f"{address}history"))

    assert page.count("What changed") == 2
    assert page.endswith("What changed Restore this version")
    assert page.count("Restore this version") == 1
    assert "Restore this version" not in diff(client, role, place=0)
    assert "Restore this version" in diff(client, role, place=1)


def test_who_could_read_a_deleted_record_can_read_its_history(as_role: AsRole) -> None:
    item = article(text="Five sets.")
    news.delete(item, actor=CAST["moderator"].actor)
    client = as_role("official")

    text = words_of(client.get(address_of(item, "history")))
    deletion = words_of(client.get(version_address("news", item.id, 0, address_of(item))))

    assert "This was deleted." in text
    assert "Moritz Feldkamp deleted it" in text
    assert "Restore this version" not in text
    assert "Content Before: Five sets. Now empty" in deletion
    assert sign_in(Client(), "member").get(address_of(item, "history")).status_code == 403


@pytest.mark.parametrize("is_deleted", [False, True], ids=["live", "deleted"])
def test_a_record_that_is_not_for_somebody_has_no_history_for_them(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch, is_deleted: bool
) -> None:
    monkeypatch.setitem(RIGHTS, "cms.news.view", Right(ADMIN, own=is_author))
    item = article(by="moderator")
    if is_deleted:
        news.delete(item, actor=CAST["moderator"].actor)

    assert as_role("official").get(address_of(item, "history")).status_code == 404
    assert sign_in(Client(), "moderator").get(address_of(item, "history")).status_code == 200


def test_nobody_learns_the_name_of_a_record_they_may_not_see() -> None:
    user = CAST["official"]
    directory.enter(user.sub, name=user.name, email=user.email, actor=user.actor)
    authors = PickerField(to="person", many=True)

    shown_to = {
        role: display_value(authors, [user.sub], names_in([(authors, [user.sub])], CAST[role]))
        for role in ("official", "member")
    }

    assert shown_to == {"official": "Odile Brandt", "member": "(not visible to you)"}


@pytest.mark.parametrize("screen", ["history", "version?entry=x", "restore-version?entry=x", "changes"])
def test_what_never_was_has_no_history(as_role: AsRole, screen: str) -> None:
    unknown = "0198c000-0000-7000-8000-000000000000"

    assert as_role("official").get(f"/cms/news/{unknown}/{screen}").status_code == 404


@pytest.mark.parametrize("entry", ["", "x", "9999", "2026-01-01T00:00:00.000Z%23x", "%00", "x" * 2000])
def test_an_entry_that_is_not_there_is_not_found(as_role: AsRole, entry: str) -> None:
    item = article()
    client = as_role("official")

    for screen in ("version", "restore-version"):
        assert client.get(f"{address_of(item, screen)}?entry={entry}").status_code == 404
