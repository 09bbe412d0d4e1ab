"""Which teams were at which events: read together, for who looks for one by its number or name."""

import time
from dataclasses import dataclass

from dynamo import queries
from dynamo.queries import BATCH
from dynamo.words import indexed_words
from scouting.keys import team_order
from scouting.models import EventInfo, EventTeams

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
    lists = {
        item.event: item.teams
        for item in queries.get_many(wanted, fields=names)
        if isinstance(item, EventTeams)
    }
    teams: dict[str, KnownTeam] = {}
    for info in newest:
        for stored in lists.get(info.event, ()):
            number, name = str(stored["number"]), str(stored.get("name") or "")
            if number not in teams:
                words = indexed_words([number, f"frc{number}", name])
                teams[number] = KnownTeam(number, name, info.event, info.name, tuple(words))
    return sorted(teams.values(), key=lambda team: team_order(team.number))


team_directory = TeamDirectory()
