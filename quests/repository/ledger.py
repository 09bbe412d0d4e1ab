"""The ledger: every change of points, XP and reputation, in the transaction of its cause."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from core.dynamo import queries, transactions
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from core.dynamo.items import RawItem
from core.dynamo.paging import Page, StartKey
from core.dynamo.transactions import Transaction, absent, exists
from quests.errors import AlreadyBooked, NoAccount, NotEnoughPoints, PairLimitReached
from quests.models import Account, LedgerRow, MonthScore
from quests.months import month_of

# Sort key prefixes: booked rows, the score of a user in a month, and the XP that a pair earned in a month.
BOOKED, MONTH, PAIR = "BOOKED#", "MONTH#", "PAIR#"
PAGE_SIZE = 500
# A set on the account in which other programs mark the rewards that they paid; it is only read here.
PROCESSED_REWARDS = "processedRewardIds"
Row = TypeVar("Row", LedgerRow, MonthScore)


@dataclass(frozen=True)
class Booking:
    """A change of an account's figures. `entry_id` identifies its cause, so it is booked only once."""

    user_id: str
    entry_id: str
    kind: str
    points: int = 0
    experience: int = 0
    reputation: int = 0
    quest_id: str | None = None
    note: str | None = None
    # When the quest was completed, which decides the month; the booking may be later.
    earned_at: datetime | None = None
    # Changes of the account's counters.
    quests_created: int = 0
    quests_completed: int = 0
    # The marks that other programs may have left in PROCESSED_REWARDS for the same reward.
    marks: tuple[str, ...] = ()


class Ledger:
    def book(self, transaction: Transaction, booking: Booking, *, actor: Actor) -> None:
        """Add the row, the change of the account and the month's score to a transaction."""
        moment = now()
        transaction.add(self.row(booking, actor=actor, moment=moment), self._account_update(booking, moment))
        if booking.experience:
            transaction.add(self._score_update(booking, moment))

    def of_user(self, user_id: str, *, limit: int, start: StartKey | None = None) -> Page[LedgerRow]:
        """The rows of a user, the newest first."""
        return queries.query(
            LedgerRow, user_id, index="TimeIndex", newest_first=True, limit=limit, start=start
        )

    def get(self, user_id: str, entry_id: str) -> LedgerRow:
        key = {"userId": {"S": user_id}, "entryId": {"S": BOOKED + entry_id}}
        row = queries.get(LedgerRow, key, strong=True)
        if row is None:
            raise NotFound
        return row

    def leaders(self, month: str, *, limit: int) -> list[MonthScore]:
        """The highest scores of a month."""
        found = queries.query(MonthScore, month, index="MonthIndex", limit=limit, newest_first=True)
        return list(found.items)

    def sums(self, user_id: str) -> dict[str, Any]:
        """An account's figures according to the ledger; reads all rows of the user."""
        return figures_of(self.booked(user_id))

    def booked(self, user_id: str) -> list[LedgerRow]:
        """All rows of a user."""
        return list(self._all(LedgerRow, user_id, BOOKED))

    def scores(self, user_id: str) -> list[MonthScore]:
        """The score of a user in each month."""
        return list(self._all(MonthScore, user_id, MONTH))

    def row(
        self, booking: Booking, *, actor: Actor, moment: datetime | None = None
    ) -> transactions.Operation:
        """The row without a change of the account, for an account that is created with its figures."""
        row = LedgerRow(
            user_id=booking.user_id,
            entry_id=BOOKED + booking.entry_id,
            kind=booking.kind,
            points=booking.points,
            experience=booking.experience,
            reputation=booking.reputation,
            quest_id=booking.quest_id,
            note=booking.note,
            actor_id=actor.sub,
            at=moment or now(),
            earned_at=booking.earned_at,
            quests_created=booking.quests_created,
            quests_completed=booking.quests_completed,
        )
        return transactions.put(row, condition=absent(LedgerRow), refused=_already_booked)

    def add_pair_xp(self, booking: Booking, other_id: str, *, most: int) -> transactions.Operation:
        """Count XP that two people earn with each other in a month, up to `most`."""
        earned = Path(["experience"])
        condition = earned <= {"N": str(most - booking.experience)}
        if booking.experience <= most:
            condition = earned.does_not_exist() | condition
        return transactions.update(
            MonthScore,
            _pair_key(booking, other_id),
            [earned.add({"N": str(booking.experience)})],
            condition=condition,
            refused=lambda _stored: PairLimitReached(),
        )

    def pair_xp(self, booking: Booking, other_id: str) -> int:
        """The XP that two people have earned with each other in the month of a booking."""
        score = queries.get(MonthScore, _pair_key(booking, other_id), strong=True)
        return int(score.experience) if score else 0

    def _all(self, model: type[Row], user_id: str, prefix: str) -> Iterator[Row]:
        start: StartKey | None = None
        while True:
            page = queries.query(model, user_id, prefix=prefix, limit=PAGE_SIZE, start=start, strong=True)
            yield from page.items
            start = page.next_key
            if start is None:
                return

    def _account_update(self, booking: Booking, moment: datetime) -> transactions.Operation:
        condition = exists(Account)
        if booking.points < 0:
            condition &= Account.points >= -booking.points
        for mark in booking.marks:
            condition &= ~Path([PROCESSED_REWARDS]).contains({"S": mark})
        changes: dict[str, Any] = {
            "points": booking.points,
            "experience": booking.experience,
            "reputation": booking.reputation,
            "quests_created": booking.quests_created,
            "quests_completed": booking.quests_completed,
        }
        actions: list[Action] = [
            Path([name]).add({"N": str(change)})
            for name, change in zip(Account.stored_names(changes), changes.values(), strict=True)
            if change
        ]
        return transactions.update(
            Account,
            {"userId": {"S": booking.user_id}},
            [*actions, Account.updated_at.set(moment)],
            condition=condition,
            refused=partial(_account_refused, booking),
        )

    def _score_update(self, booking: Booking, moment: datetime) -> transactions.Operation:
        month = month_of(booking.earned_at or moment)
        counted = {"experience": booking.experience, "questsCompleted": booking.quests_completed}
        return transactions.update(
            MonthScore,
            {"userId": {"S": booking.user_id}, "entryId": {"S": MONTH + month}},
            [
                *(Path([name]).add({"N": str(change)}) for name, change in counted.items()),
                MonthScore.month.set(month),
            ],
        )


def figures_of(rows: Iterable[LedgerRow]) -> dict[str, Any]:
    """The figures of an account according to its rows."""
    rows = list(rows)
    return {
        "points": sum(row.points for row in rows),
        "experience": sum(row.experience for row in rows),
        "reputation": sum(row.reputation for row in rows),
        "quests_created": sum(row.quests_created for row in rows),
        "quests_completed": sum(row.quests_completed for row in rows),
    }


def months_of(rows: Iterable[LedgerRow]) -> dict[str, Counter[str]]:
    """The scores of each month according to the rows."""
    months: dict[str, Counter[str]] = {}
    for row in rows:
        if row.experience:
            month = months.setdefault(month_of(row.earned_at or row.at), Counter())
            month["experience"] += int(row.experience)
            month["quests_completed"] += int(row.quests_completed)
    return months


def _pair_key(booking: Booking, other_id: str) -> RawItem:
    """The same key for both people: the item belongs to the lower user id."""
    month = month_of(booking.earned_at or now())
    first, second = sorted((booking.user_id, other_id))
    return {"userId": {"S": first}, "entryId": {"S": f"{PAIR}{month}#{second}"}}


def _already_booked(_stored: RawItem | None) -> Exception:
    return AlreadyBooked()


def _account_refused(booking: Booking, stored: RawItem | None) -> Exception:
    if stored is None:
        return NoAccount()
    return NotEnoughPoints() if booking.points < 0 else AlreadyBooked()


ledger = Ledger()
