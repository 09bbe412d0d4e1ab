"""Accounts are called as the directory says: by the name of the profile and the address of the login."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from django.test import Client

from core.accounts import directory, hooks
from core.accounts.repository import people
from core.accounts.user import User
from core.dynamo import history, metering
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.search import search
from quests import repository
from quests.services import accounts
from tests.cast import CAST, sign_in
from tests.core.dynamo.library import everybody_may
from tests.quests.board import CREATOR, PERFORMER, STEWARD, account_of, completed, offered, open_accounts
from tests.racing import at_once
from tracker import repository as tracker
from tracker.people import services as profiles

pytestmark = pytest.mark.usefixtures("db")
OWN = "/tracker/profile/"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _signed_in_once(db):
    for person in (CREATOR, PERFORMER):
        hooks.signed_in(replace(person, issued_at=NOON))
    open_accounts(STEWARD)


def copied(person: User) -> tuple[str, str]:
    account = account_of(person)
    return account.username, account.email


def entered(person: User) -> tuple[str, str]:
    known = people.get(person.sub, strong=True)
    return known.name, known.email


def rename(person: User, first_name: str, last_name: str, *, by: User | None = None) -> None:
    profile = tracker.profiles.of(person.sub, strong=True)
    names = {"first_name": first_name, "last_name": last_name}
    profiles.edit_profile(by or person, person.sub, names, seen_version=profile.version)


def signs_in(person: User, *, at: datetime, **told: str) -> None:
    """As the callback does it, with a token that was issued at this moment."""
    hooks.signed_in(hooks.with_own_name(replace(person, issued_at=at, **told)))


# --- A new name in the profile -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["/quests/?status=COMPLETE", "/quests/{quest}/", f"/quests/people/{PERFORMER.sub}/", "/quests/leaders/"],
)
def test_a_new_name_in_the_profile_is_on_every_page_of_the_board(address):
    quest = completed()
    version = tracker.profiles.of(PERFORMER.sub).version
    sent = {"first_name": "Milan", "last_name": "Petrov-Sand", "phone_number": "", "version": version}
    assert sign_in(Client(), "other-member").post(OWN, sent).status_code == 302

    page = sign_in(Client(), "official").get(address.format(quest=quest.id)).content.decode()

    assert "Milan Petrov-Sand" in page
    assert "Milan Petrov<" not in page


def test_the_name_of_who_offers_a_quest_is_the_new_one_too():
    quest = offered()
    rename(CREATOR, "Maya", "Lindqvist")

    page = sign_in(Client(), "official").get(f"/quests/{quest.id}/").content.decode()

    assert "<strong>Maya Lindqvist</strong>" in page
    assert "Maya Rosenthal" not in page


def test_an_administrator_who_changes_a_profile_changes_the_name_everywhere():
    rename(PERFORMER, "Milan", "Sand", by=CAST["admin"])

    assert entered(PERFORMER) == ("Milan Sand", PERFORMER.email)
    assert copied(PERFORMER) == ("Milan Sand", PERFORMER.email)
    assert history.entries("account", PERFORMER.sub).items[0].actor == CAST["admin"].sub


def test_somebody_is_found_by_the_new_name_only():
    rename(PERFORMER, "Milan", "Sandkuhl")

    def found(text: str) -> list[str]:
        return [hit.key for hit in search(text, ["quests"], may_see=everybody_may).hits]

    assert (found("sandkuhl"), found("petrov")) == ([PERFORMER.sub], [])


def test_a_new_name_is_written_with_the_profile_or_not_at_all(monkeypatch: pytest.MonkeyPatch):
    def fails(*_arguments: object, **_options: object) -> None:
        raise Conflict

    monkeypatch.setattr(repository.accounts, "update", fails)
    with pytest.raises(Conflict):
        rename(PERFORMER, "Milan", "Sand")

    monkeypatch.undo()
    assert tracker.profiles.of(PERFORMER.sub, strong=True).name == "Milan Petrov"
    assert entered(PERFORMER)[0] == copied(PERFORMER)[0] == "Milan Petrov"


def test_who_is_in_no_directory_is_entered_with_the_new_name():
    people.delete(people.get(PERFORMER.sub, strong=True), actor=STEWARD.actor)

    rename(PERFORMER, "Milan", "Sand")

    assert entered(PERFORMER) == copied(PERFORMER) == ("Milan Sand", PERFORMER.email)


def test_who_has_no_account_is_renamed_without_one():
    repository.accounts.delete(account_of(PERFORMER), actor=STEWARD.actor)

    rename(PERFORMER, "Milan", "Sand")

    assert entered(PERFORMER)[0] == "Milan Sand"
    with pytest.raises(NotFound):
        account_of(PERFORMER)


def test_who_takes_an_earlier_name_again_in_a_session_that_still_has_it_is_called_so():
    rename(PERFORMER, "Milan", "Sand")
    # This session was begun before, and has not been renewed since.
    rename(PERFORMER, "Milan", "Petrov")

    assert entered(PERFORMER)[0] == copied(PERFORMER)[0] == "Milan Petrov"


def test_a_name_costs_two_reads_more_than_a_phone_number():
    with metering.metered() as cost:
        rename(PERFORMER, "Milan", "Sand")
    # The profile, as the form and as the service read it; the directory, the account, and all in one write.
    assert cost.operations == ["GetItem", "GetItem", "GetItem", "GetItem", "TransactWriteItems"]

    profile = tracker.profiles.of(PERFORMER.sub, strong=True)
    with metering.metered() as cost:
        profiles.edit_profile(PERFORMER, PERFORMER.sub, {"phone_number": "123"}, seen_version=profile.version)
    assert cost.operations == ["GetItem", "TransactWriteItems"]


# --- A new name or address of the login ---------------------------------------------------------------------


def test_a_new_address_follows_at_the_next_sign_in():
    signs_in(PERFORMER, at=NOON + timedelta(days=1), email="milan@new.example")

    assert entered(PERFORMER) == copied(PERFORMER) == ("Milan Petrov", "milan@new.example")
    page = sign_in(Client(), "other-member").get(f"/quests/people/{PERFORMER.sub}/")
    assert page.context["profile"].email == "milan@new.example"


def test_a_new_name_of_the_login_follows_as_long_as_nobody_has_chosen_one():
    signs_in(PERFORMER, at=NOON + timedelta(days=1), name="Milan Sand")
    assert entered(PERFORMER)[0] == copied(PERFORMER)[0] == "Milan Sand"

    rename(PERFORMER, "Milo", "Petrov")
    signs_in(PERFORMER, at=now() + timedelta(days=1), name="Milan Berg")
    assert entered(PERFORMER)[0] == copied(PERFORMER)[0] == "Milo Petrov"


def test_an_account_that_kept_an_old_name_is_brought_in_line_by_a_sign_in():
    account = account_of(PERFORMER)
    fields = {"username": "Milan Old", "email": "old@club.example"}
    repository.accounts.update(account, fields, actor=STEWARD.actor)

    signs_in(PERFORMER, at=NOON + timedelta(days=1))

    assert copied(PERFORMER) == ("Milan Petrov", PERFORMER.email)


def test_a_sign_in_that_brings_nothing_new_costs_three_reads():
    with metering.metered() as cost:
        hooks.signed_in(replace(PERFORMER, issued_at=NOON + timedelta(days=1)))

    assert cost.operations == ["GetItem", "GetItem", "GetItem"]


# --- Whatever the order -------------------------------------------------------------------------------------


def test_a_token_that_comes_late_brings_no_old_address_back():
    signs_in(PERFORMER, at=NOON + timedelta(seconds=20), email="milan@new.example")
    signs_in(PERFORMER, at=NOON + timedelta(seconds=10), email="milan@old.example")

    assert entered(PERFORMER) == copied(PERFORMER) == ("Milan Petrov", "milan@new.example")


def test_a_sign_in_that_read_the_name_before_it_changed_brings_no_old_name_back():
    late = hooks.with_own_name(replace(PERFORMER, issued_at=now() - timedelta(seconds=1)))
    rename(PERFORMER, "Milan", "Sand")
    hooks.signed_in(late)

    assert entered(PERFORMER)[0] == copied(PERFORMER)[0] == "Milan Sand"


def test_a_new_address_counts_although_the_name_in_its_token_is_old():
    late = replace(PERFORMER, issued_at=now() - timedelta(seconds=1), email="milan@new.example")
    rename(PERFORMER, "Milan", "Sand")
    hooks.signed_in(late)

    assert entered(PERFORMER) == copied(PERFORMER) == ("Milan Sand", "milan@new.example")


def test_a_new_name_brings_no_old_address_of_its_session_back():
    signs_in(PERFORMER, at=NOON + timedelta(days=1), email="milan@new.example")
    browser = sign_in(Client(), "other-member")
    version = tracker.profiles.of(PERFORMER.sub).version
    sent = {"first_name": "Milan", "last_name": "Sand", "phone_number": "", "version": version}
    browser.post(OWN, sent)

    assert entered(PERFORMER) == copied(PERFORMER) == ("Milan Sand", "milan@new.example")


def test_who_is_told_something_in_between_looks_again(monkeypatch: pytest.MonkeyPatch):
    """Between the reads of a sign-in and its write somebody sets a new name."""
    get, is_first = people.get, Event()

    def get_then_renamed(*arguments, **options):
        known = get(*arguments, **options)
        if not is_first.is_set():
            is_first.set()
            rename(PERFORMER, "Milan", "Sand")
        return known

    monkeypatch.setattr(people, "get", get_then_renamed)
    hooks.signed_in(replace(PERFORMER, issued_at=now() - timedelta(seconds=1), email="milan@new.example"))

    monkeypatch.undo()
    assert entered(PERFORMER) == copied(PERFORMER) == ("Milan Sand", "milan@new.example")


def test_an_account_that_is_opened_while_its_person_is_renamed_has_the_new_name(
    monkeypatch: pytest.MonkeyPatch,
):
    ledger_row = repository.ledger.row
    moderator = CAST["moderator"]
    directory.enter_at_sign_in(moderator)
    profiles.open_profile(moderator)
    is_first = Event()

    def row_while_renamed(*arguments, **options):
        if not is_first.is_set():
            is_first.set()
            rename(moderator, "Mona", "Sand")
        return ledger_row(*arguments, **options)

    monkeypatch.setattr(repository.ledger, "row", row_while_renamed)
    accounts.open_account(moderator)

    assert copied(moderator)[0] == entered(moderator)[0] == "Mona Sand"


def test_sign_ins_and_new_names_at_once_leave_directory_and_account_the_same():
    def work(number: int) -> None:
        if number % 2:
            signs_in(PERFORMER, at=NOON + timedelta(days=number), email=f"milan{number}@new.example")
        else:
            rename(PERFORMER, "Milan", f"Sand{'abcd'[number // 2]}")

    for _answer in at_once(work, 8):
        pass

    chosen = tracker.profiles.of(PERFORMER.sub, strong=True).name
    assert entered(PERFORMER) == copied(PERFORMER)
    assert entered(PERFORMER)[0] == chosen
