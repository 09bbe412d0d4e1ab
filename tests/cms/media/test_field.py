"""Pictures in other records' forms: shown as thumbnails, in their order, and kept like anything typed."""

import pytest
from django.http import HttpResponse

from cms.members.models import Member
from cms.members.repository import members
from cms.news.repository import news
from core.dynamo import metering, references, working_copies
from tests.cast import CAST
from tests.cms.articles import address_of, article, filled, of_form
from tests.cms.club import as_member, make_member, make_team, signed_in
from tests.cms.files import picture
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db", "bucket")


def text_of(page: HttpResponse) -> str:
    return page.content.decode()


def test_chosen_pictures_are_kept_in_their_order_and_the_first_is_the_cover(as_role) -> None:
    first, second = picture("A.jpg", colour="red"), picture("B.jpg", colour="navy")

    form = filled(as_role("official"), image_ids=[second.id, first.id])
    form.send()

    assert of_form(form).image_ids == [second.id, first.id]
    assert [row.field for row in references.used_in("media", first.id).items] == ["image_ids"]


def test_a_form_shows_them_as_thumbnails_by_the_read_that_it_makes_anyway(as_role) -> None:
    media = picture("A.jpg")
    item = article(image_ids=[media.id])
    client = as_role("official")

    with metering.metered() as meter:
        page = text_of(client.get(address_of(item)))

    assert f'data-label="A.jpg" data-picture="{media.thumbnail}"' in page
    assert meter.operations == ["BatchGetItem", "BatchGetItem"]


def test_what_is_not_in_the_library_is_refused_at_the_field(as_role) -> None:
    answer = filled(as_role("official"), image_ids=["00000000-0000-7000-8000-000000000001"]).send()

    assert answer.status_code == 422
    assert "Something you chose no longer exists." in text_of(answer)


def test_a_picture_that_the_person_may_not_see_is_refused_like_one_that_is_not_there() -> None:
    member = make_member()
    team = make_team(coach_ids=[member.id], image_ids=[(known := picture("A.jpg", colour="red")).id])
    other = picture("B.jpg", colour="navy")
    client = signed_in(as_member("member", member))

    refused = open_form(client, f"/cms/teams/{team.id}/").fill(image_ids=[known.id, other.id]).send()
    kept = open_form(client, f"/cms/teams/{team.id}/").fill(image_ids=[known.id]).send()

    assert (refused.status_code, kept.status_code) == (422, 302)
    assert "Something you chose no longer exists." in text_of(refused)


def test_the_working_copy_of_a_published_article_keeps_them(as_role) -> None:
    media, item = picture(), article(published=True)

    open_form(as_role("official"), address_of(item)).fill(image_ids=[media.id]).send(
        "save", to="autosave", htmx=True
    )

    copy = working_copies.get("news", item.id)
    assert copy is not None
    assert copy.values["typed"]["image_ids"] == [media.id]
    assert news.get(item.id, strong=True).image_ids == []


def test_without_javascript_the_library_is_searched_in_the_form(as_role) -> None:
    media = picture("Finale.jpg")
    form = filled(as_role("official"), image_ids__q="fina", image_ids__find="1")

    page = text_of(form.send())

    assert f'name="image_ids" value="{media.id}"' in page
    assert f'<img src="{media.thumbnail}"' in page


def test_a_member_has_one_picture(as_role) -> None:
    media = picture()
    member = members.create(Member(name="Ida"), actor=CAST["admin"].actor)
    client = as_role("moderator")

    open_form(client, f"/cms/members/{member.id}/").fill(avatar_id=[media.id]).send()

    assert members.get(member.id, strong=True).avatar_id == media.id


def test_a_coach_who_has_no_library_sees_the_pictures_of_the_team_but_chooses_none(as_role) -> None:
    media, coach = picture(), make_member()
    team = make_team(coach_ids=[coach.id], image_ids=[media.id])
    address = f"/cms/teams/{team.id}/"

    pages = [
        text_of(client.get(address)) for client in (signed_in(as_member("member", coach)), as_role("admin"))
    ]

    assert [f'data-picture="{media.thumbnail}"' in page for page in pages] == [True, True]
    assert ["data-library=" in page for page in pages] == [False, True]
