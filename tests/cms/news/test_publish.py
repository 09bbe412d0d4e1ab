"""Publishing, unpublishing and archiving: readers see an article exactly while it is published."""

import pytest
from django.test import Client

from cms.news.repository import news
from core.dynamo import history, working_copies
from core.dynamo.attributes import now
from tests.cast import CAST, sign_in
from tests.cms.articles import LONG_AGO, address_of, article, filled, in_future, of_form
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")


def reader_gets(slug: str = "derby") -> int:
    return Client().get(f"/news/{slug}/").status_code


def test_publishing_needs_the_text(as_role) -> None:
    form = filled(as_role("official"), content="")

    answer = form.send("publish")

    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()
    assert news.get_many([form.action.split("/")[-2]]) == {}


def test_publishing_without_a_date_sets_the_moment_and_readers_see_it(as_role) -> None:
    form = filled(as_role("official"))
    before = now()

    assert form.send("publish").status_code == 302

    saved = of_form(form)
    assert saved.status == "published"
    assert before <= saved.publish_at == saved.published_date <= saved.updated_at
    assert saved.first_published_at == saved.updated_at
    assert reader_gets() == 200


def test_publishing_again_keeps_the_date_even_from_a_form_that_never_knew_it(as_role) -> None:
    form = filled(as_role("official"))
    form.send("publish", htmx=True)
    first = of_form(form)

    # With HTMX the form stays as it is: its date is still empty.
    form.fill(title="Derby won", version=str(first.seen_version), copy_version="0")
    del form.fields["once"]
    assert form.send("publish", htmx=True).status_code == 200

    again = of_form(form)
    assert (again.title, again.published_date) == ("Derby won", first.published_date)
    assert again.first_published_at == first.first_published_at


def test_a_draft_is_listed_by_the_time_it_was_created() -> None:
    draft = article()

    assert (draft.publish_at, draft.published_date) == (None, draft.created_at)
    assert [found.id for found in news.with_status("draft").items] == [draft.id]


def test_unpublishing_takes_it_from_the_readers_and_undo_brings_it_back(as_role) -> None:
    client, item = as_role("official"), article(published=True)
    form = open_form(client, address_of(item))

    answer = form.send(to="unpublish")

    assert (answer.status_code, answer["Location"]) == (302, address_of(item))
    assert (news.get(item.id, strong=True).status, reader_gets()) == ("draft", 404)
    page = client.get(address_of(item)).content.decode()
    assert "Unpublished. It is no longer on the website." in page
    assert f'action="{address_of(item, "republish")}"' in page

    client.post(address_of(item, "republish"), {"version": "2"})

    again = news.get(item.id, strong=True)
    assert (again.status, again.published_date, reader_gets()) == ("published", item.published_date, 200)
    verbs = [entry.verb for entry in history.entries("news", item.id).items]
    assert verbs == ["publish", "unpublish", "publish"]


def test_archiving_takes_it_from_the_readers_and_undo_brings_it_to_where_it_was(as_role) -> None:
    client, draft = as_role("official"), article()

    open_form(client, address_of(draft)).send(to="archive")

    archived = news.get(draft.id, strong=True)
    assert (archived.status, reader_gets()) == ("archived", 404)
    page = client.get(address_of(draft)).content.decode()
    assert "Archived. It is no longer on the website." in page
    client.post(address_of(draft, "unpublish"), {"version": "2"})
    assert news.get(draft.id, strong=True).status == "draft"


@pytest.mark.parametrize(("screen", "status"), [("unpublish", "draft"), ("archive", "archived")])
def test_what_readers_do_not_see_already_offers_no_undo(as_role, screen: str, status: str) -> None:
    client, item = as_role("official"), article()
    news.update(item, {"status": status}, actor=CAST["official"].actor)

    client.post(address_of(item, screen), {"version": str(news.get(item.id, strong=True).version)})

    page = client.get(address_of(item)).content.decode()
    assert "It is no longer on the website." not in page
    assert ">Undo<" not in page


def test_what_was_typed_beside_the_button_is_kept(as_role) -> None:
    client, item = as_role("official"), article(published=True)

    open_form(client, address_of(item)).fill(title="Derby won").send(to="unpublish")

    assert news.get(item.id, strong=True).title == "Derby"
    assert open_form(client, address_of(item))["title"] == "Derby won"


def test_a_working_copy_can_be_published_after_its_record_was_unpublished(as_role) -> None:
    client, item = as_role("official"), article(published=True)
    open_form(client, address_of(item)).fill(title="Derby won").send()
    assert working_copies.get("news", item.id).values["typed"]["title"] == ["Derby won"]
    open_form(client, address_of(item)).send(to="unpublish")
    assert working_copies.get("news", item.id).based_on == news.get(item.id, strong=True).version == 2

    assert open_form(client, address_of(item)).send("publish").status_code == 302

    again = news.get(item.id, strong=True)
    assert (again.title, again.status, working_copies.get("news", item.id)) == (
        "Derby won",
        "published",
        None,
    )


@pytest.mark.parametrize("screen", ["unpublish", "archive"])
def test_nobody_changes_the_status_of_a_version_that_they_have_not_seen(as_role, screen: str) -> None:
    client, item = as_role("official"), article(published=True)
    form = open_form(client, address_of(item))
    news.update(item, {"title": "Derby!"}, actor=CAST["moderator"].actor)

    assert form.send(to=screen).status_code == 409
    assert client.post(address_of(item, screen), {"version": "1"}).status_code == 302

    assert news.get(item.id, strong=True).status == "published"


def test_undo_never_publishes_what_is_not_complete(as_role) -> None:
    draft = article(content=None)

    answer = as_role("official").post(address_of(draft, "republish"), {"version": "1"})

    assert answer.status_code == 400
    assert news.get(draft.id, strong=True).status == "draft"


def test_the_page_leads_to_the_website_only_while_readers_see_it(as_role) -> None:
    client = as_role("official")
    published, draft = article(published=True), article("Draft")
    scheduled = article("Later", published=True, publish_at=in_future())
    old = article("Old", published=True, publish_at=LONG_AGO)
    client.post(address_of(old, "archive"), {"version": "1"})

    leads = {
        item.title: 'href="/news/' in client.get(address_of(item)).content.decode()
        for item in (published, draft, scheduled, old)
    }

    assert leads == {"Derby": True, "Draft": False, "Later": False, "Old": False}


def test_two_who_unpublish_at_once_do_it_once(as_role) -> None:
    item = article(published=True)
    official, moderator = as_role("official"), sign_in(Client(), "moderator")

    official.post(address_of(item, "unpublish"), {"version": "1"})
    moderator.post(address_of(item, "unpublish"), {"version": "1"})

    assert [entry.verb for entry in history.entries("news", item.id).items] == ["unpublish", "publish"]
