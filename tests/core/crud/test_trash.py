"""The trash of a list: what was deleted, by whom, until when, and how it comes back."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from cms.locations.repository import locations
from cms.media.models import MediaFile
from cms.media.repository import media
from cms.members.repository import members
from cms.news.models import News
from cms.news.repository import news
from cms.roles.repository import roles
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.content.richtext import from_plain_text
from core.dynamo import history, maintenance, metering, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from core.dynamo.items import Item
from core.dynamo.repository import Repository
from core.dynamo.trash import TrashedItem
from tests.cast import CAST
from tests.cms.club import make_location, make_member, make_sponsor, make_team, training
from tests.cms.public import make_picture
from tests.core.crud.roles import LIST, MAKER, make, names_in

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
    assert "Deleted entries are kept here for 30 days." in response.content.decode()


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
    assert "This value is now used elsewhere." in page
    assert 'name="name" value="Treasurer"' in page

    response = as_role("moderator").post(
        RESTORE, {"id": trashed.trash_id, "taken": "name", "name": "Treasurer of 2025"}
    )

    assert response.status_code == 302
    assert roles.get(trashed.key).name == "Treasurer of 2025"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("treasurer", "This is already taken. Choose another."),
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
    assert "This already exists." in response.content.decode()
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


def image_of(repository: Repository[Any], record: Item) -> TrashedItem:
    """A record of any kind in the trash."""
    key = repository.key_of(record)
    repository.delete(repository.get(key, strong=True), actor=MAKER)
    trashed = trash.of_record(repository.entity, key)
    assert trashed is not None
    return trashed


def delete_picture(picture: MediaFile, *, for_ever: bool = False) -> None:
    media.delete(media.get(picture.id, strong=True), actor=MAKER, for_ever=for_ever)


def with_pictures(*pictures: MediaFile) -> dict[str, Any]:
    nodes = [{"type": "image", "attrs": {"mediaId": each.id, "alt": ""}} for each in pictures]
    return {"type": "doc", "content": [*from_plain_text("Five sets.")["content"], *nodes]}


@pytest.mark.parametrize("for_ever", [False, True])
def test_a_picture_that_is_gone_since_is_left_out_and_named(as_role: AsRole, for_ever: bool) -> None:
    gone, kept = make_picture("gone.jpg"), make_picture("kept.jpg")
    article = news.create(
        News(title="Derby", image_ids=[gone.id, kept.id], content=with_pictures(kept, gone)), actor=MAKER
    )
    image = image_of(news, article)
    delete_picture(gone, for_ever=for_ever)

    response = as_role("moderator").post("/cms/news/trash/restore", {"id": image.trash_id}, follow=True)

    assert "“Derby” was restored without: file “gone.jpg”." in response.content.decode()
    restored = news.get(article.id, strong=True)
    assert (restored.image_ids, restored.content) == ([kept.id], with_pictures(kept))
    assert restored.text_image_ids == [kept.id]


def test_undo_does_the_same(as_role: AsRole) -> None:
    sponsor = make_sponsor(logo_id=(logo := make_picture("logo.png")).id)
    image_of(sponsors, sponsor)
    delete_picture(logo)

    response = as_role("moderator").post("/cms/sponsors/trash/restore", {"key": sponsor.id}, headers=HTMX)

    assert names_in(response.content.decode()) == ["Bäckerei Kornblum"]
    assert "without: file “logo.png”" in response.content.decode()
    assert sponsors.get(sponsor.id, strong=True).logo_id is None


def test_training_stays_when_its_place_or_coach_is_gone(as_role: AsRole) -> None:
    place, coach = make_location("Halle"), make_member("Maya")
    team = make_team(schedules=[training(place, "montags")], coach_ids=[coach.id])
    image = image_of(teams, team)
    locations.delete(locations.get(place.id, strong=True), actor=MAKER)
    members.delete(members.get(coach.id, strong=True), actor=MAKER)

    response = as_role("moderator").post("/cms/teams/trash/restore", {"id": image.trash_id}, follow=True)

    assert (
        "“Herren 1” was restored without: member “Maya” and location “Halle”."
    ) in response.content.decode()
    restored = teams.get(team.id, strong=True)
    assert restored.schedules == [training(place, "montags") | {"locationId": None}]
    assert restored.coach_ids == []


def test_of_many_that_are_gone_the_first_three_are_named(as_role: AsRole) -> None:
    pictures = [make_picture(f"{number}.jpg") for number in range(5)]
    article = news.create(News(title="Derby", image_ids=[each.id for each in pictures]), actor=MAKER)
    image = image_of(news, article)
    for picture in pictures:
        delete_picture(picture)

    with metering.metered() as meter:
        response = as_role("moderator").post("/cms/news/trash/restore", {"id": image.trash_id}, headers=HTMX)

    assert re.search(r"without: (file “\d.jpg”, ){2}file “\d.jpg” and 2 more<", response.content.decode())
    # Refused once, whatever is gone.
    assert meter.operations.count("TransactWriteItems") == 2


def test_its_history_tells_what_was_left_out(as_role: AsRole) -> None:
    gone = make_picture("gone.jpg")
    article = news.create(News(title="Derby", image_ids=[gone.id]), actor=MAKER)
    image = image_of(news, article)
    delete_picture(gone)
    client = as_role("moderator")
    client.post("/cms/news/trash/restore", {"id": image.trash_id})

    newest = history.entries("news", article.id, limit=1).items[0]
    told = client.get(f"/cms/news/{article.id}/history").content.decode()

    assert (newest.verb, newest.fields) == ("leave_out", ["imageIds"])
    assert "removed deleted entries from it" in told


def test_a_name_taken_since_is_asked_for_also_when_something_is_gone(as_role: AsRole) -> None:
    coach = make_member("Maya")
    team = make_team(coach_ids=[coach.id])
    image = image_of(teams, team)
    members.delete(members.get(coach.id, strong=True), actor=MAKER)
    make_team(slug="herren")
    client = as_role("moderator")

    asked = client.post("/cms/teams/trash/restore", {"id": image.trash_id})
    answer = {"id": image.trash_id, "taken": "name", "name": "Herren 2"}
    response = client.post("/cms/teams/trash/restore", answer, follow=True)

    assert "taken=name" in asked["Location"]
    assert "“Herren 2” was restored without: member “Maya”." in response.content.decode()
    assert teams.get(team.id, strong=True).coach_ids == []


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
    maintenance.request("PutItem", TableName=TrashedItem.Meta.table_name, Item=trashed.serialize())

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
