"""Requests whose answer is lost, that come late or twice: nobody loses a word, none comes back by itself."""

import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from cms.news.repository import news
from core.dynamo import history, working_copies
from tests.cast import sign_in
from tests.core.crud.pages import OpenForm, open_form
from tests.core.crud.test_working_copy import key_of, new_article, published_article

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]


def draft_of(client: Client, **fields: str) -> OpenForm:
    form = new_article(client, **fields)
    form.send()
    return open_form(client, form.action)


def opened_by_admin(form: OpenForm) -> OpenForm:
    return open_form(sign_in(Client(), "admin"), form.action)


def hears(form: OpenForm, answer: HttpResponse) -> None:
    """What HTMX does with the hidden fields of an answer."""
    for name in ("version", "copy_version", "form_id", "once"):
        found = re.search(rf'name="{name}" value="([^"]*)"', answer.content.decode())
        assert found
        form.fields[name] = [found[1]]


def test_a_save_whose_answer_was_lost_does_not_know_what_others_saved_since(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator"))
    form.fill(title="A1").send(htmx=True)
    opened_by_admin(form).fill(title="B2").send()

    hears(form, form.send(htmx=True))

    assert form.fill(tags="x").send(htmx=True).status_code == 409
    assert news.get(key_of(form), strong=True).title == "B2"


def test_nor_what_others_have_typed_since(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator"))
    form.fill(title="A1").send("publish", htmx=True)
    opened_by_admin(form).fill(title="B2").send(to="autosave", htmx=True)

    hears(form, form.send("publish", htmx=True))

    assert form.fill(tags="x").send(to="autosave", htmx=True).status_code == 409


def test_publish_is_not_taken_for_the_save_whose_answer_was_lost(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator"))
    form.fill(title="A1").send(htmx=True)

    form.send("publish", htmx=True)

    published = news.get(key_of(form), strong=True)
    assert (published.title, published.status) == ("A1", "published")


def test_who_types_on_after_a_lost_answer_saves_over_their_own_version(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator"))
    form.fill(title="A1").send(htmx=True)

    answer = form.fill(title="A1 and more").send(htmx=True)

    assert answer["HX-Redirect"] == form.action
    assert news.get(key_of(form), strong=True).title == "A1 and more"


def test_who_types_on_after_a_lost_answer_meets_what_others_saved_since(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator"))
    form.fill(title="A1").send(htmx=True)
    opened_by_admin(form).fill(title="B2").send()

    assert form.fill(title="A1 and more").send(htmx=True).status_code == 409
    assert news.get(key_of(form), strong=True).title == "B2"


def test_an_autosave_that_comes_after_the_save_does_not_bring_the_old_text_back(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator")).fill(title="old typing")
    late = dict(form.fields)
    form.fill(title="final").send(htmx=True)

    form.fields = late

    assert form.send(to="autosave", htmx=True).status_code == 409
    assert open_form(form.client, form.action)["title"] == "final"


def test_what_was_taken_over_from_another_version_is_shown_before_the_next_save(as_role: AsRole) -> None:
    form = draft_of(as_role("moderator"))
    opened_by_admin(form).fill(publish_at="2030-01-01T10:00").send("publish")

    answer = form.fill(tags="x").send(htmx=True)

    assert answer["HX-Redirect"] == form.action
    assert open_form(form.client, form.action)["publish_at"] == "2030-01-01T10:00"


def test_what_is_typed_into_a_deleted_record_is_not_said_to_be_kept(as_role: AsRole) -> None:
    form = published_article(as_role("moderator"))
    sign_in(Client(), "admin").post(form.action + "delete", {"version": "1"})

    answer = form.fill(title="More").send(to="autosave", htmx=True)

    assert answer.status_code == 409
    assert "This has been deleted in the meantime." in answer.content.decode()
    assert "Draft saved at" not in answer.content.decode()


def test_a_form_that_is_sent_again_after_its_record_was_deleted_keeps_what_was_typed(
    as_role: AsRole,
) -> None:
    form = new_article(as_role("moderator"))
    form.send()
    form.client.post(form.action + "delete", {"version": "1"})

    answer = form.send()

    assert answer.status_code == 409
    assert "This was deleted while you were editing it" in answer.content.decode()
    assert "Five sets." in answer.content.decode()


def test_a_form_that_is_saved_anew_after_its_record_was_deleted_makes_it_anew_once(as_role: AsRole) -> None:
    form = new_article(as_role("moderator"))
    form.send()
    form.client.post(form.action + "delete", {"version": "1"})
    first = dict(form.fields)

    form.fields["once"] = ["another press of the button"]
    answers = [form.fill(title="Derby again").send().status_code for _time in range(2)]

    assert answers == [302, 302]
    assert news.get(key_of(form), strong=True).title == "Derby again"
    told = [(entry.verb, entry.label) for entry in history.entries("news", key_of(form)).items]
    assert told == [("create", "Derby again"), ("delete", "Derby"), ("create", "Derby")]
    form.fields = first
    assert form.send().status_code == 302, "what was sent first is what the record has been since"
    assert news.get(key_of(form), strong=True).title == "Derby again"


def test_a_receipt_of_an_earlier_release_is_a_row(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    form = new_article(as_role("moderator"))
    with monkeypatch.context() as earlier:
        earlier.setattr(type(news), "natural_key", True)
        earlier.setattr("core.dynamo.repository.time.time", lambda: 0.001)
        form.send()
    (entry,) = history.entries("news", key_of(form)).items
    assert entry.entry_id != history.CREATION

    assert form.send().status_code == 302
    assert len(news.by_date().items) == 1


@pytest.mark.parametrize("to", ["", "autosave"])
def test_nobody_takes_the_place_of_a_deleted_record(as_role: AsRole, to: str) -> None:
    form = new_article(as_role("moderator"))
    form.send()
    form.client.post(form.action + "delete", {"version": "1"})
    other = new_article(sign_in(Client(), "official"))
    other.action = form.action

    assert other.send(to=to, htmx=True).status_code == 404
    assert working_copies.get("news", key_of(form)) is None
    assert form.client.post("/cms/news/trash/restore", {"key": key_of(form)}).status_code == 302


def test_an_autosave_that_is_sent_again_by_hand_leads_to_the_record(as_role: AsRole) -> None:
    form = published_article(as_role("moderator")).fill(title="Derby lost")

    answer = form.send(to="autosave")

    assert (answer.status_code, answer["Location"]) == (302, form.action)
    assert open_form(form.client, form.action)["title"] == "Derby lost"


@pytest.mark.parametrize("then", ["", "anything"])
def test_only_publish_changes_what_readers_see(as_role: AsRole, then: str) -> None:
    form = published_article(as_role("moderator"))

    form.fill(title="Live!").send(then)

    assert news.get(key_of(form), strong=True).title == "Derby"


def test_a_second_window_of_ones_own_is_called_so(as_role: AsRole) -> None:
    form = published_article(as_role("moderator"))
    open_form(form.client, form.action).fill(title="One").send(to="autosave", htmx=True)

    answer = form.fill(title="Two").send(to="autosave", htmx=True)

    assert "You changed this in another window." in answer.content.decode()


def test_text_of_five_megabytes_is_refused_at_the_field(as_role: AsRole) -> None:
    form = new_article(as_role("moderator")).fill(content="x" * 5_000_000)

    answer = form.send()

    assert answer.status_code == 422
    assert 'id="id_content_error"' in answer.content.decode()
