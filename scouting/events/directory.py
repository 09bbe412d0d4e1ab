"""The team directory: a cached list of teams and their newest event, searched by number or name."""

from dataclasses import dataclass
from functools import lru_cache

from core.common.kept import KeptFor
from core.dynamo import queries
from core.dynamo.queries import BATCH
from core.dynamo.search_index import indexed_words
from scouting.events.models import EventInfo, EventTeams
from scouting.keys import team_order

KEPT_SECONDS = 30


@dataclass(frozen=True)
class KnownTeam:
    """A team, the newest event that lists it, and the words by which the search finds it."""

    number: str
    name: str
    event: str
    event_name: str
    words: tuple[str, ...]


def _read() -> list[KnownTeam]:
    """The teams of the newest hundred events."""
    newest = queries.query(
        EventInfo, "EVENTS", newest_first=True, limit=BATCH, fields=("event", "name")
    ).items
    wanted = ((EventTeams, EventTeams.about(info.event).raw_key()) for info in newest)
    names = EventTeams.stored_names(("event", "teams"))
    # Raw items: building models of thousands of teams would cost much, and only two attributes are needed.
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


# All teams, by number: two requests. Kept for a while, because a search asks at every keystroke.
team_directory = KeptFor(KEPT_SECONDS, _read)
