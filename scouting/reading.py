"""An event read for analysis: its forms and its schedule, each in one request however large it is."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from scouting import consensus, figures, keys, repository
from scouting.consensus import Sighting
from scouting.event import ScoutedEvent
from scouting.figures import TeamFigures
from scouting.figures.table import Row
from scouting.game import Game
from scouting.models import PitForm, StandForm
from scouting.services.forms import game_of


@dataclass(frozen=True)
class Reading:
    """What was scouted at an event. `pits` are there only where they were asked for."""

    event: ScoutedEvent
    game: Game
    forms: list[StandForm] = field(default_factory=list)
    pits: list[PitForm] = field(default_factory=list)

    @cached_property
    def by_team(self) -> dict[str, list[StandForm]]:
        """The forms of each team, in the order of its matches; teams of the event without one, too."""
        found: dict[str, list[StandForm]] = {number: [] for number in self.event.team_numbers}
        for form in sorted(self.forms, key=lambda form: (keys.team_order(form.team), form.match, form.sk)):
            found.setdefault(form.team, []).append(form)
        return dict(sorted(found.items(), key=lambda pair: keys.team_order(pair[0])))

    @cached_property
    def sightings(self) -> list[Sighting]:
        return consensus.sightings(self.forms, self.game)

    @cached_property
    def figures(self) -> dict[str, TeamFigures]:
        """By team, in their order."""
        return figures.event_figures(self.sightings, self.game, self.event.team_numbers)

    @cached_property
    def rows(self) -> list[Row]:
        return figures.table(self.figures, figures.official_values(self.event.matches))

    @cached_property
    def pit_by_team(self) -> dict[str, PitForm]:
        return {pit.team: pit for pit in self.pits}


def event_and_pit(key: str, team: str) -> tuple[ScoutedEvent, PitForm | None]:
    """An event, and what one of its teams told in the pit, in one request."""
    parts = repository.event_infos.parts(key, beside=PitForm.about(key, team))
    return parts.event, cast(PitForm | None, parts.beside)


def at(key: str, *, with_forms: bool = True, with_pits: bool = False) -> Reading:
    event = repository.event_infos.read(key)
    forms = repository.stand_forms.at(key) if with_forms else []
    pits = repository.pit_forms.at(key) if with_pits else []
    return Reading(event=event, game=game_of(key, [*forms, *pits]), forms=forms, pits=pits)
