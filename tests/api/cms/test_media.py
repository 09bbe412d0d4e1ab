"""The media library by the API: uploads in two steps, descriptions, and files that are used."""

from io import BytesIO
from typing import Any

import pytest
import requests
from django.core import signing
from django.http import HttpResponse
from PIL import Image

from cms.media.models import MediaFile
from cms.media.repository import media
from core.accounts.personal_tokens import services as tokens
from core.dynamo import metering
from core.media import storage, tickets
from core.media.tickets import Ticket
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.files import document, picture
from tests.cms.public import make_picture
from tests.media_bucket import Bucket, pdf, photo

pytestmark = pytest.mark.usefixtures("db")

FILES = "/api/v1/cms/media"


@pytest.fixture
def official(bucket: Bucket) -> Program:
    return Program("official")


def begun(program: Program, **fields: Any) -> HttpResponse:
    return program.post(f"{FILES}/uploads", {"name": "Party.jpg", "size": 1000} | fields)


def sent(program: Program, data: bytes, **fields: Any) -> str:
    """The ticket of a file that is in S3."""
    place = begun(program, size=len(data), **fields).json()
    answer = requests.post(place["url"], data=place["fields"], files={"file": data}, timeout=300)
    assert answer.status_code == 204
    return str(place["ticket"])


def stored() -> list[MediaFile]:
    return media.by_age().items


# --- Uploads ------------------------------------------------------------------------------------------------


def test_a_file_is_sent_to_the_place_that_was_asked_for_and_taken_with_its_ticket(official, bucket) -> None:
    ticket = sent(official, photo(1600, 1200), folder="news")

    answer = official.post(FILES, {"ticket": ticket, "alt": "Children at the net"})

    made = answer.json()
    (file,) = stored()
    assert (answer.status_code, answer["ETag"]) == (201, '"1"')
    assert answer["Location"] == f"{FILES}/{file.id}"
    assert official.get(answer["Location"] + "?strong=true").json() == made
    assert made == {
        "id": file.id,
        "entity": "media",
        "originalName": "Party.jpg",
        "alt": "Children at the net",
        "caption": None,
        "mimeType": "image/jpeg",
        "size": file.size,
        "width": 1600,
        "height": 1200,
        "uploadedBy": CAST["official"].sub,
        "url": f"{bucket.address}/{file.s3_key}",
        "thumbnail": file.thumbnail,
        "createdAt": made["createdAt"],
        "updatedAt": made["updatedAt"],
        "version": 1,
    }
    assert bucket.served(file.s3_key).status_code == 200
    assert bucket.keys("uploads/") == []


def test_what_a_photo_says_of_its_maker_is_gone(official, bucket) -> None:
    exif = Image.Exif()
    exif[0x013B] = "Mara Muster"
    official.post(FILES, {"ticket": sent(official, photo(600, 400, exif=exif))})
    (file,) = stored()
    for key in file.s3_keys:
        assert not Image.open(BytesIO(bucket.get(key))).getexif()


def test_the_same_ticket_and_the_same_file_are_one_record(official) -> None:
    ticket = sent(official, photo())
    first, again = (official.post(FILES, {"ticket": ticket}) for _time in range(2))
    double = official.post(FILES, {"ticket": sent(official, photo(), name="Other.jpg")})

    assert [each.status_code for each in (first, again, double)] == [201, 200, 200]
    assert first.json() == again.json() == double.json()
    assert len(stored()) == 1


def test_a_document_is_a_file_without_a_picture(official) -> None:
    ticket = sent(official, pdf(), name="Statutes.pdf", kinds=["document"])
    made = official.post(FILES, {"ticket": ticket}).json()
    assert (made["mimeType"], made["thumbnail"], made["width"]) == ("application/pdf", None, None)


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", []),
        (b"GIF89a and then nothing", []),
        (pdf(), ["image"]),
        (photo(99, 99), ["document"]),
    ],
)
def test_what_is_no_such_file_is_refused_and_forgotten(official, bucket, data, kinds) -> None:
    answer = official.post(FILES, {"ticket": sent(official, data, kinds=kinds)})
    assert (answer.status_code, answer.json()["title"]) == (422, "Unprocessable Entity")
    assert (stored(), bucket.keys()) == ([], [])


@pytest.mark.parametrize(
    ("wrong", "status", "pointer"),
    [
        ({"size": 0}, 400, "/body/size"),
        ({"size": 26 * 1024 * 1024}, 413, ""),
        ({"name": ""}, 400, "/body/name"),
        ({"folder": "private"}, 400, "/body/folder"),
        ({"kinds": ["film"]}, 400, "/body/kinds/0"),
        ({"replaces": "any"}, 400, "/body/replaces"),
    ],
)
def test_a_place_is_asked_for_rightly(official, wrong, status, pointer) -> None:
    answer = begun(official, **wrong)
    assert answer.status_code == status
    assert pointers(answer) == [pointer] if pointer else "errors" not in answer.json()


def test_a_file_that_never_arrived_is_not_found(official) -> None:
    ticket = begun(official).json()["ticket"]
    assert official.post(FILES, {"ticket": ticket}).status_code == 404


def test_a_ticket_is_good_for_its_person_and_for_the_library(official) -> None:
    ticket = sent(official, photo())
    private = Ticket(CAST["official"].sub, "robot.jpg", "private/pits/2026mndu").signed()
    forged = signing.dumps({"sub": "x"}, salt="other")

    assert Program("moderator").post(FILES, {"ticket": ticket}).status_code == 400
    for wrong in (private, forged, ticket[:-1], "x"):
        assert official.post(FILES, {"ticket": wrong}).status_code == 400
    assert official.post(FILES, {"ticket": ""}).status_code == 400
    assert stored() == []


def test_without_a_bucket_somebody_has_to_wait(settings) -> None:
    settings.MEDIA_BUCKET = ""
    answer = begun(Program("official"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


@pytest.mark.parametrize("role", ["member", "scout", "guest"])
def test_uploads_are_for_officials(bucket, role) -> None:
    assert begun(Program(role)).status_code == 403
    assert Program(role).post(FILES, {"ticket": "any"}).status_code == 403


def test_a_token_that_only_reads_uploads_nothing(bucket) -> None:
    program = Program(token=tokens.make(CAST["official"], "Sheet", ["cms:read"], 30).text)
    assert program.get(FILES).status_code == 200
    assert begun(program).status_code == 403


# --- The library --------------------------------------------------------------------------------------------


def test_files_are_listed_the_newest_first_by_kind_and_by_what_they_lack(bucket) -> None:
    one, two = picture("One.jpg", alt="A net"), picture("Two.jpg", colour="teal", by="official")
    other = document()
    program = Program("moderator")

    def names(query: str = "") -> list[str]:
        return [each["originalName"] for each in program.get(f"{FILES}{query}").json()]

    assert names() == [other.original_name, two.original_name, one.original_name]
    assert names("?kind=document") == [other.original_name]
    assert names("?description=missing") == [two.original_name]
    assert Program("official").get(f"{FILES}?by=me").json()[0]["id"] == two.id
    row = program.get(f"{FILES}?limit=1&kind=image&fields=url,thumbnail").json()["items"]
    assert row == [{"url": two.address, "thumbnail": two.thumbnail}]
    assert program.get(f"{FILES}/{one.id}?fields=thumbnail").json() == {"thumbnail": one.thumbnail}


def test_a_list_of_a_hundred_costs_one_request_and_the_token_another() -> None:
    for number in range(100):
        make_picture(f"{number}.jpg")
    program = Program(token=tokens.make(CAST["moderator"], "Sheet", ["cms:read"], 30).text)
    program.get(FILES)
    with metering.metered() as meter:
        assert len(program.get(f"{FILES}?limit=100").json()["items"]) == 100
    assert meter.operations == ["GetItem", "Query"]


def test_a_description_is_changed_by_moderators_and_by_who_uploaded_it() -> None:
    file = make_picture(uploaded_by=CAST["official"].sub)
    address = f"{FILES}/{file.id}"

    answer = Program("official").patch(address, {"alt": "A spike", "caption": "Final"}, if_match='"1"')
    assert (answer.status_code, answer.json()["alt"], answer.json()["caption"]) == (200, "A spike", "Final")
    assert Program("moderator").patch(address, {"alt": None}, if_match='"2"').json()["alt"] is None
    other = make_picture("other.jpg", uploaded_by=CAST["moderator"].sub)
    refused = Program("official").patch(f"{FILES}/{other.id}", {"alt": "Mine"}, if_match='"1"')
    assert refused.status_code == 403
    for wrong, pointer in (({"alt": "x" * 301}, "/body/alt"), ({"s3Key": "x"}, "/body/s3Key")):
        answer = Program("moderator").patch(address, wrong, if_match='"3"')
        assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_a_file_that_is_used_stays_and_its_uses_are_told_to_those_who_may_view_them() -> None:
    file = make_picture()
    item = article("Derby", image_ids=[file.id])
    program = Program("moderator")
    address = f"{FILES}/{file.id}"

    assert program.delete(address).status_code == 409
    page = f"http://testserver/cms/news/{item.id}/"
    assert program.get(f"{address}/uses").json() == [{"kind": "article", "title": "Derby", "page": page}]
    assert program.delete(f"/api/v1/cms/news/{item.id}").status_code == 204
    assert program.get(f"{address}/uses").json() == []
    assert program.delete(address).status_code == 204
    assert program.post(f"{address}/restore").json()["id"] == file.id


def test_only_moderators_delete_files() -> None:
    file = make_picture(uploaded_by=CAST["official"].sub)
    assert Program("official").delete(f"{FILES}/{file.id}").status_code == 403


def test_an_upload_is_bound_to_an_hour(official, monkeypatch) -> None:
    ticket = sent(official, photo())
    monkeypatch.setattr(tickets, "VALID_SECONDS", -1)
    assert official.post(FILES, {"ticket": ticket}).status_code == 400
    assert begun(official).json()["expiresIn"] == storage.POST_SECONDS
