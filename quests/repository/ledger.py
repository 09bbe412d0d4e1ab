"""The ledger: every change of points, XP and reputation, in the transaction of its cause."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from pynamodb.expressions.update import Action

from core.dynamo import queries, transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.items import RawItem
from core.dynamo.paging import Page, StartKey
from core.dynamo.transactions import Transaction, absent, exists
from quests.errors import AlreadyBooked, NoAccount, NotEnoughPoints, PairLimitReached
from quests.models import Account, LedgerRow, MonthScore
from quests.months import month_of

# Sort key prefixes: booked rows, the score of a user in a month, and the XP that a pair earned in a month.
BOOKED, MONTH, PAIR = "BOOKED#", "MONTH#", "PAIR#"
# The figures of an account: each is the sum of its rows.
BALANCES = ("points", "experience", "reputation")
COUNTS = ("quests_created", "quests_completed")
FIGURES = (*BALANCES, *COUNTS)
PAGE_SIZE = 500
# The first row of an account.
START = "START"
# What an account had when it was adopted, earned in unknown months; what other programs have booked since;
# and the rewards that they have marked as paid, whose figures are among these.
OPENING, ELSEWHERE, SETTLED = "opening", "elsewhere", "settled"
# How many of these marks become rows in one transaction.
MOST_MARKS = 25


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
    # The marks that other programs may have left in `processed_rewards` for the same reward.
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

    def leaders(self, month: str, *, limit: int) -> Sequence[MonthScore]:
        """The highest scores of a month."""
        return queries.query(MonthScore, month, index="MonthIndex", limit=limit, newest_first=True).items

    def sums(self, user_id: str) -> dict[str, Any]:
        """An account's figures according to the ledger; reads all rows of the user."""
        return figures_of(self.booked(user_id))

    def booked(self, user_id: str) -> list[LedgerRow]:
        """All rows of a user."""
        read = partial(queries.query, LedgerRow, user_id, prefix=BOOKED, strong=True)
        return queries.every(read, per_request=PAGE_SIZE)

    def scores(self, user_id: str) -> list[MonthScore]:
        """The score of a user in each month."""
        read = partial(queries.query, MonthScore, user_id, prefix=MONTH, strong=True)
        return queries.every(read, per_request=PAGE_SIZE)

    def row(
        self, booking: Booking, *, actor: Actor, moment: datetime | None = None
    ) -> transactions.Operation:
        """The row without a change of the account, for an account that is created with its figures."""
        fields = vars(booking) | {"entry_id": BOOKED + booking.entry_id}
        del fields["marks"]
        row = LedgerRow(**fields, actor_id=actor.sub, at=moment or now())
        return transactions.put(row, condition=absent(LedgerRow), refused=lambda _stored: AlreadyBooked())

    def adopted(self, account: Account) -> Iterator[transactions.Operation]:
        """Rows for what other programs have changed of an account, some at a time.

        They follow from the account as it was read, and are written only if it is unchanged.
        """
        rows, moment = self.booked(account.id), now()
        known = {row.entry_id.removeprefix(BOOKED) for row in rows}
        marks = sorted(set(account.processed_rewards or ()) - known)[:MOST_MARKS]
        bookings = [Booking(account.id, mark, SETTLED) for mark in marks]
        sums = figures_of(rows)
        balance = {name: (getattr(account, name) or 0) - sums[name] for name in BALANCES}
        if any(balance.values()) or START not in known:
            number = sum(1 for row in rows if row.kind == ELSEWHERE) + 1
            place = (START, OPENING) if START not in known else (f"ELSEWHERE#{number}", ELSEWHERE)
            bookings.append(Booking(account.id, *place, **balance))
        for booking in bookings:
            row = self.row(booking, actor=SYSTEM, moment=moment)
            yield replace(row, refused=lambda _stored: Conflict())
            if booking.kind == ELSEWHERE and booking.experience:
                yield self._score_update(booking, moment)

    def counted(self, booking: Booking) -> Iterator[transactions.Operation]:
        """A row that changes only the number of quests of a person who has an account, unless it is there."""
        entry = {"userId": {"S": booking.user_id}, "entryId": {"S": BOOKED + booking.entry_id}}
        account = {"userId": {"S": booking.user_id}}
        found = queries.get_by_target([(LedgerRow, entry), (Account, account)], strong=True)
        if [type(item) for item in found.values()] != [Account]:
            return
        counts = {name: change for name in COUNTS if (change := getattr(booking, name))}
        yield replace(self.row(booking, actor=SYSTEM), refused=lambda _stored: Conflict())
        actions: list[Action] = [getattr(Account, name).add(change) for name, change in counts.items()]
        yield transactions.update(Account, account, actions, condition=exists(Account))

    def add_pair_xp(self, booking: Booking, other_id: str, *, most: int) -> transactions.Operation:
        """Count XP that two people earn with each other in a month, up to `most`."""
        earned = MonthScore.experience
        condition = earned <= most - booking.experience
        if booking.experience <= most:
            condition = earned.does_not_exist() | condition
        return transactions.update(
            MonthScore,
            _pair_key(booking, other_id),
            [earned.add(booking.experience)],
            condition=condition,
            refused=lambda _stored: PairLimitReached(),
        )

    def pair_xp(self, booking: Booking, other_id: str) -> int:
        """The XP that two people have earned with each other in the month of a booking."""
        score = queries.get(MonthScore, _pair_key(booking, other_id), strong=True)
        return int(score.experience) if score else 0

    def _account_update(self, booking: Booking, moment: datetime) -> transactions.Operation:
        condition = exists(Account)
        if booking.points < 0:
            condition &= Account.points >= -booking.points
        for mark in booking.marks:
            condition &= ~Account.processed_rewards.contains(mark)
        changes = {name: change for name in FIGURES if (change := getattr(booking, name))}
        actions: list[Action] = [getattr(Account, name).add(change) for name, change in changes.items()]
        return transactions.update(
            Account,
            {"userId": {"S": booking.user_id}},
            [*actions, Account.updated_at.set(moment)],
            condition=condition,
            refused=partial(_account_refused, booking),
        )

    def _score_update(self, booking: Booking, moment: datetime) -> transactions.Operation:
        month = month_of(booking.earned_at or moment)
        return transactions.update(
            MonthScore,
            {"userId": {"S": booking.user_id}, "entryId": {"S": MONTH + month}},
            [
                MonthScore.experience.add(booking.experience),
                MonthScore.quests_completed.add(booking.quests_completed),
                MonthScore.month.set(month),
            ],
        )


def figures_of(rows: Sequence[LedgerRow]) -> dict[str, Any]:
    """The figures of an account according to its rows."""
    return {name: sum(getattr(row, name) for row in rows) for name in FIGURES}


def months_of(rows: Iterable[LedgerRow]) -> dict[str, Counter[str]]:
    """The scores of each month according to the rows."""
    months: dict[str, Counter[str]] = {}
    for row in rows:
        if row.experience and row.kind != OPENING:
            month = months.setdefault(month_of(row.earned_at or row.at), Counter())
            month["experience"] += int(row.experience)
            month["quests_completed"] += int(row.quests_completed)
    return months


def _pair_key(booking: Booking, other_id: str) -> RawItem:
    """The same key for both people: the item belongs to the lower user id."""
    month = month_of(booking.earned_at or now())
    first, second = sorted((booking.user_id, other_id))
    return {"userId": {"S": first}, "entryId": {"S": f"{PAIR}{month}#{second}"}}


def _account_refused(booking: Booking, stored: RawItem | None) -> Exception:
    if stored is None:
        return NoAccount()
    return NotEnoughPoints() if booking.points < 0 else AlreadyBooked()


ledger = Ledger()
