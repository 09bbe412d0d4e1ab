"""The access patterns of files: each is one request."""

import pytest

from cms.media.models import MediaFile
from cms.media.repository import media as media_repository
from core.accounts.rights import may
from core.dynamo import metering, search
from core.dynamo.actors import Actor
from core.media.file_urls import public_address
from tests.cast import CAST

pytestmark = [pytest.mark.usefixtures("db"), pytest.mark.aws]


def created(actor: Actor, name: str, **fields: object) -> MediaFile:
    variants = [
        {"width": 480, "height": 320, "format": kind, "s3Key": f"news/{name}/480.{ending}"}
        for kind, ending in (("jpeg", "jpg"), ("webp", "webp"))
    ]
    picture = MediaFile(
        filename=name,
        original_name=name,
        s3_key=f"news/{name}/{name}",
        s3_bucket="club",
        mime_type="image/jpeg",
        size=9,
        width=600,
        height=400,
        content_hash=f"hash of {name}",
        variants=variants,
        **fields,
    )
    return media_repository.create(picture, actor=actor)


def test_files_are_found_by_id_by_age_and_by_their_bytes_in_one_request_each(alice: Actor) -> None:
    first, second = created(alice, "a.jpg"), created(alice, "b.jpg")

    with metering.metered() as meter:
        assert media_repository.get(first.id).original_name == "a.jpg"
        assert set(media_repository.get_many([first.id, second.id, "none"])) == {first.id, second.id}
        newest = media_repository.by_age(newest_first=True).items
        assert media_repository.key_with_hash("hash of b.jpg") == second.id
        assert media_repository.key_with_hash("hash of c.jpg") is None

    assert meter.operations == ["GetItem", "BatchGetItem", "Query", "BatchGetItem", "BatchGetItem"]
    assert [media.id for media in newest] == [second.id, first.id]
    assert newest[0].thumbnail == second.thumbnail, "the list shows pictures without further requests"


def test_files_are_found_by_the_words_of_name_alternative_text_and_caption(alice: Actor) -> None:
    media = created(alice, "IMG_4711.jpg", alt="Kinder am Netz", caption="Müllheim")

    for words in ("4711", "netz", "mullh"):
        found = search.search(words, ["cms"], may_see=lambda entity, record: True)
        assert [hit.key for hit in found.hits] == [media.id]
    assert may(CAST["official"], "cms.media.view")


def test_a_picture_tells_browsers_its_sizes(alice: Actor) -> None:
    media = created(alice, "ä b.jpg")
    folder = public_address("news/ä b.jpg")

    assert folder.endswith("/news/%C3%A4%20b.jpg")
    assert media.url == media.address == f"{folder}/%C3%A4%20b.jpg"
    assert media.thumbnail == f"{folder}/480.jpg"
    assert media.srcset == f"{folder}/480.jpg 480w, {media.address} 600w"
    assert media.webp_srcset == f"{folder}/480.webp 480w"
