"""A duplicate: the form of a new record, filled in; nothing is stored before it is saved."""

from collections.abc import Callable
from datetime import UTC, datetime

from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from cms.roles.repository import roles
from cms.roles.resource import roles as role_resource
from core.dynamo import metering
from tests.core.crud.pages import open_form
from tests.core.crud.roles import LIST, MAKER, make

AsRole = Callable[[str], Client]
TEXT = {
    "type": "doc",
    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Two hours, five sets."}]}],
}


def test_the_form_of_a_new_record_is_filled_in_and_nothing_is_stored(as_role: AsRole) -> None:
    role = make("Treasurer", vorstand=True)
    client = as_role("moderator")

    with metering.metered() as meter:
        form = open_form(client, f"{LIST}{role.id}/duplicate")

    assert (form["name"], form["version"]) == ("Treasurer (copy)", "0")
    assert "vorstand" in form.fields
    assert role.id not in form.action
    assert meter.operations == ["GetItem", "GetItem"]
    assert [each.name for each in roles.by_name().items] == ["Treasurer"]


def test_saving_makes_a_second_record(as_role: AsRole) -> None:
    role = make("Treasurer", vorstand=True)

    response = open_form(as_role("moderator"), f"{LIST}{role.id}/duplicate").send()

    assert response.status_code == 302
    assert [(each.name, each.vorstand) for each in roles.by_name().items] == [
        ("Treasurer", True),
        ("Treasurer (copy)", True),
    ]


def test_a_long_name_makes_room_for_the_ending() -> None:
    role = make_unsaved("x" * 100)

    assert role_resource.copied(role)["name"] == "x" * 93 + " (copy)"


def make_unsaved(name: str) -> object:
    return roles.model(name=name)


def test_the_copy_of_a_published_article_is_a_draft_with_an_address_of_its_own(as_role: AsRole) -> None:
    article = news.create(
        News(
            title="Derby",
            slug="derby",
            content=TEXT,
            status="published",
            publish_at=datetime(2026, 1, 1, tzinfo=UTC),
            author_ids=["x"],
        ),
        actor=MAKER,
    )

    form = open_form(as_role("moderator"), f"/cms/news/{article.id}/duplicate")
    form.send()

    copy = next(each for each in news.by_date().items if each.id != article.id)
    copy = news.get(copy.id)
    assert (copy.title, copy.status, copy.slug) == ("Derby (copy)", "draft", "derby-copy")
    assert copy.content == TEXT
    assert news.get(article.id).title == "Derby"


def test_who_may_not_create_gets_no_duplicate(as_role: AsRole) -> None:
    assert as_role("member").get(f"{LIST}{make('Treasurer').id}/duplicate").status_code == 403


def test_what_is_gone_cannot_be_duplicated(as_role: AsRole) -> None:
    assert as_role("moderator").get(f"{LIST}no-such-record/duplicate").status_code == 404


def test_the_duplicate_of_a_record_without_drafts_needs_what_its_form_needs(as_role: AsRole) -> None:
    page = as_role("moderator").get(f"{LIST}{make('Trainer').id}/duplicate").content.decode()

    assert "needed to publish" not in page
