"""The page of one file: what it is, what it shows, where it is used, and how it goes."""

import pytest

from cms.media.models import MediaFile
from cms.media.repository import media as library
from cms.members.models import Member
from cms.members.repository import members
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import metering
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.files import address_of, document, picture
from tests.core.crud.pages import open_form
from tests.media_bucket import Bucket

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def media(bucket: Bucket) -> MediaFile:
    return picture("Sommerfest.jpg", alt="Kinder am Netz")


def stored(media: MediaFile) -> MediaFile:
    return library.get(media.id, strong=True)


def test_it_shows_the_picture_with_its_facts_and_its_address(as_role, media: MediaFile) -> None:
    page = as_role("moderator").get(address_of(media)).content.decode()

    assert f'srcset="{media.srcset}"' in page
    assert 'alt="Kinder am Netz" width="600" height="400"' in page
    assert "JPEG, 600 \N{MULTIPLICATION SIGN} 400 ·" in page
    assert f'id="file-address" value="{media.address}" readonly' in page
    assert "Not used yet." in page


def test_a_document_is_offered_for_download(as_role, bucket: Bucket) -> None:
    page = as_role("moderator").get(address_of(document())).content.decode()

    assert "<picture" not in page
    assert "Download" in page


def test_it_leads_to_everything_that_uses_it(as_role, media: MediaFile) -> None:
    derby, final = article("Derby", image_ids=[media.id]), article("Final", image_ids=[media.id])

    client = as_role("moderator")
    with metering.metered() as meter:
        page = client.get(address_of(media))

    assert {use.label: use.address for use in page.context["uses"]} == {
        "Derby": f"/cms/news/{derby.id}/",
        "Final": f"/cms/news/{final.id}/",
    }
    # The session with the file, the rows of its uses, their names.
    assert meter.operations == ["BatchGetItem", "Query", "BatchGetItem"]


def test_description_caption_and_name_are_changed(as_role, media: MediaFile) -> None:
    form = open_form(as_role("moderator"), address_of(media))
    form.fill(alt="Jubel nach dem Finale", caption="Foto: Odile", original_name="Finale.jpg")

    assert form.send().status_code == 302

    changed = stored(media)
    assert (changed.alt, changed.caption, changed.original_name) == (
        "Jubel nach dem Finale",
        "Foto: Odile",
        "Finale.jpg",
    )
    assert changed.s3_key == media.s3_key


def test_a_file_that_is_not_used_goes_to_the_trash(as_role, media: MediaFile) -> None:
    answer = as_role("moderator").post(address_of(media, "delete"), {"version": "1"})

    assert answer["Location"] == "/cms/media/"
    assert library.get_many([media.id]) == {}


def test_a_used_file_is_not_deleted_but_it_says_where_it_is_used(as_role, media: MediaFile) -> None:
    article("Derby", image_ids=[media.id])
    client = as_role("moderator")

    page = client.get(address_of(media, "delete")).content.decode()
    answer = client.post(address_of(media, "delete"), {"version": "1"})

    assert "This is still in use." in page
    assert ">Derby</a>" in page
    assert 'id="confirm-delete"' not in page
    assert answer.status_code == 409
    assert stored(media).refs == 1


def test_or_it_is_taken_out_of_them_and_deleted_in_one_step(as_role, media: MediaFile) -> None:
    derby = article("Derby", image_ids=[media.id])
    client = as_role("moderator")

    answer = client.post(address_of(media, "delete"), {"version": "1", "remove_uses": "yes"})

    assert answer["Location"] == "/cms/media/"
    assert library.get_many([media.id]) == {}
    assert news.get(derby.id, strong=True).image_ids == []


def test_records_whose_uses_cannot_be_removed_offer_no_such_button(as_role) -> None:
    actor = CAST["admin"].actor
    role = roles.create(Role(name="Trainer"), actor=actor)
    members.create(Member(name="Ida", role_ids=[role.id]), actor=actor)
    client, address = as_role("admin"), f"/cms/roles/{role.id}/delete"

    assert 'id="remove-uses"' not in client.get(address).content.decode()
    assert client.post(address, {"version": "1", "remove_uses": "yes"}).status_code == 409
