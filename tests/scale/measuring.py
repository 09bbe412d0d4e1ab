"""Everything that is measured: each verb twice, by two crews, and every main page once."""

from collections.abc import Callable
from typing import Any, NamedTuple

from core.club import queries as club
from scouting.settings import services as season
from tests.core.accounts.issuer import Issuer
from tests.scale import other_writes, pages, program_writes, verbs
from tests.scale.crew import Crew
from tests.scale.pages import PageCost
from tests.scale.partition_meter import PartitionMeter, metered_partitions

Meters = dict[str, PartitionMeter]


class Measured(NamedTuple):
    """By the names of the documents. What a verb costs is what it costs the first crew."""

    first: Meters
    second: Meters
    pages: list[PageCost]


def measured(issuer: Issuer) -> Measured:
    verbs.fill()
    crew = Crew()
    first = _carried_out(crew, issuer)
    second_crew = Crew(crew)
    second_crew.arrive()
    second = _carried_out(second_crew, issuer)
    return Measured(first, second, pages.measured(crew))


def _carried_out(crew: Crew, issuer: Issuer) -> Meters:
    found: Meters = {}
    prepared = {**verbs.verbs(issuer), **other_writes.writes(), **program_writes.writes()}
    for name, prepare in prepared.items():
        # Each process asks for it every half minute, whatever is done: now, and so not in the next moments.
        season.forget()
        season.active()
        carry_out: Callable[[], Any] = prepare(crew)
        club.remember(club.current())
        with metered_partitions() as found[name]:
            answer = carry_out()
        assert getattr(answer, "status_code", 200) < 400, f"{name} answers {answer.status_code}."
    return found
