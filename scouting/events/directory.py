"""Which teams were at which events: read together, for who looks for one by its number or name."""

import time
from dataclasses import dataclass
from functools import lru_cache

from core.dynamo import queries
from core.dynamo.queries import BATCH
from core.dynamo.search_index import indexed_words
from scouting.events.models import EventInfo, EventTeams
from scouting.keys import team_order

KEPT_SECONDS = 30


@dataclass(frozen=True)
class KnownTeam:
    """A team with the newest event whose list has it, and the words by which it is found."""

    number: str
    name: str
    event: str
    event_name: str
    words: tuple[str, ...]


class TeamDirectory:
    """The teams of the newest hundred events, at most half a minute old: a search asks at every letter."""

    def __init__(self) -> None:
        self._kept: tuple[float, list[KnownTeam]] | None = None

    def all(self) -> list[KnownTeam]:
        """By number. Two requests, or none."""
        kept = self._kept
        if kept is None or time.monotonic() >= kept[0]:
            kept = self._kept = (time.monotonic() + KEPT_SECONDS, _read())
        return kept[1]

    def forget(self) -> None:
        """A list is being written by this process; what others write is seen half a minute later at most."""
        self._kept = None


def _read() -> list[KnownTeam]:
    newest = queries.query(
        EventInfo, "EVENTS", newest_first=True, limit=BATCH, fields=("event", "name")
    ).items
    wanted = ((EventTeams, EventTeams.about(info.event).raw_key()) for info in newest)
    names = EventTeams.stored_names(("event", "teams"))
    # As stored: of thousands of teams only two texts each are needed.
    lists = {
        raw["event"]["S"]: raw["teams"]["L"]
        for _model, raw in queries.get_many_raw(wanted, fields=names)
        if "teams" in raw
    }
    teams: dict[str, KnownTeam] = {}
    for info in newest:
        for stored in lists.get(info.event, ()):
            number, name = stored["M"]["number"]["S"], stored["M"].get("name", {}).get("S", "")
            if number not in teams:
                teams[number] = KnownTeam(number, name, info.event, info.name, _words(number, name))
    return sorted(teams.values(), key=lambda team: team_order(team.number))


@lru_cache(maxsize=10_000)
def _words(number: str, name: str) -> tuple[str, ...]:
    return tuple(indexed_words([number, f"frc{number}", name]))


team_directory = TeamDirectory()
