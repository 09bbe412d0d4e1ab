"""Which robots have a report in which matches, and which teams have a pit form."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from scouting.events.event import BLUE, RED, Match, ScoutedEvent
from scouting.forms.models import PitForm, StandForm

DONE, MISSING, DOUBLE, COMING = "done", "missing", "double", "coming"


@dataclass(frozen=True)
class CoveredRobot:
    """A robot in a match, and the forms about it."""

    colour: str
    team: str
    form_ids: tuple[str, ...]
    is_due: bool = True

    @property
    def state(self) -> str:
        if not self.form_ids:
            return MISSING if self.is_due else COMING
        return DONE if len(self.form_ids) == 1 else DOUBLE


@dataclass(frozen=True)
class Covered:
    """A match with its robots, red ones first. It is due if it or a later one was played or has a report."""

    match: Match
    is_due: bool
    places: tuple[CoveredRobot, ...]


@dataclass(frozen=True)
class PitProgress:
    """The teams of an event with and without a pit form."""

    done: tuple[str, ...]
    missing: tuple[str, ...]


def coverage(event: ScoutedEvent, forms: Iterable[StandForm]) -> list[Covered]:
    """Every match of the schedule with the reports about its robots."""
    ids: dict[tuple[int, str], list[str]] = defaultdict(list)
    for form in forms:
        ids[int(form.match), form.team].append(form.id)
    begun = {match.number for match in event.matches if match.was_played}
    # Forms with a mistyped match or team do not count for how far the event is.
    seen = {match.number for match in event.matches for team in match.teams if (match.number, team) in ids}
    latest = max(begun | seen, default=0)
    return [
        Covered(
            match,
            is_due=match.number <= latest,
            places=tuple(
                CoveredRobot(colour, team, tuple(ids.get((match.number, team), ())), match.number <= latest)
                for colour in (RED, BLUE)
                for team in match.alliance(colour).teams
            ),
        )
        for match in event.matches
    ]


def tally(covered: Iterable[Covered]) -> Counter[str]:
    """The number of robots in due matches by state: done, missing or double."""
    return Counter(place.state for each in covered if each.is_due for place in each.places)


def strays(event: ScoutedEvent, forms: Iterable[StandForm]) -> list[StandForm]:
    """Forms about a robot that is not in that match: probably a mistyped team or match."""
    places = {(match.number, team) for match in event.matches for team in match.teams}
    return [form for form in forms if (int(form.match), form.team) not in places] if places else []


def pit_progress(event: ScoutedEvent, forms: Iterable[PitForm]) -> PitProgress:
    visited = {form.team for form in forms}
    return PitProgress(
        done=tuple(team for team in event.team_numbers if team in visited),
        missing=tuple(team for team in event.team_numbers if team not in visited),
    )
