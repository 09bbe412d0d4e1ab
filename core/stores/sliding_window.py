"""A sliding window in one item and one expression.

The window is divided into parts. A request admitted in one part is charged at once to every part in which it
will still count, so "how many count now" is a single attribute: check and charge are one conditional write,
with no read before it and no clean-up after it. No window of this length, wherever it begins, has more
requests than the limit, however late a write arrives. The price is a wait that is longer by up to one part.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.dynamo.items import RawItem
from core.stores.table import int_of

PARTS = 20
# A write that arrives late by at most so many parts is judged by the time it was asked for, against what was
# charged since; a later one is refused and asked again.
LATE_PARTS = 10
NAME = re.compile(r"([a-z])(\d+)")


@dataclass(frozen=True)
class Window:
    length_ms: int

    def part_at(self, moment: int) -> int:
        return moment * PARTS // self.length_ms

    def start_of(self, part: int) -> int:
        return -(-part * self.length_ms // PARTS)

    def charge(self, family: str, part: int) -> list[str]:
        """The additions of one admission, for the ADD of an update; `:one` is the number 1."""
        return [f"#{family}{charged} :one" for charged in range(part, part + PARTS + 1)]

    def fits(self, family: str, part: int, most: str) -> str:
        """The condition that one more fits; `most` is the placeholder of the limit minus one."""
        names = [f"#{family}{checked}" for checked in range(part, part + LATE_PARTS + 1)]
        return " AND ".join(f"(attribute_not_exists({name}) OR {name} <= {most})" for name in names)

    def in_time(self, family: str, part: int) -> str:
        """The condition that no request of up to one and a half windows later was admitted before."""
        return f"attribute_not_exists(#{family}{part + PARTS + LATE_PARTS + 1})"

    def last_served_by(self, moment: int) -> int:
        """The latest `lastAt` with which a request of this moment is in time.

        The attribute of `in_time` is removed by still later requests; both together notice every delay.
        """
        return moment + LATE_PARTS * self.length_ms // PARTS

    def is_late(self, state: RawItem, family: str, moment: int) -> bool:
        missed = f"{family}{self.part_at(moment) + PARTS + LATE_PARTS + 1}"
        return missed in state or int_of(state, "lastAt") > self.last_served_by(moment)

    def over(self, family: str, part: int) -> list[str]:
        """The names of parts that have ended, also for late writes."""
        last = part - LATE_PARTS
        return [f"{family}{ended}" for ended in range(last - PARTS - 1, last)]

    def used(self, state: RawItem, family: str, part: int) -> int:
        """How many places are taken."""
        checked = range(part, part + LATE_PARTS + 1)
        return max(int_of(state, f"{family}{number}") for number in checked)

    def free_at(self, state: RawItem, family: str, most: int, now: int) -> int:
        """The time from which one more fits, if nothing else is charged."""
        part = self.part_at(now)
        if self.used(state, family, part) <= most:
            return now
        while self.used(state, family, part) > most:
            part += 1
        return self.start_of(part)

    def empty_at(self, state: RawItem, family: str, now: int) -> int:
        """The time from which all places are free."""
        part = self.part_at(now)
        taken = [number for number in numbers(state, family) if number >= part]
        return self.start_of(max(taken) + 1) if taken else now


def numbers(state: RawItem, family: str) -> Iterator[int]:
    """The numbers of the attributes of one family, such as 7 for `e7`."""
    for name in state:
        if (match := NAME.fullmatch(name)) and match[1] == family:
            yield int(match[2])
