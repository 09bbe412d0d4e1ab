"""Content of every kind that programs make: what their pages would make of the same values."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils.timezone import localdate

from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.user import User
from core.content.richtext import from_plain_text
from core.crud.registry import resource_for
from core.dynamo import history
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.cms.club import make_location, make_member, make_team
from tests.cms.public import make_picture

pytestmark = pytest.mark.usefixtures("db")

CONTENT = "/api/v1/cms"
TEXT = from_plain_text("Come all.")
TOMORROW = localdate() + timedelta(days=1)


def send(kind: str, body: Any, role: str = "moderator", **headers: str):
    return Program(role).post(f"{CONTENT}/{kind}", body, **headers)


def made(kind: str, body: dict[str, Any], role: str = "moderator") -> dict[str, Any]:
    answer = send(kind, body, role)
    assert answer.status_code == 201, answer.content
    record: dict[str, Any] = answer.json()
    assert (answer["ETag"], answer["Location"]) == ('"1"', f"{CONTENT}/{kind}/{record['id']}")
    assert Program(role).get(answer["Location"] + "?strong=true").json() == record
    return record


def shown(record: dict[str, Any], *names: str) -> list[Any]:
    return [record[name] for name in names]


def test_an_event_with_its_place() -> None:
    team = make_team()
    body = {
        "title": "Summer party",
        "startDate": "2026-10-25T00:30:00.000Z",
        "endDate": "2026-10-25T01:30:00.000Z",
        "address": {"name": "Clubhouse", "street": "Am Platz 1", "postalCode": "79379", "city": "Müllheim"},
        "description": TEXT,
        "imageIds": [make_picture().id],
        "variant": "Party",
        "teamIds": [team.id],
    }

    record = made("events", body, "official")

    assert {name: record[name] for name in body} == body | {
        "address": body["address"] | {"postalCode": 79379}
    }
    assert shown(record, "slug", "status", "authorIds") == [
        "summer-party",
        "draft",
        [CAST["official"].sub],
    ]


def test_a_postal_code_keeps_the_zero_with_which_it_begins() -> None:
    sent: list[str | int] = ["01067", 1067, "4051", 79379]
    codes = [
        made("events", {"title": f"Event {code!r}", "address": {"postalCode": code}})["address"]["postalCode"]
        for code in sent
    ]
    assert codes == ["01067", "01067", "4051", 79379]


def test_a_team_with_its_training() -> None:
    hall, coach = make_location(), make_member()
    training = {
        "day": ["montags", "freitags"],
        "startTime": "18:00",
        "endTime": "20:00",
        "locationId": hall.id,
    }
    body = {
        "name": "Damen 1",
        "gender": "woman",
        "age": 16,
        "league": "Landesliga",
        "description": "We play.",
        "coachIds": [coach.id],
        "schedules": [training, training | {"day": ["sonntags"]}],
        "instagram": "@VC_Example",
    }

    record = made("teams", body)

    assert {name: record[name] for name in body} == body | {"instagram": "vc_example"}
    assert shown(record, "slug", "status", "contactPersonIds", "imageIds") == ["damen1", "draft", [], []]


def test_a_member_with_how_to_reach_them() -> None:
    role = roles.create(Role(name="Trainer"), actor=SYSTEM)
    record = made(
        "members", {"name": "Maya", "roleIds": [role.id], "email": "Maya@Club.example", "phone": "1"}
    )

    assert shown(record, "name", "roleIds", "email", "phone") == ["Maya", [role.id], "maya@club.example", "1"]


def test_a_role() -> None:
    records = [made("roles", {"name": "Board", "vorstand": True}), made("roles", {"name": "Helper"})]
    assert [each["vorstand"] for each in records] == [True, False]


def test_a_location() -> None:
    body = {"name": "Mühlenhalle", "street": "Am Bach 2", "postal": "01067", "city": "Dresden"}
    assert made("locations", body).items() >= (body | {"description": None}).items()


def test_a_sponsor_is_shown_for_a_year_or_as_long_as_it_is_told() -> None:
    usual = made("sponsors", {"name": "Bakery", "website": "https://bread.example"})
    until = made("sponsors", {"name": "Butcher", "expiryTimestamp": "2126-01-31T12:00:00Z"})
    for_good = made("sponsors", {"name": "Brewery", "expiryTimestamp": None})

    assert date.fromisoformat(usual["expiryTimestamp"][:10]) - now().date() >= timedelta(days=364)
    assert until["expiryTimestamp"] == "2126-01-31T12:00:00.000Z"
    assert for_good["expiryTimestamp"] is None


def test_a_social_post() -> None:
    body = {
        "url": "https://social.example/1",
        "caption": "Won!",
        "timestamp": "2026-03-05T17:04:12.000Z",
        "type": "Video",
        "teamId": make_team().id,
    }
    assert made("posts", body).items() >= body.items()


def test_a_page() -> None:
    record = made("pages", {"title": "Statutes", "content": TEXT})
    assert shown(record, "slug", "status", "content") == ["statutes", "draft", TEXT]


def test_a_booking_of_the_bus() -> None:
    body = {"driver": "Mara", "from": TOMORROW.isoformat(), "to": TOMORROW.isoformat(), "comment": "Cup"}
    record = made("bus", body, "member")
    assert record.items() >= (body | {"bookerId": CAST["member"].sub}).items()
    assert send("bus", body, "other-member").status_code == 409


LEAST: dict[str, dict[str, Any]] = {
    "news": {"title": "Final"},
    "events": {"title": "Summer party"},
    "teams": {"name": "Herren 1"},
    "members": {"name": "Maya"},
    "roles": {"name": "Trainer"},
    "sponsors": {"name": "Bakery"},
    "locations": {"name": "Mühlenhalle"},
    "posts": {
        "url": "https://social.example/1",
        "caption": "Won!",
        "timestamp": "2026-03-05T17:04:12Z",
        "type": "Image",
    },
    "pages": {"title": "Statutes"},
    "bus": {"driver": "Mara", "from": TOMORROW.isoformat(), "to": TOMORROW.isoformat()},
}
ENTITIES = {
    "news": "news",
    "events": "event",
    "teams": "team",
    "members": "member",
    "roles": "role",
    "sponsors": "sponsor",
    "locations": "location",
    "posts": "post",
    "pages": "page",
    "bus": "bus",
}


@pytest.mark.parametrize("kind", LEAST)
def test_what_is_sent_again_with_its_key_is_made_once(kind: str) -> None:
    first, again = (send(kind, LEAST[kind], idempotency_key="once") for _time in range(2))
    other = send(kind, LEAST[kind] | {"title": "Other"}, idempotency_key="once")

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first["Location"] == again["Location"]
    assert other.status_code in (400, 422)
    (entry,) = history.entries(ENTITIES[kind], first.json()["id"]).items
    assert (entry.verb, entry.actor) == ("create", CAST["moderator"].sub)


@pytest.mark.parametrize("kind", LEAST)
def test_nothing_is_made_without_what_every_record_needs(kind: str) -> None:
    answer = send(kind, {})
    assert (answer.status_code, sorted(pointers(answer))) == (
        400,
        sorted(f"/body/{name}" for name in LEAST[kind]),
    )


@pytest.mark.parametrize("kind", LEAST)
@pytest.mark.parametrize("name", ["id", "entity", "version", "status", "createdAt", "refs", "sortName"])
def test_what_the_server_decides_is_refused(kind: str, name: str) -> None:
    answer = send(kind, LEAST[kind] | {name: "1"})
    assert (answer.status_code, pointers(answer)) == (400, [f"/body/{name}"])


@pytest.mark.parametrize(
    ("kind", "wrong", "pointer"),
    [
        ("events", {"endDate": "2026-01-01T00:00:00Z"}, "/body/startDate"),
        ("events", {"startDate": "2026-01-01T12:00:00Z", "endDate": "2026-01-01T11:00:00Z"}, "/body/endDate"),
        ("events", {"startDate": "2026-01-01"}, "/body/startDate"),
        ("events", {"address": {"postalCode": "!"}}, "/body/address/postalCode"),
        ("events", {"address": {"country": "DE"}}, "/body/address/country"),
        ("events", {"teamIds": ["no-such-team"]}, "/body/teamIds"),
        ("events", {"description": {"type": "doc", "content": [{"type": "script"}]}}, "/body/description"),
        ("teams", {"gender": "all"}, "/body/gender"),
        ("teams", {"age": 0}, "/body/age"),
        ("teams", {"age": "16"}, "/body/age"),
        ("teams", {"slug": "all"}, "/body/slug"),
        ("teams", {"schedules": [{"day": []}]}, "/body/schedules/0/endTime"),
        ("teams", {"coachIds": "no-list"}, "/body/coachIds"),
        ("members", {"email": "no-address"}, "/body/email"),
        ("members", {"avatarId": "no-such-file"}, "/body/avatarId"),
        ("sponsors", {"website": "javascript:alert(1)"}, "/body/website"),
        ("sponsors", {"expiryTimestamp": "2020-01-01T00:00:00Z"}, "/body/expiryTimestamp"),
        ("locations", {"name": "x" * 201}, "/body/name"),
        ("posts", {"url": "https://club.example@evil.example"}, "/body/url"),
        ("posts", {"url": "https://["}, "/body/url"),
        ("posts", {"type": "Song"}, "/body/type"),
        ("pages", {"slug": "cms"}, "/body/slug"),
        ("bus", {"to": "2020-01-01"}, "/body/to"),
        ("bus", {"from": "tomorrow"}, "/body/from"),
    ],
)
def test_what_the_form_would_refuse_is_refused_with_its_place(
    kind: str, wrong: dict[str, Any], pointer: str
) -> None:
    answer = send(kind, LEAST[kind] | wrong)

    assert answer.status_code == 400
    assert pointer in pointers(answer)
    assert Program("moderator").get(f"{CONTENT}/{kind}").json() == []


def test_the_rows_that_are_wrong_are_named() -> None:
    training = {
        "day": ["montags"],
        "startTime": "18:00",
        "endTime": "20:00",
        "locationId": make_location().id,
    }
    rows = [training, training | {"endTime": "17:00"}, training | {"locationId": "no-such-place"}]

    answer = send("teams", LEAST["teams"] | {"schedules": rows})

    assert answer.status_code == 400
    assert pointers(answer) == ["/body/schedules/1/endTime", "/body/schedules/2/locationId"]


@pytest.mark.parametrize("kind", LEAST)
def test_it_is_for_those_who_may_make_it_on_the_pages(kind: str) -> None:
    right = resource_for(ENTITIES[kind]).right("create")
    for role in ("moderator", "official", "member", "scout", "guest"):
        assert send(kind, LEAST[kind], role).status_code == (201 if _may(CAST[role], right) else 403)
        for each in Program("admin").get(f"{CONTENT}/{kind}").json():
            Program("admin").delete(f"{CONTENT}/{kind}/{each['id']}")


def _may(user: User, right: str) -> bool:
    from core.accounts.rights import may_to_some

    return may_to_some(user, right)


@pytest.mark.parametrize(("kind", "field"), [("members", "name"), ("sponsors", "name"), ("roles", "name")])
def test_a_name_is_given_once(kind: str, field: str) -> None:
    made(kind, LEAST[kind])
    answer = send(kind, LEAST[kind])
    assert (answer.status_code, "errors" in answer.json()) == (409, False)
