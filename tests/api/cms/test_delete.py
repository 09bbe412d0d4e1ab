"""Deleting content and taking it out of the trash again."""

from collections.abc import Callable

import pytest

from core.dynamo.items import Item
from tests.api.programs import Program
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.club import (
    make_location,
    make_member,
    make_page,
    make_post,
    make_role,
    make_sponsor,
    make_team,
)
from tests.cms.occasions import booking, day, event

pytestmark = pytest.mark.usefixtures("db")

CONTENT = "/api/v1/cms"
KINDS: dict[str, Callable[[], Item]] = {
    "news": article,
    "events": event,
    "teams": make_team,
    "members": make_member,
    "roles": make_role,
    "sponsors": make_sponsor,
    "locations": make_location,
    "posts": make_post,
    "pages": make_page,
    "bus": lambda: booking(day(3)),
}


def address_of(kind: str, item: Item) -> str:
    return f"{CONTENT}/{kind}/{item.id}"  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_deleted_and_comes_back_as_it_was(kind: str) -> None:
    address, program = address_of(kind, KINDS[kind]()), Program("moderator")
    before = program.get(address + "?strong=true").json()

    assert program.delete(address, if_match='"7"').status_code == 412
    assert program.delete(address, if_match='"1"').status_code == 204
    assert program.get(address + "?strong=true").status_code == 404
    assert program.delete(address).status_code == 404
    for _time in range(2):
        answer = program.post(f"{address}/restore")
        assert answer.status_code == 200
        assert answer.json() == before
        assert answer.json() == program.get(address + "?strong=true").json()


@pytest.mark.parametrize("kind", KINDS)
def test_what_never_was_is_not_restored(kind: str) -> None:
    assert Program("moderator").post(f"{CONTENT}/{kind}/no-such-record/restore").status_code == 404


def test_what_others_use_is_not_deleted() -> None:
    role = make_role()
    make_member(role_ids=[role.id])
    answer = Program("moderator").delete(address_of("roles", role))
    assert (answer.status_code, "still in use" in answer.json()["detail"]) == (409, True)


def test_it_comes_back_without_what_was_deleted_since() -> None:
    role = make_role()
    person = make_member(role_ids=[role.id])
    program = Program("moderator")
    program.delete(address_of("members", person))
    program.delete(address_of("roles", role))

    answer = program.post(address_of("members", person) + "/restore")

    assert (answer.status_code, answer.json()["roleIds"]) == (200, [])


def test_a_name_that_somebody_else_has_by_now_is_a_conflict() -> None:
    sponsor, program = make_sponsor("Bakery"), Program("moderator")
    program.delete(address_of("sponsors", sponsor))
    make_sponsor("Bakery")
    assert program.post(address_of("sponsors", sponsor) + "/restore").status_code == 409


def test_only_those_who_may_delete_it_take_it_back() -> None:
    own, other = article(), article("Other", by="moderator")
    for item in (own, other):
        Program("moderator").delete(address_of("news", item))
    official = Program("official")
    assert official.post(address_of("news", other) + "/restore").status_code == 403
    answer = official.post(address_of("news", own) + "/restore")
    assert (answer.status_code, answer.json()["authorIds"]) == (200, [CAST["official"].sub])
