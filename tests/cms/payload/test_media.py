"""`manage.py import_payload`: what becomes of the fields of media and sponsors."""

from datetime import timedelta

from cms.events.repository import events
from cms.media.repository import media
from cms.members.repository import members
from cms.news.repository import news as news_repository
from cms.payload.document import our_id
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.dynamo.attributes import now, to_iso
from tests.cms.payload.exports import (
    article,
    brought,
    counts,
    doc,
    part,
    put_file,
    root,
    run,
    run_with_problems,
    words,
    write,
)
from tests.cms.payload.imported import CREATED, fields, notes
from tests.media_bucket import Bucket, pdf, photo

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


def test_files_come_with_their_texts_and_whatever_uses_them_finds_them(folder, bucket: Bucket):
    soon = now() + timedelta(days=100)
    put_file(folder, "derby.jpg", photo(900, 600))
    put_file(folder, "satzung.pdf", pdf())
    write(
        folder,
        media=[
            doc("m1", filename="derby.jpg", alt="Der Block", mimeType="image/jpeg", width=900, focalX=50),
            doc("m2", filename="satzung.pdf", alt=None, news={"docs": [1], "hasNextPage": False}),
        ],
        members=[doc(10, name="Änne", avatar={"id": "m1", "filename": "derby.jpg"})],
        teams=[doc(20, name="Damen 1", gender="woman", images=["m1"])],
        news=[
            article(
                1,
                images=["m1"],
                content=root({"type": "upload", "relationTo": "media", "value": "m1", "fields": None}),
            ),
        ],
        events=[doc(2, title="Fest", date={"startDate": "2026-05-01T10:00:00.000Z"}, images=["m1"])],
        sponsors=[doc(3, name="Bäckerei", website="https://example.com", logo="m1", expiryDate=to_iso(soon))],
    )

    lines = run(folder)

    picture, document = (brought(media, "media", key) for key in ("m1", "m2"))
    assert fields(picture, "original_name", "alt", "mime_type", "width", "height", "created_at") == [
        *("derby.jpg", "Der Block", "image/jpeg", 900, 600, CREATED)
    ]
    assert sorted(bucket.keys()) == sorted([*picture.s3_keys, *document.s3_keys])
    assert len(picture.variants) == 4
    assert bucket.get(document.s3_key) == pdf()
    news = brought(news_repository, "news", 1)
    assert news.image_ids == [picture.id]
    assert news.content["content"] == [{"type": "image", "attrs": {"mediaId": picture.id, "alt": ""}}]
    assert brought(members, "members", 10).avatar_id == picture.id
    assert brought(teams, "teams", 20).image_ids == [picture.id]
    assert brought(events, "events", 2).image_ids == [picture.id]
    sponsor = brought(sponsors, "sponsors", 3)
    assert fields(sponsor, "name", "website", "logo_id", "created_at") == [
        *("Bäckerei", "https://example.com", picture.id, CREATED)
    ]
    assert sponsor.expiry_timestamp == soon.replace(microsecond=0)
    assert notes(lines) == []


def test_a_link_to_a_file_leads_to_it_and_too_long_a_text_of_one_is_cut_with_a_note(folder, bucket: Bucket):
    put_file(folder, "satzung.pdf", pdf())
    to_file = {"linkType": "internal", "doc": {"relationTo": "media", "value": 1}}
    linked = {"type": "link", "fields": to_file, "children": [words("Satzung")]}
    write(
        folder,
        media=[doc(1, filename="satzung.pdf", alt="x" * 301)],
        news=[article(1, content=root({"type": "paragraph", "children": [linked]}))],
    )

    for _time in range(2):
        lines = run(folder)

    file = brought(media, "media", 1)
    (paragraph,) = brought(news_repository, "news", 1).content["content"]
    assert paragraph["content"][0]["marks"][0]["attrs"]["href"] == file.address
    assert file.alt == "x" * 300
    assert notes(lines) == [f"media 1 “satzung.pdf”: “alt” was cut after 300 characters: “{'x' * 301}”"]


def test_a_file_that_is_there_twice_is_uploaded_once_and_used_by_both(folder, bucket: Bucket):
    put_file(folder, "a.jpg", photo(300, 200))
    put_file(folder, "b.jpg", photo(300, 200))
    write(
        folder,
        media=[doc(1, filename="a.jpg"), doc(2, filename="b.jpg")],
        news=[article(1, images=[2])],
    )

    for expected in ([2, 0, 0, 0, 0], [0, 2, 0, 0, 0]):
        lines = run(folder)

        assert counts(lines, "media") == expected
        assert brought(news_repository, "news", 1).image_ids == [our_id("media", "1")]
        assert len(bucket.keys()) == 1
        assert notes(lines) == [
            "media 2 “b.jpg”: the library has this very file already, which is used instead"
        ]


def test_files_that_are_missing_or_cannot_be_taken_are_problems_and_their_users_are_noted(
    folder, bucket: Bucket
):
    put_file(folder, "logo.svg", SVG)
    (folder / "secret.jpg").write_bytes(photo(30, 30))
    (folder / "media" / "link.jpg").symlink_to(folder / "secret.jpg")
    write(
        folder,
        media=[
            doc(1, filename="gone.jpg"),
            doc(2, filename="logo.svg"),
            doc(3, filename="../secret.jpg"),
            doc(4, filename="link.jpg"),
            doc(5),
        ],
        news=[article(1, images=[1, 2])],
    )

    lines = run_with_problems(folder)

    assert counts(lines, "media") == [0, 0, 0, 5, 0]
    assert part(lines, "Problems") == [
        "media 1 “gone.jpg”: refused: its file “gone.jpg” is not in the folder “media”",
        "media 2 “logo.svg”: refused: SVG files can contain scripts and are not allowed. Save it as "
        "a PNG and upload that.",
        "media 3 “../secret.jpg”: refused: its file “../secret.jpg” is not in the folder “media”",
        "media 4 “link.jpg”: refused: its file “link.jpg” is not in the folder “media”",
        "media 5: refused: its file “” is not in the folder “media”",
    ]
    assert notes(lines) == [
        "news 1 “Derby”: “images” names media 1, which is not here",
        "news 1 “Derby”: “images” names media 2, which is not here",
    ]
    assert bucket.keys() == []


def test_more_pictures_than_a_record_takes_are_cut_and_noted(folder, bucket: Bucket):
    for number in range(22):
        put_file(folder, f"{number}.jpg", photo(20 + number, 20))
    write(
        folder,
        media=[doc(number, filename=f"{number}.jpg") for number in range(22)],
        news=[article(1, images=list(range(22)))],
    )

    lines = run(folder)

    assert brought(news_repository, "news", 1).image_ids == [our_id("media", str(key)) for key in range(20)]
    assert notes(lines) == ["news 1 “Derby”: “images” names more media than fit; left out: 20, 21"]


def test_a_sponsor_that_has_expired_is_left_out_and_noted(folder):
    write(folder, sponsors=[doc(1, name="Alt", expiryDate="2024-03-01T00:00:00.000Z"), doc(2, name="Immer")])

    lines = run(folder)

    assert counts(lines, "sponsors") == [1, 0, 1, 0, 0]
    assert notes(lines) == ["sponsors 1 “Alt”: left out: it has expired on 2024-03-01"]
    assert brought(sponsors, "sponsors", 2).expiry_timestamp is None


def test_an_address_that_is_no_web_address_is_left_out_and_noted(folder):
    write(folder, sponsors=[doc(1, name="Neu", website="javascript:alert(1)")])

    lines = run(folder)

    assert brought(sponsors, "sponsors", 1).website is None
    assert notes(lines) == [
        "sponsors 1 “Neu”: “website” was left out: “javascript:alert(1)” (Enter a valid URL.)"
    ]
