"""Working copies: what is typed is kept as it is typed, and readers see nothing of it before Publish."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from cms.news.repository import news
from core.accounts import directory
from core.dynamo import history, metering, working_copies
from core.dynamo.actors import SYSTEM
from tests.cast import CAST, sign_in
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]


def new_article(client: Client, **fields: str) -> OpenForm:
    form = open_form(client, "/cms/news/new")
    return form.fill(title="Derby", content="Five sets.", **fields)


def published_article(client: Client) -> OpenForm:
    form = new_article(client)
    assert form.send("publish").status_code == 302
    return open_form(client, form.action)


def key_of(form: OpenForm) -> str:
    return form.action.split("/")[-2]


def reader_sees(slug: str = "derby") -> str:
    return Client().get(f"/news/{slug}/").content.decode()


def test_a_new_record_is_kept_while_it_is_typed_and_only_its_writer_sees_it(as_role: AsRole) -> None:
    form = new_article(as_role("official")).fill(title="Der")

    assert form.send(to="autosave", htmx=True).status_code == 200

    assert open_form(form.client, form.action)["title"] == "Der"
    assert sign_in(Client(), "admin").get(form.action).status_code == 404
    assert news.get_many([key_of(form)]) == {}


def test_what_was_begun_and_never_saved_is_offered_to_its_writer(as_role: AsRole) -> None:
    form = new_article(as_role("official")).fill(title="Der")
    form.send(to="autosave", htmx=True)
    new_article(sign_in(Client(), "moderator")).send(to="autosave", htmx=True)

    page = form.client.get("/cms/news/new").content.decode()

    assert page.count("You started") == 1
    assert re.search(r"You started “Der” on [^<]+ and have not saved it\.", page)
    assert f'href="{form.action}"' in page


def test_only_the_fields_of_the_form_are_kept(as_role: AsRole) -> None:
    form = new_article(as_role("official")).fill(junk="x", title__junk="y")

    form.send(to="autosave", htmx=True)

    kept = working_copies.get("news", key_of(form))
    assert kept is not None
    assert {"title", "content", "title-junk"} <= kept.values["typed"].keys()
    assert "junk" not in kept.values["typed"]


def test_who_gives_a_record_into_other_hands_may_only_read_it_from_then_on(as_role: AsRole) -> None:
    moderator = CAST["moderator"]
    directory.enter(moderator.sub, name=moderator.name, email=moderator.email, actor=SYSTEM)
    form = new_article(as_role("official")).fill(author_ids=[moderator.sub])

    answer = form.send(htmx=True)

    assert answer["HX-Redirect"] == form.action
    assert "You can view this but not edit it." in form.client.get(form.action).content.decode()


def test_what_is_not_valid_yet_is_kept_too(as_role: AsRole) -> None:
    form = new_article(as_role("official")).fill(title="", slug="Not / a slug", publish_at="31 February")

    form.send(to="autosave", htmx=True)

    again = open_form(form.client, form.action)
    assert (again["title"], again["slug"], again["publish_at"]) == ("", "Not / a slug", "31 February")
    assert 'aria-invalid="true"' not in form.client.get(form.action).content.decode()


def test_autosaving_a_draft_changes_neither_the_record_nor_its_history(as_role: AsRole) -> None:
    form = new_article(as_role("official"))
    form.send()
    again = open_form(form.client, form.action)

    for title in ("Derby 1", "Derby 2"):
        again.fill(title=title).send(to="autosave", htmx=True)

    assert news.get(key_of(form), strong=True).title == "Derby"
    assert [entry.verb for entry in history.entries("news", key_of(form)).items] == ["create"]
    page = form.client.get(form.action)
    assert OpenForm(form.client, page)["title"] == "Derby 2"
    assert "Not saved yet. Last edited by Odile Brandt" in page.content.decode()


def test_saving_a_draft_applies_the_copy_and_removes_it(as_role: AsRole) -> None:
    form = new_article(as_role("official"))
    form.send()
    again = open_form(form.client, form.action)
    again.fill(title="Derby 1").send(to="autosave", htmx=True)

    again.fill(title="Derby 2").send()

    assert news.get(key_of(form), strong=True).title == "Derby 2"
    assert working_copies.get("news", key_of(form)) is None


def test_saving_a_published_record_keeps_the_changes_until_they_are_published(as_role: AsRole) -> None:
    form = published_article(as_role("official"))

    form.fill(title="Derby lost").send()

    assert "Derby lost" not in reader_sees()
    page = form.client.get(form.action)
    assert '<span class="badge status changed">Changed</span>' in page.content.decode()
    assert OpenForm(form.client, page)["title"] == "Derby lost"
    OpenForm(form.client, page).send("publish")
    assert "Derby lost" in reader_sees()
    assert working_copies.get("news", key_of(form)) is None


def test_publishing_needs_more_than_a_draft(as_role: AsRole) -> None:
    form = open_form(as_role("official"), "/cms/news/new").fill(title="Only a title")

    refused = form.send("publish")

    assert refused.status_code == 422
    assert OpenForm(form.client, refused).send("save").status_code == 302


def test_a_copy_can_be_discarded(as_role: AsRole) -> None:
    form = published_article(as_role("official"))
    form.fill(title="Derby lost").send()

    open_form(form.client, form.action).send(to="discard")

    assert open_form(form.client, form.action)["title"] == "Derby"


def test_somebody_elses_newer_text_is_not_replaced(as_role: AsRole) -> None:
    form = published_article(as_role("official"))
    other = open_form(sign_in(Client(), "moderator"), form.action)
    other.fill(title="Derby, by Moritz").send(to="autosave", htmx=True)

    answer = form.fill(title="Derby, by Odile").send(to="autosave", htmx=True)

    assert answer.status_code == 409
    assert "Moritz Feldkamp changed this draft in the meantime." in answer.content.decode()
    assert open_form(form.client, form.action)["title"] == "Derby, by Moritz"


def test_a_form_that_never_heard_of_its_last_autosave_goes_on(as_role: AsRole) -> None:
    form = published_article(as_role("official"))

    answers = [form.fill(title=title).send(to="autosave", htmx=True) for title in ("One", "Two")]
    saved = form.fill(title="Three").send("publish")

    assert [answer.status_code for answer in answers] == [200, 200]
    assert saved.status_code == 302
    assert news.get(key_of(form), strong=True).title == "Three"


def test_a_copy_that_outlived_its_record_is_not_a_new_record(as_role: AsRole) -> None:
    form = published_article(as_role("official"))
    form.fill(title="Derby lost").send(to="autosave", htmx=True)
    news.delete(news.get(key_of(form), strong=True), actor=CAST["official"].actor)

    assert form.client.get(form.action).status_code == 404


@pytest.mark.parametrize("to", ["autosave", ""])
def test_what_says_the_same_as_the_record_is_no_change(as_role: AsRole, to: str) -> None:
    form = published_article(as_role("official"))
    form.fill(title="Derby lost").send(to="autosave", htmx=True)

    answer = form.fill(title="Derby").send(to=to, htmx=True)

    assert 'name="copy_version" value="0"' in answer.content.decode()
    assert working_copies.get("news", key_of(form)) is None


@pytest.mark.parametrize("screen", ["autosave", "discard", ""])
def test_nobody_touches_the_copy_of_a_record_they_may_not_change(as_role: AsRole, screen: str) -> None:
    form = published_article(as_role("moderator"))

    answer = sign_in(Client(), "official").post(form.action + screen, {**form.fields, "title": "Mine"})

    assert answer.status_code == 403
    assert working_copies.get("news", key_of(form)) is None


def test_an_autosave_costs_two_requests(as_role: AsRole) -> None:
    form = published_article(as_role("official"))

    with metering.metered() as meter:
        form.fill(title="Derby lost").send(to="autosave", htmx=True)

    assert meter.operations == ["BatchGetItem", "TransactWriteItems"]
