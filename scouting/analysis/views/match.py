"""The list of matches of an event, and the page of one match for the drive team."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from core.accounts.rights import SignedInRequest, requires
from core.common.http import small_number
from core.crud.sheets import Cell, Sheet, numbers, words
from core.dynamo.errors import NotFound
from scouting.analysis import pages, queries
from scouting.analysis.queries import Reading
from scouting.cells import cell, cells
from scouting.events.event import BLUE, RED, Alliance, Match, Playoff
from scouting.events.lines import OPEN


@requires("scouting.analysis.view")
@pages.at_event
def matches(request: SignedInRequest, key: str) -> HttpResponseBase:
    """All matches, playoffs last: results and forecasts."""
    read = queries.at(key)
    titles = words(_("Match"), _("Red teams"), _("Blue teams"))
    titles += numbers(_("Red, expected"), _("Blue, expected"), _("Red wins"), _("Red score"), _("Blue score"))
    rows = []
    for match in (*read.event.matches, *read.event.playoffs):
        expected = read.forecasts.of(match)
        rows.append(
            [
                _named(match, read.event.key),
                *cells(_in_places(match.red), _in_places(match.blue), expected.red, expected.blue),
                cell(expected.red_chance, is_share=True),
                *cells(match.red.score, match.blue.score),
            ]
        )
    table = Sheet("matches", _("Matches"), titles, rows)
    return pages.sheet(request, "matches", read, table, remark=_remark(read))


@requires("scouting.analysis.view")
@pages.at_event
def match(request: SignedInRequest, key: str, number: str) -> HttpResponse:
    """Both alliances side by side, for the drive team; can be printed."""
    read = queries.at(key)
    found = read.event.match(small_number(number))
    if found is None:
        raise NotFound
    context = {"match": found, "sides": _sides(read, found), "remark": _remark(read)}
    return pages.screen(request, "matches", read, "scouting/analysis/match.html", context)


def _named(match: Match, event: str) -> Cell:
    """The match number, linked to its page; playoffs have none."""
    if isinstance(match, Playoff):
        return cell(match.label)
    return cell(str(match.number), f"{reverse('scouting:match', args=[match.number])}?event={event}")


def _in_places(alliance: Alliance) -> str:
    return " ".join(team or OPEN for team in alliance.places)


def _remark(read: Reading) -> str:
    """Text about the forecasts of an event."""
    return " ".join(filter(None, (_hit_rate(read), _without_fouls(read))))


def _without_fouls(read: Reading) -> str:
    """A warning if some official scores include an unknown number of foul points."""
    played = [match for match in read.official.matches if match.was_played]
    if all(alliance.tells_fouls for match in played for alliance in (match.red, match.blue)):
        return ""
    return _("Scores that do not say how many of their points were fouls are counted with them.")


def _hit_rate(read: Reading) -> str:
    """The hit rate of the forecasts as text; empty until a match with a forecast was played."""
    hits = read.forecasts.hits
    if hits.share is None:
        return ""
    text = _(
        "So far %(right)d of %(named)d forecasts named the right winner (%(percent)d %%). "
        "Each used only what was known before its match. Expected points are without fouls."
    )
    return text % {"right": hits.right, "named": hits.named, "percent": round(100 * hits.share)}


def _sides(read: Reading, match: Match) -> list[dict[str, Any]]:
    """The alliances as columns of the page."""
    forecast = read.forecasts.of(match)
    chance = forecast.red_chance
    sides = [(RED, _("Red"), forecast.red, chance)]
    sides.append((BLUE, _("Blue"), forecast.blue, None if chance is None else 1 - chance))
    return [
        {
            "colour": colour,
            "title": title,
            "robots": [_robot(read, team) for team in match.alliance(colour).teams],
            "expected": expected,
            "score": match.alliance(colour).score,
            "chance": chance,
        }
        for colour, title, expected, chance in sides
    ]


def _robot(read: Reading, team: str) -> dict[str, Any]:
    figures = read.figures[team]
    return {
        "team": read.event.team(team),
        "figures": figures,
        "address": pages.team_address(team, read.event.key),
        # The remark that was written last.
        "remark": next((each.comments or each.strategy for each in reversed(figures.remarks)), ""),
    }
