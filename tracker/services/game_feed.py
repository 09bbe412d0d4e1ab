"""The games of a team as a calendar that other programs subscribe to, without signing in."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from cms.services.feeds import ASK_AGAIN, YEARS_AHEAD, one_line
from dynamo.attributes import now
from dynamo.errors import NotFound
from tracker import repository, states
from tracker.models import POSTPONED, Game, Team

BACK, AHEAD = timedelta(days=365), timedelta(days=730)
GAME_LASTS = timedelta(hours=2)
LONGEST_TOKEN = 500

_signer = signing.Signer(salt="tracker.games-feed")


def token_for(user_id: str, team_id: str) -> str:
    """What the address of somebody's calendar of a team holds: it works as long as the membership does."""
    return _signer.sign_object([user_id, team_id])


def calendar_for(token: str, *, site: str) -> bytes:
    """Two requests; whoever is no longer a member of the team has no calendar of it."""
    user_id, team_id = _read(token)
    team, membership = repository.teams.with_membership(team_id, user_id, strong=True)
    if team is None or team.is_deleted or membership is None or not membership.is_active:
        raise NotFound
    moment = now()
    return _file(team, repository.games.between(team_id, moment - BACK, moment + AHEAD), site=site)


def _read(token: str) -> tuple[str, str]:
    try:
        user_id, team_id = _signer.unsign_object(token[:LONGEST_TOKEN])
    except (signing.BadSignature, ValueError):
        raise NotFound from None
    return str(user_id), str(team_id)


def _file(team: Team, games: list[Game], *, site: str) -> bytes:
    file = icalendar.Calendar()
    file.add("prodid", "-//Fieldhouse//Games//EN")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    file.add("name", one_line(team.name))
    file.add("x-wr-calname", one_line(team.name))
    file.add("x-wr-timezone", settings.TIME_ZONE)
    file.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("x-published-ttl", icalendar.vDuration(ASK_AGAIN))
    for game in games:
        file.add_component(_part(team, game, site))
    year = localdate().year
    first = min([year, *(game.scheduled_start.year for game in games)])
    file.add_missing_timezones(
        first_date=localdate().replace(year=first - 1, month=1, day=1),
        last_date=localdate().replace(year=year + YEARS_AHEAD, month=1, day=1),
    )
    written: bytes = file.to_ical()
    return written


def _part(team: Team, game: Game, site: str) -> icalendar.Event:
    part = icalendar.Event()
    part.add("uid", f"game-{game.id}@fieldhouse")
    part.add("dtstamp", game.updated_at)
    part.add("last-modified", game.updated_at)
    part.add("sequence", int((game.updated_at - game.created_at).total_seconds()))
    part.add("summary", one_line(title_of(team, game)))
    part.add("dtstart", _local(game.scheduled_start))
    part.add("dtend", _local(game.scheduled_start + GAME_LASTS))
    # A postponed game is not at its old date, and has no new one yet.
    part.add("status", "CANCELLED" if game.status == POSTPONED else "CONFIRMED")
    if game.location:
        part.add("location", one_line(game.location))
    part.add("url", site + reverse("tracker:game", args=[game.id]))
    return part


def title_of(team: Team, game: Game) -> str:
    """Who plays whom, with the score of a game that is over."""
    opponent = game.opponent_name or _("somebody")
    words = _("%(team)s against %(opponent)s") if game.is_home else _("%(team)s at %(opponent)s")
    title = words % {"team": team.name, "opponent": opponent}
    if states.outcome(game):
        return f"{title} {int(game.team_score or 0)}:{int(game.opponent_score or 0)}"
    return f"{title} ({states.TITLES[POSTPONED]})" if game.status == POSTPONED else title


def _local(moment: datetime) -> datetime:
    return moment.astimezone(ZoneInfo(settings.TIME_ZONE))
