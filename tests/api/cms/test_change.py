"""Changes of content of every kind: what was sent and nothing else, by version, by those who may."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from core.content.richtext import from_plain_text
from core.crud.registry import resource_for
from core.dynamo.items import Item
from tests.api.programs import Program, pointers
from tests.cms.articles import article
from tests.cms.club import (
    as_member,
    make_location,
    make_member,
    make_page,
    make_post,
    make_role,
    make_sponsor,
    make_team,
    signed_in,
    training,
)
from tests.cms.occasions import booking, day, event

pytestmark = pytest.mark.usefixtures("db")

CONTENT = "/api/v1/cms"
# How one is made, and a field of it with another value.
KINDS: dict[str, tuple[Callable[[], Item], str, Any]] = {
    "news": (article, "title", "Other"),
    "events": (event, "title", "Other"),
    "teams": (make_team, "description", "Other"),
    "members": (lambda: make_member(email="maya@club.example", phone="123"), "name", "Other"),
    "roles": (make_role, "vorstand", True),
    "sponsors": (lambda: make_sponsor(website="https://bread.example"), "description", "Other"),
    "locations": (lambda: make_location(city="Müllheim"), "street", "Am Bach 2"),
    "posts": (make_post, "caption", "Other"),
    "pages": (lambda: make_page(content=from_plain_text("Who we are.")), "title", "Other"),
    "bus": (lambda: booking(day(3), comment="Cup"), "comment", "Final"),
}
MADE = {"updatedAt", "version", "slug", "firstPublishedAt"}


def address_of(kind: str, item: Item) -> str:
    return f"{CONTENT}/{kind}/{item.id}"  # type: ignore[attr-defined]


def program_of(client: Client) -> Program:
    program = Program()
    program.client = client
    return program


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_changes_what_is_sent_and_nothing_else(kind: str) -> None:
    make, name, value = KINDS[kind]
    address, program = address_of(kind, make()), Program("moderator")
    before = program.get(address + "?strong=true").json()

    answer = program.patch(address, {name: value}, if_match='"1"')

    after = answer.json()
    assert (answer.status_code, answer["ETag"], after["version"]) == (200, '"2"', 2)
    assert program.get(address + "?strong=true").json() == after
    differs = {each for each in before if before[each] != after[each]} - MADE
    assert differs == {name}
    assert after[name] == value


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_names_the_version_that_was_seen_and_is_done_once(kind: str) -> None:
    make, name, value = KINDS[kind]
    address, program = address_of(kind, make()), Program("moderator")
    sent = {name: value}

    assert program.patch(address, sent).status_code == 428
    assert program.patch(address, sent, if_match='"7"').status_code == 412
    for _time in range(2):
        answer = program.patch(address, sent, if_match='"1"', idempotency_key="once")
        assert (answer.status_code, answer["ETag"]) == (200, '"2"')
    assert program.patch(address, sent, if_match='"1"').status_code == 412
    assert program.patch(address, {}, if_match='"1"', idempotency_key="once").status_code == 422


@pytest.mark.parametrize("kind", ["teams", "sponsors"])
def test_of_those_who_change_a_version_in_the_same_moment_one_wins(kind: str) -> None:
    address = address_of(kind, KINDS[kind][0]())
    programs = [Program("moderator") for _number in range(4)]

    def send(number: int) -> int:
        sent = {"description": f"Number {number}"}
        return programs[number].patch(address, sent, if_match='"1"').status_code

    with ThreadPoolExecutor(len(programs)) as pool:
        statuses = list(pool.map(send, range(len(programs))))

    assert sorted(statuses) == [200, 412, 412, 412]
    stored = programs[0].get(address + "?strong=true").json()
    assert (stored["version"], stored["description"]) == (2, f"Number {statuses.index(200)}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_that_is_not_there_is_not_changed(kind: str) -> None:
    _make, name, value = KINDS[kind]
    answer = Program("moderator").patch(f"{CONTENT}/{kind}/no-such-record", {name: value}, if_match='"1"')
    assert answer.status_code == 404


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("news", "events", "bus")])
def test_those_who_may_only_view_it_change_nothing(kind: str) -> None:
    make, name, value = KINDS[kind]
    item = make()
    for role in ("official", "member", "guest"):
        answer = Program(role).patch(address_of(kind, item), {name: value}, if_match='"1"')
        assert answer.status_code == 403
    assert Program("stranger").patch(address_of(kind, item), {name: value}, if_match='"1"').status_code == 401


def test_a_list_is_replaced_as_a_whole_and_emptied() -> None:
    hall, coach = make_location(), make_member()
    team = make_team(schedules=[training(hall, "montags")], coach_ids=[coach.id])
    address, program = address_of("teams", team), Program("moderator")

    rows = [training(hall, "dienstags"), training(hall, "freitags", start="19:00", end="21:00")]
    assert program.patch(address, {"schedules": rows}, if_match='"1"').json()["schedules"] == rows
    answer = program.patch(address, {"schedules": [], "coachIds": []}, if_match='"2"').json()
    assert (answer["schedules"], answer["coachIds"]) == ([], [])


def test_an_address_is_replaced_as_a_whole_and_removed() -> None:
    item = event(address={"name": "Clubhouse", "city": "Müllheim"})
    address, program = address_of("events", item), Program("moderator")

    answer = program.patch(address, {"address": {"street": "Am Platz 1"}}, if_match='"1"')
    assert answer.json()["address"] == {"street": "Am Platz 1"}
    assert program.patch(address, {"address": None}, if_match='"2"').json()["address"] is None


def test_what_readers_see_stays_complete() -> None:
    item = event()
    answer = Program("moderator").patch(address_of("events", item), {"startDate": None}, if_match='"1"')
    assert (answer.status_code, pointers(answer)) == (400, ["/body/startDate"])


# --- Coaches and contact persons ----------------------------------------------------------------------------


def test_coaches_and_contact_persons_change_and_publish_their_own_team() -> None:
    coach, contact = make_member("Coach"), make_member("Contact")
    team = make_team(coach_ids=[coach.id], contact_person_ids=[contact.id])
    address = address_of("teams", team)
    own, theirs = (program_of(signed_in(as_member("member", each))) for each in (coach, contact))

    assert own.patch(address, {"description": "We play."}, if_match='"1"').status_code == 200
    assert theirs.patch(address, {"description": "We train."}, if_match='"2"').status_code == 200
    assert own.post(f"{address}/publish").json()["status"] == "published"
    assert theirs.post(f"{address}/unpublish").json()["status"] == "draft"
    assert own.delete(address).status_code == 403
    assert own.post(f"{CONTENT}/teams", {"name": "Herren 2"}).status_code == 403


def test_coaches_read_all_teams_and_change_no_other() -> None:
    coach = make_member("Coach")
    make_team(coach_ids=[coach.id])
    address = address_of("teams", make_team("Damen 1"))
    own = program_of(signed_in(as_member("member", coach)))

    assert len(own.get(f"{CONTENT}/teams?limit=100").json()["items"]) == 2
    assert own.get(address).status_code == 200
    assert own.patch(address, {"description": "Mine"}, if_match='"1"').status_code == 403
    assert own.post(f"{address}/publish").status_code == 403


# --- Members ------------------------------------------------------------------------------------------------


def test_contact_data_is_for_the_member_and_for_moderators() -> None:
    user = as_member("member")
    mine = make_member("Me", email=user.email, phone="123")
    make_member("Other", email="other@club.example", phone="456")
    me = program_of(signed_in(as_member("member", mine)))

    def contacts(program: Program) -> list[Any]:
        return [(each["email"], each["phone"]) for each in program.get(f"{CONTENT}/members").json()]

    hidden, own = (None, None), (user.email, "123")
    assert contacts(me) == [own, hidden]
    assert contacts(Program("official")) == [hidden, hidden]
    assert contacts(Program("moderator")) == [own, ("other@club.example", "456")]
    address = address_of("members", mine)
    assert me.get(f"{address}?fields=phone").json() == {"phone": "123"}
    assert Program("official").get(f"{address}?fields=phone,name").json() == {"phone": None, "name": "Me"}


def test_members_change_their_own_entry_but_not_their_roles() -> None:
    role = make_role(vorstand=True)
    mine = make_member("Me", email=as_member("member").email)
    me, address = program_of(signed_in(as_member("member", mine))), address_of("members", mine)

    assert me.patch(address, {"phone": "456"}, if_match='"1"').json()["phone"] == "456"
    assert me.patch(address, {"roleIds": [role.id]}, if_match='"2"').status_code == 403
    assert me.patch(address_of("members", make_member()), {"name": "X"}, if_match='"1"').status_code == 403
    assert Program("moderator").patch(address, {"roleIds": [role.id]}, if_match='"2"').status_code == 200


def test_nobody_writes_what_they_may_not_read() -> None:
    resource = resource_for("member")
    item = make_member(email="maya@club.example")
    assert resource.concealed(as_member("official"), item) == {"email", "phone"}
    answer = Program("official").patch(address_of("members", item), {"email": None}, if_match='"1"')
    assert answer.status_code == 403
