"""The directory of people: who signed in or was invited can be named by records."""

from collections.abc import Callable
from itertools import count
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import Client

from core.accounts import directory, hooks
from core.accounts.cast import CAST as DEMO_CAST
from core.accounts.models import Person
from core.accounts.repository import people
from core.accounts.user import User
from core.dynamo import history
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound, Unavailable
from core.dynamo.metering import metered
from core.dynamo.search import search
from core.dynamo.transactions import Transaction
from core.people.resource import directory as resource
from tests.cast import CAST
from tests.core.dynamo.library import everybody_may
from tests.racing import at_once
from tests.user_pool import Pool

pytestmark = pytest.mark.usefixtures("db")
ODILE = CAST["official"]


def entered(sub: str) -> tuple[str, str]:
    person = people.get(sub, strong=True)
    return person.name, person.email


def verbs(sub: str) -> list[str]:
    return [entry.verb for entry in history.entries("person", sub).items]


def test_the_first_sign_in_enters_the_person() -> None:
    hooks.signed_in(ODILE)

    assert entered("official-sub") == ("Odile Brandt", "official@fieldhouse.example")
    assert [hit.key for hit in search("bran", ["people"], may_see=everybody_may).hits] == ["official-sub"]


def test_another_sign_in_costs_one_read_and_writes_nothing() -> None:
    hooks.signed_in(ODILE)

    with metered() as meter:
        directory.enter_at_sign_in(ODILE)

    assert meter.operations == ["GetItem"]
    assert verbs("official-sub") == ["create"]


def test_a_new_name_or_address_is_taken_over() -> None:
    hooks.signed_in(ODILE)

    hooks.signed_in(User.of(sub=ODILE.sub, name="Odile Ärmel", email="odile@club.example", groups=[]))

    assert entered("official-sub") == ("Odile Ärmel", "odile@club.example")
    assert search("brandt", ["people"], may_see=everybody_may).hits == []
    assert verbs("official-sub") == ["update", "create"]


def test_many_tabs_that_sign_in_at_once_enter_the_person_once() -> None:
    assert at_once(lambda _tab: directory.enter_at_sign_in(ODILE), 8) == [None] * 8

    assert entered("official-sub")[0] == "Odile Brandt"
    assert verbs("official-sub") == ["create"]


def test_two_tabs_that_bring_a_new_name_at_once_take_it_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    directory.enter_at_sign_in(ODILE)
    get, both_have_read, reads = people.get, Barrier(2, timeout=300), count(1)

    def get_with_the_other(*arguments: Any, **options: Any) -> Person:
        known = get(*arguments, **options)
        # The slower one reads once more.
        if next(reads) <= 2:
            both_have_read.wait()
        return known

    monkeypatch.setattr(people, "get", get_with_the_other)
    renamed = User.of(sub=ODILE.sub, name="Odile Ärmel", email=ODILE.email, groups=[])

    assert at_once(lambda _tab: directory.enter_at_sign_in(renamed), 2) == [None, None]

    monkeypatch.undo()
    assert entered("official-sub")[0] == "Odile Ärmel"
    assert verbs("official-sub") == ["update", "create"]


def test_who_is_entered_again_has_a_version_that_no_earlier_form_had() -> None:
    directory.enter_at_sign_in(ODILE)
    earlier = people.get(ODILE.sub, strong=True)
    people.delete(earlier, actor=ODILE.actor)

    directory.enter_at_sign_in(ODILE)

    assert people.get(ODILE.sub, strong=True).version > earlier.version


def test_people_are_listed_by_name_whatever_its_accents_and_capitals() -> None:
    for number, name in enumerate(["Zoe Abt", "Änne Berg", "adam Zorn", "Bo Dal"]):
        people.create(Person(sub=f"s{number}", name=name, email=""), actor=ODILE.actor)

    assert [person.name for person in people.by_name().items] == [
        "adam Zorn",
        "Änne Berg",
        "Bo Dal",
        "Zoe Abt",
    ]


def test_whoever_is_invited_can_be_named_before_they_come(
    as_person: Callable[[str], Client], pool: Pool
) -> None:
    as_person("admin").post(
        "/people/invite", {"given_name": "Ida", "family_name": "Berg", "email": "ida@people.example"}
    )

    sub = pool.ask("admin_get_user", Username="ida@people.example")["Username"]
    (ida,) = search("ida", ["people"], may_see=everybody_may).hits
    assert (ida.label, ida.item.email) == ("Ida Berg", "ida@people.example")
    assert entered(sub) == ("Ida Berg", "ida@people.example")


def test_an_invitation_stands_when_the_directory_cannot_be_written(
    as_person: Callable[[str], Client], pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise Unavailable

    monkeypatch.setattr(directory, "enter", fail)
    response = as_person("admin").post("/people/invite", {"given_name": "Ida", "email": "ida@people.example"})

    assert response.status_code == 302
    sub = pool.ask("admin_get_user", Username="ida@people.example")["Username"]
    with pytest.raises(NotFound):
        people.get(sub)


@pytest.mark.slow
def test_the_demo_accounts_are_in_the_directory(pool: Pool) -> None:
    call_command("demo")

    listed = people.by_name().items
    assert {(person.name, person.email) for person in listed} == {
        (person.name, person.email) for person in DEMO_CAST
    }
    assert {user.sub for user in pool.people.values()} == {person.sub for person in listed}


@pytest.mark.parametrize("name", ["", "\u0301"])
def test_a_person_without_a_name_that_can_be_sorted_by_is_listed_by_address(name: str) -> None:
    hooks.signed_in(User.of(sub="nameless-sub", name=name, email="abel@club.example", groups=[]))
    hooks.signed_in(ODILE)

    assert [person.sub for person in people.by_name().items] == ["nameless-sub", "official-sub"]


def test_nobody_can_change_a_person_by_the_ways_of_other_records() -> None:
    hooks.signed_in(ODILE)

    with pytest.raises(PermissionDenied):
        resource.ensure(CAST["admin"], "update", people.get(ODILE.sub))


def test_a_renewed_session_of_somebody_who_was_removed_enters_nobody() -> None:
    directory.enter_name(ODILE)

    with pytest.raises(NotFound):
        people.get(ODILE.sub)


def test_nothing_is_brought_in_line_with_a_directory_that_does_not_know_somebody() -> None:
    directory.repair_copies(ODILE.sub)

    with pytest.raises(NotFound):
        people.get(ODILE.sub)


def test_a_profile_with_the_name_of_the_directory_writes_nothing_to_it() -> None:
    directory.enter_at_sign_in(ODILE)
    transaction = Transaction()
    directory.rename(
        ODILE.sub, ODILE.name, email=ODILE.email, actor=ODILE.actor, as_of=now(), transaction=transaction
    )

    assert transaction.operations() == []
