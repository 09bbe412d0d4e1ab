"""Going back to an earlier version of a record."""

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils.timezone import localtime

from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.content.richtext import from_plain_text, plain_text
from core.dynamo import history, working_copies
from core.dynamo.actors import Actor
from tests.cast import CAST, sign_in
from tests.cms.articles import address_of, article
from tests.core.crud.pages import OpenForm, open_form
from tests.core.crud.test_history import words_of

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]


def question(client: Client, entity: str, key: str, place: int, address: str) -> HttpResponse:
    """The page that asks whether to go back to what one entry left, counted from the newest."""
    entry = history.entries(entity, key).items[place]
    page: HttpResponse = client.get(f"{address}restore-version", {"entry": entry.entry_id})
    return page


def go_back(client: Client, entity: str, key: str, place: int, address: str) -> HttpResponse:
    page = question(client, entity, key, place, address)
    return OpenForm(client, page, "restore-form").send()


def verbs(entity: str, key: str) -> list[str]:
    return [entry.verb for entry in history.entries(entity, key).items]


def test_a_version_is_what_its_entry_left_behind(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer", vorstand=True), actor=alice)
    role = roles.update(role, {"name": "Coach"}, actor=alice)
    roles.update(role, {"name": "Referee", "vorstand": False}, actor=alice)
    client, address = as_role("moderator"), f"/cms/roles/{role.id}/"

    asked = question(client, "role", role.id, 1, address)
    entry = history.entries("role", role.id).items[1]
    assert f'version of <time datetime="{localtime(entry.at).isoformat()}">' in asked.content.decode()
    assert "Name Before: Referee After: Coach" in words_of(asked)
    assert roles.get(role.id, strong=True).name == "Referee"

    assert go_back(client, "role", role.id, 1, address)["Location"] == address
    restored = roles.get(role.id, strong=True)
    assert (restored.name, restored.vorstand) == ("Coach", True)
    assert verbs("role", role.id) == ["restore_version", "update", "update", "create"]


def test_going_back_can_be_taken_back(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    roles.update(role, {"name": "Coach"}, actor=alice)
    client, address = as_role("moderator"), f"/cms/roles/{role.id}/"
    go_back(client, "role", role.id, 1, address)

    go_back(client, "role", role.id, 1, address)

    assert roles.get(role.id, strong=True).name == "Coach"


def test_status_date_and_address_stay(as_role: AsRole) -> None:
    item = article("Derby", published=True, text="Five sets.")
    actor = CAST["official"].actor
    changed = news.update(
        item,
        {"title": "Cup", "content": from_plain_text("Six sets."), "slug": "cup", "status": "archived"},
        actor=actor,
    )

    go_back(as_role("official"), "news", item.id, 1, address_of(item))

    restored = news.get(item.id, strong=True)
    assert (restored.title, plain_text(restored.content)) == ("Derby", "Five sets.")
    assert (restored.slug, restored.status) == ("cup", "archived")
    assert (restored.publish_at, restored.published_date) == (changed.publish_at, changed.published_date)


@pytest.mark.parametrize("slug", ["cup", None])
def test_the_address_of_a_draft_stays_too_and_none_is_made(as_role: AsRole, slug: str | None) -> None:
    item = article("Derby")
    news.update(item, {"title": "Cup", "slug": slug}, actor=CAST["official"].actor)

    go_back(as_role("official"), "news", item.id, 1, address_of(item))

    restored = news.get(item.id, strong=True)
    assert (restored.title, restored.slug) == ("Derby", slug)


def test_of_a_published_record_it_becomes_the_working_copy(as_role: AsRole) -> None:
    client = as_role("official")
    item = article(published=True, text="Five sets.")
    changed = open_form(client, address_of(item))
    changed.fill(title="Derby lost", content="Six sets.", slug="lost", publish_at="2026-01-05T18:30")
    changed.send("publish")

    answer = go_back(client, "news", item.id, 1, address_of(item))

    assert answer["Location"] == address_of(item)
    assert news.get(item.id, strong=True).title == "Derby lost"
    page = client.get(address_of(item))
    assert "Readers see it when you publish." in page.content.decode()
    form = OpenForm(client, page)
    assert (form["title"], form["content"]) == ("Derby", "Five sets.")
    assert (form["slug"], form["publish_at"]) == ("lost", "2026-01-05T18:30")
    assert form.send("publish").status_code == 302
    published = news.get(item.id, strong=True)
    assert (published.title, plain_text(published.content)) == ("Derby", "Five sets.")


@pytest.mark.parametrize("published", [True, False], ids=["published", "draft"])
def test_a_copy_that_was_not_seen_is_not_replaced(as_role: AsRole, published: bool) -> None:
    client = as_role("official")
    item = article(published=published)
    news.update(item, {"title": "Derby lost"}, actor=CAST["official"].actor)
    asked = question(client, "news", item.id, 1, address_of(item))
    other = open_form(sign_in(Client(), "moderator"), address_of(item))
    other.fill(title="By Moritz").send(to="autosave", htmx=True)

    refused = OpenForm(client, asked, "restore-form").send()

    assert refused.status_code == 409
    assert "Moritz Feldkamp changed this draft in the meantime." in refused.content.decode()
    copy = working_copies.get("news", item.id)
    assert copy is not None
    assert copy.values["typed"]["title"] == ["By Moritz"]
    # Now it was seen, and the page says what becomes of it.
    assert "last edited by Moritz Feldkamp" in refused.content.decode()
    assert OpenForm(client, refused, "restore-form").send().status_code == 302
    assert open_form(client, address_of(item))["title"] == "Derby"


def test_a_record_that_was_changed_meanwhile_is_shown_again(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    role = roles.update(role, {"name": "Coach"}, actor=alice)
    client = as_role("moderator")
    asked = question(client, "role", role.id, 1, f"/cms/roles/{role.id}/")
    roles.update(role, {"name": "Referee"}, actor=alice)

    refused = OpenForm(client, asked, "restore-form").send()

    assert refused.status_code == 409
    assert "Referee" in refused.content.decode()
    assert roles.get(role.id, strong=True).name == "Referee"


def test_what_can_no_longer_be_applied_is_told_and_the_rest_comes_back(as_role: AsRole, alice: Actor) -> None:
    """The name was taken by another role since."""
    role = roles.create(Role(name="Trainer", vorstand=True), actor=alice)
    roles.update(role, {"name": "Coach", "vorstand": False}, actor=alice)
    roles.create(Role(name="Trainer"), actor=alice)
    client = as_role("moderator")

    go_back(client, "role", role.id, 1, f"/cms/roles/{role.id}/")

    restored = roles.get(role.id, strong=True)
    assert (restored.name, restored.vorstand) == ("Coach", True)
    told = client.get(f"/cms/roles/{role.id}/").content.decode()
    assert "These fields could not be restored: Name." in told


@pytest.mark.parametrize("published", [True, False], ids=["published", "draft"])
def test_a_chosen_record_that_is_gone_is_told(as_role: AsRole, published: bool) -> None:
    item = article(by="official", published=published, author_ids=["nobody-sub"])
    news.update(item, {"author_ids": ["official-sub"], "title": "Derby lost"}, actor=CAST["official"].actor)
    client = as_role("moderator")

    go_back(client, "news", item.id, 1, address_of(item))

    page = client.get(address_of(item))
    assert "These fields could not be restored: Authors." in page.content.decode()
    form = OpenForm(client, page)
    assert (form["title"], form["author_ids"]) == ("Derby", "official-sub")


def test_where_nothing_differs_there_is_nothing_to_restore(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)

    page = question(as_role("moderator"), "role", role.id, 0, f"/cms/roles/{role.id}/").content.decode()

    assert "No visible differences." in page
    assert 'id="restore-version"' not in page


def test_only_who_may_change_the_record_may_go_back(as_role: AsRole, alice: Actor) -> None:
    item = article(by="moderator")
    news.update(item, {"title": "Derby lost"}, actor=alice)
    client = as_role("official")

    assert "Restore this version" not in client.get(address_of(item, "history")).content.decode()
    assert question(client, "news", item.id, 1, address_of(item)).status_code == 403
    entry = history.entries("news", item.id).items[1].entry_id
    address = f"{address_of(item, 'restore-version')}?entry={entry.replace('#', '%23')}"
    assert client.post(address, {"version": "2"}).status_code == 403
    assert news.get(item.id, strong=True).title == "Derby lost"
