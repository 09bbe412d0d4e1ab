"""`manage.py import_payload`: what becomes of the fields of each of Payload's collections."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils.formats import date_format
from django.utils.timezone import localdate

from cms.bus.repository import bookings
from cms.events.repository import events
from cms.locations.repository import locations
from cms.media.repository import media
from cms.members.repository import members
from cms.news.repository import news as news_repository
from cms.payload.document import our_id
from cms.roles.repository import roles
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.accounts.models import Person
from core.accounts.repository import people
from core.content.richtext import plain_text
from core.dynamo import history, references
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from tests.cms.payload.exports import (
    article,
    brought,
    counts,
    doc,
    lexical,
    part,
    put_file,
    root,
    run,
    run_with_problems,
    words,
    write,
)
from tests.media_bucket import Bucket, pdf, photo

CREATED = datetime(2025, 6, 7, 17, 2, 44, 123000, tzinfo=UTC)
ANNA = doc("u1", name="Anna Arndt", email="Anna@Example.com", role="official")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.fixture
def folder(db, tmp_path):
    return tmp_path / "export"


@pytest.fixture
def anna(db) -> str:
    """She has an account here, under another spelling of her address."""
    people.create(Person(sub="anna-sub", name="Anna", email="anna@example.com"), actor=SYSTEM)
    return "anna-sub"


def notes(lines: list[str]) -> list[str]:
    """Without that of the collections that are not in the export."""
    return [note for note in part(lines, "Notes") if not note.startswith("not in the export")]


def fields(record: Any, *names: str) -> list[Any]:
    return [getattr(record, name) for name in names]


# --- News ----------------------------------------------------------------------------------------------


def test_an_article_comes_with_all_that_it_had(folder, anna):
    write(
        folder,
        users=[ANNA],
        news=[
            article(
                5,
                "Derby gewonnen?",
                content=root(
                    {"type": "heading", "tag": "h2", "children": [words("Satz 5")]},
                    {"type": "paragraph", "children": [words("Fünf "), words("Sätze", 1)]},
                ),
                excerpt="Satz 5 Fünf Sätze",
                authors=["u1"],
                isPublished=True,
            )
        ],
    )

    lines = run(folder)

    record = brought(news_repository, "news", 5)
    assert record.content == {
        "type": "doc",
        "content": [
            {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Satz 5"}]},
            {
                "type": "paragraph",
                "content": [
                    {"type": "text", "text": "Fünf "},
                    {"type": "text", "text": "Sätze", "marks": [{"type": "bold"}]},
                ],
            },
        ],
    }
    assert fields(record, "title", "slug", "excerpt", "status") == [
        *("Derby gewonnen?", "derby-gewonnen", "Fünf Sätze", "published")
    ]
    assert fields(record, "author_ids", "image_ids", "tags") == [[anna], [], []]
    assert fields(record, "created_at", "publish_at", "published_date") == [
        *(CREATED, datetime(2025, 6, 7, 10, tzinfo=UTC), datetime(2025, 6, 7, 10, tzinfo=UTC))
    ]
    assert notes(lines) == []
    (entry,) = history.entries("news", record.id).items
    assert (entry.verb, entry.actor) == ("create", "system")
    assert [found.id for found in news_repository.public().items] == [record.id]


def test_a_summary_that_somebody_wrote_is_kept_and_one_that_payload_cut_is_made_anew(folder):
    text = "Wort " * 200
    write(
        folder,
        news=[
            article(1, content=lexical(text), excerpt=text[:500] + "..."),
            article(2, "Zwei", content=lexical(text), excerpt="Kurz gesagt."),
        ],
    )

    assert notes(run(folder)) == []

    assert brought(news_repository, "news", 1).excerpt == ("Wort " * 100).strip() + "…"
    assert brought(news_repository, "news", 2).excerpt == "Kurz gesagt."


@pytest.mark.parametrize(
    "hidden",
    [
        *({"_status": "draft"}, {"_status": None, "isPublished": False}, {"isPublished": False}),
        *({"_status": "secret"}, {"_status": ["published"]}),
    ],
)
def test_what_was_hidden_stays_a_draft_that_no_reader_sees(folder, client, hidden):
    write(folder, news=[article(1, "Geheim", **hidden)])

    run(folder)

    assert brought(news_repository, "news", 1).status == "draft"
    assert client.get("/news/geheim/").status_code == 404
    assert b"Geheim" not in client.get("/news/").content
    assert news_repository.public().items == []


def test_an_article_without_a_text_becomes_a_draft_and_the_report_says_so(folder):
    block = {"type": "block", "fields": {"blockType": "video", "url": "https://example.com/v"}}
    write(folder, news=[article(1, content=root(block))])

    lines = run(folder)

    assert brought(news_repository, "news", 1).status == "draft"
    assert notes(lines) == [
        "news 1 “Derby”: “content”: a block “video” was left out: “https://example.com/v”",
        "news 1 “Derby”: it lacks a text, so it is a draft",
    ]


def test_links_between_documents_lead_to_their_addresses_here(folder):
    def link(collection: str, value: object) -> dict[str, Any]:
        inner = {"linkType": "internal", "doc": {"relationTo": collection, "value": value}}
        return {"type": "link", "fields": inner, "children": [words("hier")]}

    content = root(
        {
            "type": "paragraph",
            "children": [link("news", 2), link("events", {"id": 3}), link("teams", 4), link("pages", 5)],
        }
    )
    write(
        folder,
        news=[
            article(0, "Zwei", createdAt="2024-01-01T00:00:00.000Z"),
            article(1, "Eins", content=content),
            article(2, "Zwei"),
        ],
        events=[doc(3, title="Fest", date={"startDate": "2026-05-01T10:00:00.000Z"})],
        teams=[doc(4, name="Herren 1", gender="men")],
    )

    lines = run(folder)

    (paragraph,) = brought(news_repository, "news", 1).content["content"]
    marks = [node["marks"][0]["attrs"]["href"] for node in paragraph["content"] if "marks" in node]
    assert marks == ["/news/zwei-2/", "/events/fest/", "/teams/herren1/"]
    assert "news 1 “Eins”: “content”: the link to pages 5 leads nowhere and was left out" in notes(lines)


def test_authors_without_an_account_are_named_in_the_report(folder, anna):
    bert = {"id": "u2", "name": "Bert Braun", "email": "bert@example.com"}
    write(folder, users=[ANNA], news=[article(1, authors=[{"id": "u1"}, bert, "u3"])])

    lines = run(folder)

    assert brought(news_repository, "news", 1).author_ids == [anna]
    assert notes(lines) == [
        "news 1 “Derby”: “authors” names Bert Braun, who has no account here and was left out",
        "news 1 “Derby”: “authors” names the user u3, who is not in the export",
    ]


def test_users_without_an_account_are_listed_with_the_role_that_they_had(folder):
    write(folder, users=[ANNA], news=[])

    assert notes(run(folder)) == ["users u1 “Anna Arndt”: has no account here; the role there was “official”"]


def test_fields_that_have_no_place_here_are_listed(folder):
    write(folder, news=[article(1, meta={"description": "Für Suchmaschinen", "image": None}, layout="wide")])

    assert notes(run(folder)) == [
        "news 1 “Derby”: “meta.description” has no place here: “Für Suchmaschinen”",
        "news 1 “Derby”: “layout” has no place here: “wide”",
    ]


# --- The Lexical original --------------------------------------------------------------------------------


def test_the_lexical_original_is_kept_beside_the_text_and_survives_edits(folder, settings):
    settings.KEEP_LEXICAL = True
    date = {"startDate": "2026-05-01T10:00:00.000Z"}
    write(folder, news=[article(1)], events=[doc(2, title="Fest", date=date, description=lexical("Fest."))])
    run(folder)
    news, event = brought(news_repository, "news", 1), brought(events, "events", 2)

    news_repository.update(news, {"title": "Anders"}, actor=SYSTEM)
    events.update(event, {"title": "Anders"}, actor=SYSTEM)

    assert json.loads(brought(news_repository, "news", 1).content_lexical) == lexical("Five sets.")
    assert json.loads(brought(events, "events", 2).description_lexical) == lexical("Fest.")
    assert all("contentLexical" not in entry.fields for entry in history.entries("news", news.id).items)
    listed = news_repository.by_date().items[0]
    assert "contentLexical" not in listed.stored


def test_without_the_setting_no_original_is_kept(folder):
    write(folder, news=[article(1)])
    run(folder)

    assert "contentLexical" not in brought(news_repository, "news", 1).stored


def test_an_original_that_would_make_the_record_too_large_is_not_kept_which_is_noted(folder, settings):
    settings.KEEP_LEXICAL = True
    long = lexical(*["Wort " * 200] * 170)
    write(folder, news=[article(1, content=long)])

    lines = run(folder)

    record = brought(news_repository, "news", 1)
    assert record.content_lexical is None
    assert plain_text(record.content).count("Wort") == 34_000
    assert notes(lines) == [
        "news 1 “Derby”: “content”: the Lexical original is too large to be kept beside the text"
    ]


# --- Events ----------------------------------------------------------------------------------------------


def test_an_event_comes_with_all_that_it_had(folder, anna):
    write(
        folder,
        users=[ANNA],
        events=[
            doc(
                "e-1",
                title="Sommerfest",
                description=lexical("Mit Grill."),
                date={"startDate": "2026-07-04T13:00:00.000Z", "endDate": "2026-07-04T20:15:00.000Z"},
                address={"name": "Halle", "street": "Am Platz 1", "postalCode": 1067, "city": "Dresden"},
                authors=[ANNA],
                images=None,
            )
        ],
    )

    lines = run(folder)

    record = brought(events, "events", "e-1")
    assert fields(record, "title", "slug", "status") == ["Sommerfest", "sommerfest", "published"]
    assert plain_text(record.description) == "Mit Grill."
    assert fields(record, "start_date", "end_date") == [
        *(datetime(2026, 7, 4, 13, tzinfo=UTC), datetime(2026, 7, 4, 20, 15, tzinfo=UTC))
    ]
    assert record.address == {"name": "Halle", "street": "Am Platz 1", "postalCode": 1067, "city": "Dresden"}
    assert fields(record, "author_ids", "image_ids", "created_at") == [[anna], [], CREATED]
    assert notes(lines) == []


def test_what_does_not_fit_into_an_event_is_left_out_and_noted(folder):
    write(
        folder,
        events=[
            doc(
                1,
                title="Verdreht",
                date={"startDate": "2026-07-04T13:00:00.000Z", "endDate": "2026-07-03T13:00:00.000Z"},
                address={"name": "Halle", "postalCode": 7},
            ),
            doc(2, title="Irgendwann", date={"startDate": "morgen"}),
        ],
    )

    lines = run(folder)

    first, second = (brought(events, "events", key) for key in (1, 2))
    assert fields(first, "status", "end_date", "address") == ["published", None, {"name": "Halle"}]
    assert fields(second, "status", "start_date") == ["draft", None]
    assert notes(lines) == [
        "events 1 “Verdreht”: its end was left out, for it does not fit its beginning: "
        "“2026-07-03T13:00:00.000Z”",
        "events 1 “Verdreht”: “postalCode” was left out: “7” (Enter a postal code, such as "
        "79379 or SW1A 1AA.)",
        "events 2 “Irgendwann”: “date.startDate” is not a time and was left out: “morgen”",
        "events 2 “Irgendwann”: it lacks a date, so it is a draft",
    ]


# --- Teams, members, roles and places ------------------------------------------------------------------


def a_club(**team: Any) -> dict[str, list[dict[str, Any]]]:
    return {
        "roles": [doc(1, name="Trainerin", vorstand=False), doc(2, name="1. Vorsitz", vorstand=True)],
        "locations": [
            doc(
                7,
                name="Sporthalle",
                description="Eingang hinten",
                address={"street": "Schulweg 2", "postalCode": 1067, "city": "Dresden"},
            )
        ],
        "members": [
            doc(10, name="Änne Öhm", email="Aenne@Example.com", phone="0171 1", roles=[{"id": 1}, 2]),
            doc(11, name="Bo Beck", roles=[]),
        ],
        "teams": [doc(20, **({"name": "Herren 1", "slug": "herren1", "gender": "men"} | team))],
    }


def test_roles_places_and_members_come_with_all_that_they_had(folder):
    write(folder, **a_club())

    assert notes(run(folder)) == []

    trainer, chair = (brought(roles, "roles", key) for key in (1, 2))
    assert [fields(role, "name", "vorstand", "created_at") for role in (trainer, chair)] == [
        *(["Trainerin", False, CREATED], ["1. Vorsitz", True, CREATED])
    ]
    place = brought(locations, "locations", 7)
    assert fields(place, "name", "description", "street", "postal", "city", "created_at") == [
        *("Sporthalle", "Eingang hinten", "Schulweg 2", "01067", "Dresden", CREATED)
    ]
    member = brought(members, "members", 10)
    assert fields(member, "name", "email", "phone", "role_ids", "avatar_id", "created_at") == [
        *("Änne Öhm", "aenne@example.com", "0171 1", [trainer.id, chair.id], None, CREATED)
    ]
    assert fields(brought(members, "members", 11), "email", "phone", "role_ids") == [
        None,
        None,
        [],
    ]


def test_a_team_comes_with_all_that_it_had(folder):
    write(
        folder,
        sams_teams=[doc(3, name="VC 1", uuid="abc-uuid")],
        **a_club(
            age=16,
            league="Landesliga",
            sbvvTeam=3,
            description="Wir spielen.",
            people={"coaches": [10], "contactPeople": [{"id": 11}, 10]},
            schedules=[
                {
                    "day": ["donnerstags", "montags"],
                    # On the club's clock: one time of winter and one of summer.
                    "time": {"startTime": "2025-01-15T18:30:00.000Z", "endTime": "2025-06-15T19:30:00.000Z"},
                    "location": {"id": 7},
                    "id": "row",
                }
            ],
            instagram="@VC_Example",
        ),
    )

    lines = run(folder)

    record = brought(teams, "teams", 20)
    aenne, bo = our_id("members", "10"), our_id("members", "11")
    assert fields(record, "name", "slug", "status", "gender", "age", "league", "sbvv_team_id") == [
        *("Herren 1", "herren1", "published", "men", 16, "Landesliga", "abc-uuid")
    ]
    assert fields(record, "description", "instagram", "created_at") == ["Wir spielen.", "vc_example", CREATED]
    assert fields(record, "coach_ids", "contact_person_ids") == [[aenne], [bo, aenne]]
    assert record.schedules == [
        {
            "day": ["montags", "donnerstags"],
            "startTime": "19:30",
            "endTime": "21:30",
            "locationId": our_id("locations", "7"),
        }
    ]
    assert notes(lines) == []
    used = references.used_in("location", our_id("locations", "7"))
    assert [(row.entity, row.key) for row in used.items] == [("team", record.id)]


def test_what_does_not_fit_into_a_team_is_left_out_and_noted(folder):
    write(
        folder,
        **a_club(
            gender="cats",
            league="Weltliga",
            sbvvTeam=99,
            people={"coaches": [10, 404]},
            schedules=[
                {"day": ["montags"], "time": {"startTime": "20:00", "endTime": "19:00"}, "location": 7}
            ],
            instagram="no handle!",
        ),
    )

    lines = run(folder)

    record = brought(teams, "teams", 20)
    assert fields(record, "status", "gender", "league", "sbvv_team_id", "instagram", "schedules") == [
        *("draft", None, None, None, None, [])
    ]
    assert record.coach_ids == [our_id("members", "10")]
    assert [note.removeprefix("teams 20 “Herren 1”: ") for note in notes(lines)] == [
        "“gender” was left out: “cats” (Select a valid choice. cats is not one of the available choices.)",
        "it lacks a gender, so it is a draft",
        "“league” was left out: “Weltliga” (Select a valid choice. Weltliga is not one of the available "
        "choices.)",
        "“sbvvTeam” names sams-teams 99, which is not in the export",
        "“people.coaches” names members 404, which is not here",
        "a time of training was left out: montags, 20:00, 19:00, locations 7",
        "“instagram” was left out: “no handle!” (Enter the name of the account, such as “vc_example”.)",
    ]


# --- Media and sponsors --------------------------------------------------------------------------------


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
        "media 2 “logo.svg”: refused: SVG drawings can carry scripts, so they are not taken. Save it as PNG "
        "and upload that.",
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


# --- The bus -------------------------------------------------------------------------------------------


def day(days: int) -> date:
    return localdate() + timedelta(days=days)


def shown(when: date) -> str:
    return date_format(when, "SHORT_DATE_FORMAT")


def booking(key: int, first: date, last: date, **values: Any) -> dict[str, Any]:
    """A day that was picked is stored as its noon, and the usual one as the midnight before it."""
    schedule = {"start": f"{first - timedelta(days=1)}T23:00:00.000Z", "end": f"{last}T12:00:00.000Z"}
    return doc(key, schedule=schedule, **values)


def test_a_booking_comes_with_all_that_it_had(folder, anna):
    write(
        folder,
        users=[ANNA],
        bus_bookings=[
            booking(1, day(7), day(9), traveler="Cleo", comment="Turnier", booker="u1"),
            booking(2, day(20), day(20), booker={"id": "u1"}),
        ],
    )

    lines = run(folder)

    record = brought(bookings, "bus-bookings", 1)
    assert fields(record, "driver", "comment", "from_day", "to_day", "booker_id", "created_at") == [
        *("Cleo", "Turnier", day(7), day(9), anna, CREATED)
    ]
    assert fields(brought(bookings, "bus-bookings", 2), "driver", "from_day", "to_day") == [
        *("Anna Arndt", day(20), day(20))
    ]
    assert notes(lines) == []


def test_bookings_that_cannot_be_are_problems_and_old_ones_are_left_out(folder):
    write(
        folder,
        bus_bookings=[
            booking(1, day(7), day(9), traveler="Cleo"),
            booking(2, day(9), day(10), traveler="Dora"),
            booking(3, day(50), day(40), traveler="Emil"),
            booking(4, day(50), day(90), traveler="Fritz"),
            booking(5, day(50), day(51)),
            doc(6, traveler="Gesa", schedule={}),
            booking(7, day(-60), day(-50), traveler="Hugo"),
        ],
    )

    lines = run_with_problems(folder)

    assert counts(lines, "bus-bookings") == [1, 0, 1, 5, 0]
    assert [problem.removeprefix("bus-bookings ") for problem in part(lines, "Problems")] == [
        f"2 “Dora”: refused: The bus is booked from {shown(day(7))} to {shown(day(9))} by Cleo.",
        "3 “Emil”: refused: it ends before it begins",
        "4 “Fritz”: refused: it is longer than 40 days",
        "5: refused: “driver”: This field is required.",
        "6 “Gesa”: refused: “schedule.start” is not a day",
    ]
    assert notes(lines) == [
        f"bus-bookings 7 “Hugo”: left out: it was over on {day(-50)}, and such bookings are not kept"
    ]
