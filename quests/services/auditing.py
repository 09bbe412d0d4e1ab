"""Whether every account has what its ledger says."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from quests import repository
from quests.models import Account

# Sums of weighted reputation are rounded.
ROUNDING = 1e-6


class Difference(NamedTuple):
    username: str
    figure: str
    has: Any
    booked: Any


def differences(account: Account) -> Iterator[Difference]:
    for figure, booked in repository.ledger.sums(account.id).items():
        has = getattr(account, figure) or 0
        if abs(float(has) - float(booked)) > ROUNDING:
            yield Difference(account.username, figure, has, booked)
