"""The trash of a list: what was deleted, by whom, until when, and how it comes back."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from cms.models import News
from cms.repository import news, roles
from dynamo import control, metering, trash
from dynamo.actors import Actor
from dynamo.attributes import now
from dynamo.errors import NotFound
from dynamo.trash import TrashedItem
from tests.cast import CAST
from tests.crud.roles import LIST, MAKER, make, names_in

AsRole = Callable[[str], Client]
TRASH = f"{LIST}trash"
RESTORE = f"{LIST}trash/restore"
HTMX = {"HX-Request": "true"}


def deleted(name: str, actor: Actor = MAKER) -> TrashedItem:
    """A role in the trash."""
    role = make(name)
    roles.delete(role, actor=actor)
    trashed = trash.of_record("role", role.id)
    assert trashed is not None
    return trashed


def labels(rows: list[object]) -> list[str]:
    return [row.label for row in rows]  # type: ignore[attr-defined]


def test_it_shows_who_deleted_what_and_until_when_it_is_kept(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")

    response = as_role("moderator").get(TRASH)

    (row,) = response.context["rows"]
    assert (row.label, row.who) == ("Treasurer", "Maren Maker")
    assert (row.at, row.until) == (trashed.at, trashed.at + timedelta(days=30))
    assert "What was deleted is kept here for 30 days." in response.content.decode()


def test_the_list_leads_to_it(as_role: AsRole) -> None:
    assert f'href="{TRASH}"' in as_role("moderator").get(LIST).content.decode()


def test_those_who_may_not_delete_do_not_see_it(as_role: AsRole) -> None:
    client = as_role("official")

    assert client.get(TRASH).status_code == 403
    assert f'href="{TRASH}"' not in client.get(LIST).content.decode()


def test_an_empty_trash_says_so(as_role: AsRole) -> None:
    assert "The trash is empty." in as_role("moderator").get(TRASH).content.decode()


def test_restoring_puts_the_record_back_and_stays_in_the_trash(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")

    response = as_role("moderator").post(RESTORE, {"id": trashed.trash_id}, follow=True)

    assert response.redirect_chain == [(TRASH, 302)]
    assert response.context["rows"] == []
    assert roles.get(trashed.key).name == "Treasurer"


def test_with_htmx_the_row_says_that_it_is_back_and_leads_there(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")

    response = as_role("moderator").post(RESTORE, {"id": trashed.trash_id}, headers=HTMX)

    page = response.content.decode()
    assert page.strip().startswith("<tr")
    assert names_in(page) == ["Treasurer"]
    assert f'href="{LIST}{trashed.key}/" autofocus' in page


def test_a_second_restore_is_told_that_it_is_gone(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")
    client = as_role("moderator")
    client.post(RESTORE, {"id": trashed.trash_id})

    response = client.post(RESTORE, {"id": trashed.trash_id})

    assert response.status_code == 404
    assert "This is no longer in the trash." in response.content.decode()


def test_a_name_taken_since_is_asked_for_again(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")
    make("Treasurer")

    response = as_role("moderator").post(RESTORE, {"id": trashed.trash_id}, follow=True)

    page = response.content.decode()
    assert response.status_code == 200
    assert "Another record has taken this value since." in page
    assert 'name="name" value="Treasurer"' in page

    response = as_role("moderator").post(
        RESTORE, {"id": trashed.trash_id, "taken": "name", "name": "Treasurer of 2025"}
    )

    assert response.status_code == 302
    assert roles.get(trashed.key).name == "Treasurer of 2025"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("treasurer", "This is already taken. Please choose another."),
        ("", "This field is required."),
        ("x" * 101, "at most 100 characters"),
    ],
)
def test_a_new_name_that_does_not_do_is_asked_for_once_more(
    as_role: AsRole, name: str, complaint: str
) -> None:
    trashed = deleted("Treasurer")
    make("Treasurer")

    response = as_role("moderator").post(RESTORE, {"id": trashed.trash_id, "taken": "name", "name": name})

    assert response.status_code == 422
    assert complaint in response.content.decode()
    with pytest.raises(NotFound):
        roles.get(trashed.key)


def test_a_key_that_is_in_use_again_cannot_be_chosen_anew(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")
    make("Trainer", id=trashed.key)

    response = as_role("moderator").post(RESTORE, {"id": trashed.trash_id})

    assert response.status_code == 409
    assert "There is such a record already." in response.content.decode()
    assert roles.get(trashed.key).name == "Trainer"


@pytest.mark.parametrize(("name", "value"), [("version", "99"), ("vorstand", "on")])
def test_only_what_must_be_unique_can_be_changed_on_the_way_back(
    as_role: AsRole, name: str, value: str
) -> None:
    trashed = deleted("Treasurer")

    as_role("moderator").post(RESTORE, {"id": trashed.trash_id, "taken": name, name: value})

    restored = roles.get(trashed.key)
    assert (restored.version, restored.vorstand) == (1, False)


@pytest.mark.parametrize(
    ("slug", "also_taken", "becomes"),
    [("derby", (), "derby-2"), ("final", (), "derby"), ("final", ("derby",), "derby-2")],
)
def test_an_address_that_is_left_empty_is_made_from_the_title_as_usual(
    as_role: AsRole, slug: str, also_taken: tuple[str, ...], becomes: str
) -> None:
    article = news.create(News(title="Derby", slug=slug), actor=MAKER)
    news.delete(article, actor=MAKER)
    for taken in (slug, *also_taken):
        news.create(News(title="Another", slug=taken), actor=MAKER)
    image = trash.of_record("news", article.id)
    assert image is not None

    response = as_role("moderator").post(
        "/cms/news/trash/restore", {"id": image.trash_id, "taken": "slug", "slug": ""}
    )

    assert response.status_code == 302
    assert news.get(article.id).slug == becomes


def test_an_official_sees_and_restores_own_articles_only(as_role: AsRole) -> None:
    for title, author in [("Mine", CAST["official"].sub), ("Foreign", "somebody-else")]:
        article = news.create(News(title=title, slug=title, author_ids=[author]), actor=MAKER)
        news.delete(article, actor=MAKER)
    client = as_role("official")
    foreign = next(each for each in trash.page("news").items if each.label == "Foreign")

    assert labels(client.get("/cms/news/trash").context["rows"]) == ["Mine"]
    assert client.post("/cms/news/trash/restore", {"id": foreign.trash_id}).status_code == 403
    assert client.post("/cms/news/trash/restore", {"key": foreign.key}).status_code == 403
    assert client.get("/cms/news/trash/restore", {"id": foreign.trash_id}).status_code == 403


def test_an_image_that_dynamodb_has_not_removed_yet_is_no_longer_shown(as_role: AsRole) -> None:
    trashed = deleted("Treasurer")
    trashed.at = now() - timedelta(days=30)
    control.request("PutItem", TableName=TrashedItem.Meta.table_name, Item=trashed.serialize())

    assert as_role("moderator").get(TRASH).context["rows"] == []


def test_it_pages_by_a_token_that_belongs_to_the_person(as_role: AsRole) -> None:
    names = {f"Role {number:02}" for number in range(27)}
    for name in names:
        deleted(name)
    client = as_role("moderator")

    first = client.get(TRASH)
    token = first.context["next_address"]
    second = client.get(TRASH + token)

    assert (len(first.context["rows"]), len(second.context["rows"])) == (25, 2)
    assert {*labels(first.context["rows"]), *labels(second.context["rows"])} == names
    assert second.context["next_address"] == ""
    assert as_role("admin").get(TRASH + token).status_code == 400


def test_it_takes_two_requests(as_role: AsRole) -> None:
    deleted("Treasurer")
    client = as_role("moderator")

    with metering.metered() as meter:
        client.get(TRASH)

    assert meter.operations == ["GetItem", "Query"]


@pytest.mark.parametrize("asked", [{}, {"id": ""}, {"id": "x" * 5000}, {"id": "a/b"}, {"key": "x"}])
def test_what_is_not_in_the_trash_is_not_found(as_role: AsRole, asked: dict[str, str]) -> None:
    client = as_role("moderator")

    assert client.post(RESTORE, asked).status_code == 404
    assert client.get(RESTORE, asked).status_code == 404
