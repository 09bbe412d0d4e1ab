"""A record that was deleted while somebody typed: what was typed is not lost."""

import pytest
from django.test import Client

from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.rights import RIGHTS, Right
from core.content.richtext import plain_text
from core.dynamo import history
from core.dynamo.actors import Actor
from tests.cast import CAST
from tests.cms.articles import address_of, article
from tests.core.crud.conflicts import AsRole, choices, conflict, stored, two_open
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "htmx"])
def test_a_record_that_was_deleted_can_be_put_back_with_what_was_typed(odile: Client, htmx: bool) -> None:
    item = article("Derby")
    form = open_form(odile, address_of(item)).fill(title="Derby lost", content="Six sets.")
    news.delete(item, actor=CAST["moderator"].actor)

    answer = form.send(htmx=htmx)

    page = conflict(answer)
    assert ("<html" in page) is not htmx
    assert "Moritz Feldkamp deleted it" in page
    assert "Six sets." in page
    saved = OpenForm(odile, answer).fill(**{"take-put-back": "yes"}).send(htmx=htmx)
    assert saved["HX-Redirect" if htmx else "Location"] == address_of(item)
    assert (stored(item).title, plain_text(stored(item).content)) == ("Derby lost", "Six sets.")
    verbs = [entry.verb for entry in history.entries("news", item.id).items]
    assert verbs == ["update", "restore", "delete", "create"]


def test_what_was_changed_before_the_deletion_is_not_overwritten(odile: Client, moritz: Client) -> None:
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won").send()
    news.delete(stored(item), actor=CAST["moderator"].actor)
    answer = mine.fill(title="Derby lost").send()

    again = OpenForm(odile, answer).fill(**{"take-put-back": "yes"}).send()

    assert choices(again) == {"title": "mine"}
    assert "Derby won" in conflict(again)


def test_what_was_typed_can_become_a_new_record(odile: Client) -> None:
    item = article("Derby")
    form = open_form(odile, address_of(item)).fill(title="Derby lost", content="Six sets.")
    news.delete(item, actor=CAST["moderator"].actor)

    new = OpenForm(odile, form.send(), "save-as-new-form")

    assert new.send().status_code == 302
    assert new.action != address_of(item)
    (saved,) = news.by_date().items
    assert saved.title == "Derby lost"


def test_a_value_that_was_taken_since_is_told(as_role: AsRole, alice: Actor) -> None:
    role = roles.create(Role(name="Trainer"), actor=alice)
    client = as_role("moderator")
    form = open_form(client, f"/cms/roles/{role.id}/").fill(vorstand="on")
    roles.delete(role, actor=alice)
    roles.create(Role(name="trainer"), actor=alice)

    answer = OpenForm(client, form.send()).fill(**{"take-put-back": "yes"}).send()

    assert "It could not be restored." in conflict(answer)
    assert OpenForm(client, answer)["name"] == "Trainer"


def test_who_may_not_delete_cannot_put_back(odile: Client) -> None:
    item = article("Derby", by="moderator")
    news.delete(item, actor=CAST["moderator"].actor)
    typed = {"title": "Mine", "version": "1"}

    page = conflict(odile.post(address_of(item), typed))

    assert 'id="put-back"' not in page
    assert odile.post(address_of(item), {**typed, "take-put-back": "yes"}).status_code == 403
    assert news.get_many([item.id]) == {}


@pytest.mark.parametrize(
    ("lacks", "offered"),
    [
        ("nothing", {"who", "put-back", "save-as-new"}),
        ("view", {"save-as-new"}),
        ("update", {"who", "save-as-new"}),
        ("delete", {"who", "save-as-new"}),
        ("create", {"who", "put-back"}),
    ],
)
def test_about_what_was_deleted_everybody_is_told_and_offered_what_they_may(
    odile: Client, monkeypatch: pytest.MonkeyPatch, lacks: str, offered: set[str]
) -> None:
    item = article("Derby")
    news.delete(item, actor=CAST["moderator"].actor)
    # It may be done to other articles, just not to this one.
    monkeypatch.setitem(RIGHTS, f"cms.news.{lacks}", Right(own=lambda _user, _record: False))

    page = conflict(odile.post(address_of(item), {"title": "Derby lost", "version": "1"}))

    signs = {
        "who": "Moritz Feldkamp deleted it",
        "put-back": 'id="put-back"',
        "save-as-new": 'id="save-as-new"',
    }
    assert {name for name, sign in signs.items() if sign in page} == offered
