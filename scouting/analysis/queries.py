"""Reads the forms and the schedule of an event for analysis, each in one request.

Derived values are cached in this process by the revisions of everything that was read (`revision_cache`).
After a change only the teams whose forms changed are computed again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import TypeVar

from django.utils.translation import get_language

from core.dynamo.items import RawItem
from scouting import keys
from scouting.analysis import consensus, forecasts, ratings
from scouting.analysis.consensus import Sighting
from scouting.analysis.forecasts import Forecasts, Known
from scouting.analysis.ratings import Rating
from scouting.analysis.statistics.coverage import Covered, coverage
from scouting.analysis.statistics.table import Row, Values, official_values, row, values
from scouting.analysis.statistics.team import TOTAL_SCORE, TeamFigures, team_figures
from scouting.events.event import ScoutedEvent
from scouting.events.repository import event_infos
from scouting.forms import flat_answers
from scouting.forms.models import PitForm, StandForm
from scouting.forms.repository import pit_forms, stand_forms
from scouting.forms.services import game_of_years
from scouting.games.definition import Game
from scouting.revision_cache import Kept, Revision, revision_of, revisions_of

# Cached readings of one event share the objects of unchanged teams, so each further one costs little memory.
MOST_KEPT = 6
Revisions = tuple[Revision, ...]
F = TypeVar("F", StandForm, PitForm)


class TeamForms:
    """The forms about one team, and what is computed from them. Labels are in the language of the reading."""

    def __init__(self, team: str, game: Game, forms: Iterable[StandForm], revisions: Revisions = ()) -> None:
        self.team, self.game, self.revisions = team, game, revisions
        self.forms = sorted(forms, key=lambda form: (form.match, form.sk))

    @cached_property
    def sightings(self) -> list[Sighting]:
        return consensus.sightings(self.forms, self.game)

    @cached_property
    def figures(self) -> TeamFigures:
        return team_figures(self.team, self.sightings, self.game)

    @cached_property
    def values(self) -> Values:
        return values(self.figures)


class Official:
    """What is computed from the official scores of an event, independent of forms."""

    def __init__(self, event: ScoutedEvent) -> None:
        self.matches = event.matches
        self.order = forecasts.in_order(event.matches, event.playoffs)

    @cached_property
    def ratings(self) -> dict[str, Rating] | None:
        return ratings.ratings(self.matches)

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        return official_values(self.matches)

    @cached_property
    def known_before(self) -> list[Known]:
        return forecasts.known_before(self.order)


@dataclass(frozen=True, eq=False)
class Reading:
    """The scouted data of an event. `pits` is filled only if requested.

    The same object is returned until something changes, so views can use it as a cache key.
    """

    event: ScoutedEvent
    game: Game
    # By team, in sort order; including teams of the event without a form.
    seen: Mapping[str, TeamForms] = field(default_factory=dict)
    pits: Mapping[Revision, PitForm] = field(default_factory=dict)
    language: str | None = None

    @cached_property
    def forms(self) -> list[StandForm]:
        """All forms, by team and match."""
        return list(chain.from_iterable(each.forms for each in self.seen.values()))

    @cached_property
    def sightings(self) -> list[Sighting]:
        return list(chain.from_iterable(each.sightings for each in self.seen.values()))

    @cached_property
    def figures(self) -> dict[str, TeamFigures]:
        return {team: each.figures for team, each in self.seen.items()}

    @cached_property
    def rows(self) -> list[Row]:
        return [row(team, each.values, self.official.values) for team, each in self.seen.items()]

    @cached_property
    def forecasts(self) -> Forecasts:
        scouted: dict[int, list[tuple[str, float]]] = defaultdict(list)
        for team, each in self.figures.items():
            for match, points in zip(each.matches, each.measures[TOTAL_SCORE].series, strict=True):
                scouted[match].append((team, points))
        return forecasts.forecasts(self.official.order, self.official.known_before, scouted)

    @cached_property
    def coverage(self) -> list[Covered]:
        return coverage(self.event, self.forms)

    @property
    def official(self) -> Official:
        return _official(self.event)

    @cached_property
    def pit_by_team(self) -> dict[str, PitForm]:
        return {pit.team: pit for pit in self.pits.values()}


_kept: Kept[Reading] = Kept(MOST_KEPT)


@lru_cache(maxsize=8)
def _official(event: ScoutedEvent) -> Official:
    return Official(event)


def at(key: str, *, with_forms: bool = True, with_pits: bool = False) -> Reading:
    event = event_infos.read(key)
    forms = stand_forms.stored_at(key) if with_forms else []
    pits = pit_forms.stored_at(key) if with_pits else []
    game = game_of_years(key, map(flat_answers.year_of, chain(forms, pits)))
    language = get_language()
    return _kept.get(
        (event, game, language, revisions_of(forms), revisions_of(pits)),
        lambda: _read(event, game, language, forms, pits),
    )


def _read(
    event: ScoutedEvent, game: Game, language: str | None, forms: list[RawItem], pits: list[RawItem]
) -> Reading:
    """A new reading that reuses the unchanged teams and pit forms of cached readings of this event."""
    known_teams: dict[tuple[str, Revisions], TeamForms] = {}
    known_pits: dict[Revision, PitForm] = {}
    for each in _kept.all():
        if (each.event.key, each.game, each.language) == (event.key, game, language):
            known_teams |= {(team, seen.revisions): seen for team, seen in each.seen.items()}
            known_pits |= each.pits
    stored: dict[str, list[RawItem]] = {team: [] for team in event.team_numbers}
    for raw in forms:
        stored.setdefault(flat_answers.team_of(raw), []).append(raw)
    seen = {}
    for team in sorted(stored, key=keys.team_order):
        revisions = revisions_of(stored[team])
        seen[team] = known_teams.get((team, revisions)) or TeamForms(
            team, game, [_read_only(StandForm, raw) for raw in stored[team]], revisions
        )
    by_revision = {revision_of(raw): raw for raw in pits}
    read_pits = {
        revision: known_pits.get(revision) or _read_only(PitForm, raw)
        for revision, raw in by_revision.items()
    }
    return Reading(event, game, seen, read_pits, language)


def _read_only(model: type[F], raw: RawItem) -> F:
    """A read-only record: without its raw item, which would make up most of the memory of the cache."""
    form = model.from_raw_data(raw)
    form.stored = {name: raw[name] for name in model.key_names()}
    form.partial = True
    return form
