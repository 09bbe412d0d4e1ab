"""Quests as tests need them: offered, taken on, submitted."""

from datetime import timedelta

from core.accounts.user import User
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from quests import repository
from quests.models import Account, Quest
from quests.services import accounts, lifecycle
from tests.cast import CAST

CREATOR, PERFORMER, BYSTANDER, STEWARD = (
    CAST["member"],
    CAST["other-member"],
    CAST["official"],
    CAST["steward"],
)
TEXT = "Das Netz hängt wieder, die Pfosten sind abgeklebt."


def open_accounts(*people: User) -> None:
    for person in people or (CREATOR, PERFORMER, BYSTANDER, STEWARD):
        accounts.open_account(person)


def offered(creator: User = CREATOR, **fields) -> Quest:
    told = {
        "title": "Netz in Halle 2 flicken",
        "description": "Das linke Netz hat drei Löcher; Garn liegt im Schrank neben der Bühne.",
        "expires_at": now() + timedelta(days=30),
    }
    return lifecycle.create(creator, told | fields, key=new_id())


def claimed(**fields) -> Quest:
    return lifecycle.claim(PERFORMER, offered(**fields).id)


def submitted(**fields) -> Quest:
    return lifecycle.submit(PERFORMER, claimed(**fields).id, text=TEXT, photos=[])


def disputed(**fields) -> Quest:
    return lifecycle.dispute(CREATOR, submitted(**fields).id, reason="Das Netz hat noch immer zwei Löcher.")


def completed(**fields) -> Quest:
    quest = submitted(**fields)
    lifecycle.attest(CREATOR, quest.id)
    return lifecycle.attest(PERFORMER, quest.id)


def stored(quest: Quest) -> Quest:
    return repository.quests.get(quest.id, strong=True)


def account_of(person: User) -> Account:
    return repository.accounts.get(person.sub, strong=True)


def figures(person: User) -> tuple[int, int, int]:
    """Points, XP, reputation."""
    account = account_of(person)
    return int(account.points), int(account.experience), int(account.reputation)


def ledger_agrees(person: User) -> bool:
    account, sums = account_of(person), repository.ledger.sums(person.sub)
    return all(abs(float(getattr(account, name)) - float(booked)) < 1e-6 for name, booked in sums.items())
