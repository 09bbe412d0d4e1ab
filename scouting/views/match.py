"""The matches of an event, and the sheet of one for the drive team."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from crud.http import small_number
from crud.sheets import Cell, Sheet, numbers, words
from dynamo.errors import NotFound
from scouting import ratings, reading
from scouting.event import BLUE, RED, Alliance, Match, Playoff, Team
from scouting.figures.team import TOTAL_SCORE, TeamFigures
from scouting.ratings import Forecast
from scouting.reading import Reading
from scouting.services.event_lines import OPEN
from scouting.sheets import cell
from scouting.views import shown

UNKNOWN = Forecast(None, None, None)


@dataclass(frozen=True)
class Robot:
    team: Team
    figures: TeamFigures
    address: str

    @property
    def remark(self) -> str:
        """What was written last."""
        return next((each.comments or each.strategy for each in reversed(self.figures.remarks)), "")


@dataclass(frozen=True)
class Side:
    colour: str
    title: str
    robots: list[Robot]
    expected: float | None
    score: int | None
    chance: float | None


@requires("scouting.analysis.view")
@require_safe
@shown.at_event
def matches(request: SignedInRequest, key: str) -> HttpResponseBase:
    """All matches, those of the playoffs last: what came of them, or what to expect."""
    read = reading.at(key)
    titles = words(_("Match"), _("Red teams"), _("Blue teams"))
    titles += numbers(_("Red, expected"), _("Blue, expected"), _("Red wins"), _("Red score"), _("Blue score"))
    strengths, deviation = _strengths(read), read.official.deviation
    rows = []
    for match in (*read.event.matches, *read.event.playoffs):
        # With what is known by now, it is easy to expect what has happened.
        expected = UNKNOWN if match.was_played else ratings.forecast(match, strengths, deviation)
        rows.append(
            [
                _named(match, read.event.key),
                cell(_in_places(match.red)),
                cell(_in_places(match.blue)),
                cell(expected.red),
                cell(expected.blue),
                cell(expected.red_chance, is_share=True),
                cell(match.red.score),
                cell(match.blue.score),
            ]
        )
    return shown.sheet(request, "matches", read, Sheet("matches", _("Matches"), titles, rows))


@requires("scouting.analysis.view")
@require_safe
@shown.at_event
def match(request: SignedInRequest, key: str, number: str) -> HttpResponse:
    """Both alliances side by side, for the drive team and for paper."""
    read = reading.at(key)
    found = read.event.match(small_number(number))
    if found is None:
        raise NotFound
    expected = ratings.forecast(found, _strengths(read), read.official.deviation)
    context = {"match": found, "sides": _sides(read, found, expected)}
    return shown.screen(request, "matches", read, "scouting/match.html", context)


def _named(match: Match, event: str) -> Cell:
    """With the sheet for the drive team, which there is of qualification matches."""
    if isinstance(match, Playoff):
        return cell(match.label)
    return cell(str(match.number), f"{reverse('scouting:match', args=[match.number])}?event={event}")


def _in_places(alliance: Alliance) -> str:
    return " ".join(team or OPEN for team in alliance.places)


def _strengths(read: Reading) -> dict[str, float]:
    """What scouts saw; for teams that nobody has seen, what official scores say of them."""
    seen = {
        team: mean
        for team, each in read.figures.items()
        if (mean := each.measures[TOTAL_SCORE].summary.mean) is not None
    }
    rated = read.official.ratings or {}
    return {team: rating.opr for team, rating in rated.items()} | seen


def _sides(read: Reading, match: Match, expected: Forecast) -> list[Side]:
    chance = expected.red_chance
    return [
        Side(RED, _("Red"), _robots(read, match, RED), expected.red, match.red.score, chance),
        Side(
            BLUE,
            _("Blue"),
            _robots(read, match, BLUE),
            expected.blue,
            match.blue.score,
            None if chance is None else 1 - chance,
        ),
    ]


def _robots(read: Reading, match: Match, colour: str) -> list[Robot]:
    return [
        Robot(
            team=read.event.team(team),
            figures=read.figures[team],
            address=shown.team_address(team, read.event.key),
        )
        for team in match.alliance(colour).teams
    ]
