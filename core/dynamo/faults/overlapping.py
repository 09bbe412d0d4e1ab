"""Transactions that meet on an item."""

import random
import threading
import time
from collections.abc import Sequence

from core.dynamo.faults.messages import Message, Send, cancellation, refusal
from core.dynamo.items import Target

READ, WRITE = "TransactGetItems", "TransactWriteItems"
CAN_CONFLICT = {READ, WRITE, "PutItem", "UpdateItem", "DeleteItem"}
ONGOING = "Transaction is ongoing for the item"
CONFLICT = {"Code": "TransactionConflict", "Message": ONGOING}
IN_PROGRESS = "The transaction with the given request token is already in progress."


class Overlaps:
    """The items of the write transactions that are under way, and the refusals of what meets them there.

    A TransactWriteItems is under way from its arrival until the engine has answered and its hold has passed:
    by chance once to twice the time that was asked for. Then its items are free and its answer is sent. Each
    of its parts holds its item, a ConditionCheck too. Whatever arrives meanwhile for one of these items is
    refused at once, and the one under way goes on: a transaction is cancelled by TransactionConflict at the
    positions that meet, a single write is answered with TransactionConflictException, and the same
    transaction sent again with TransactionInProgressException. Other reads and Queries never conflict.
    Limits: TransactGetItems and single writes hold nothing themselves, and BatchWriteItem never conflicts.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._held: dict[Target, str] = {}
        self._under_way = 0
        self._let_go = threading.Event()

    @property
    def under_way(self) -> int:
        with self._lock:
            return self._under_way

    def end_holds(self) -> None:
        """Let go of what is held, as soon as the engine has answered."""
        with self._lock:
            self._let_go.set()
            self._let_go = threading.Event()

    def carry_out(
        self, request: Message, targets: Sequence[Target | None], milliseconds: float, send: Send
    ) -> tuple[Message, bool]:
        """The answer, and whether it refuses a request that met a transaction."""
        token = str(request.payload.get("ClientRequestToken", ""))
        holds = {target: token for target in targets if target} if request.operation == WRITE else {}
        with self._lock:
            holders = [self._held.get(target) if target else None for target in targets]
            if any(holder is not None for holder in holders):
                return _refusal(request, holders), True
            self._held |= holds
            self._under_way += bool(holds)
            free_at = time.monotonic() + milliseconds * (1 + self._random.random()) / 1000
            let_go = self._let_go
        try:
            answer = send(request)
            if holds:
                let_go.wait(max(0.0, free_at - time.monotonic()))
            return answer, False
        finally:
            with self._lock:
                self._under_way -= bool(holds)
                for target in holds:
                    del self._held[target]


def _refusal(request: Message, holders: Sequence[str | None]) -> Message:
    if request.operation not in (READ, WRITE):
        return refusal("400 Bad Request", "TransactionConflictException", ONGOING)
    if request.payload.get("ClientRequestToken") in {holder for holder in holders if holder}:
        return refusal("400 Bad Request", "TransactionInProgressException", IN_PROGRESS)
    return cancellation([CONFLICT if holder is not None else {"Code": "None"} for holder in holders])
