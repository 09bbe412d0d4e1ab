"""The games of a team as an iCalendar feed, which calendar programs read without signing in."""

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils.translation import gettext as _

from core.accounts.user import User
from core.club.presenters import logo_at
from core.common.calendar_files import calendar_file, calendar_part, in_local_time
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import NotFound
from core.dynamo.idempotency import IdempotencyKey
from tracker import policy, repository
from tracker.games.models import POSTPONED, Game
from tracker.rules import game_states
from tracker.teams.models import Membership, Team

if TYPE_CHECKING:
    import icalendar

BACK, AHEAD = timedelta(days=365), timedelta(days=730)
GAME_LASTS = timedelta(hours=2)
LONGEST_TOKEN = 500
KEY_BYTES = 12

_signer = signing.Signer(salt="tracker.games-feed")


def token_for(membership: Membership) -> str:
    """The signed token in the feed's URL; valid until the member leaves the team or renews it."""
    return _signer.sign_object([membership.user_id, membership.team_id, _key_of(membership)])


def renewable(user: User, team_id: str) -> Membership:
    """The person's own active membership, whose feed URL they can renew; administrators have none."""
    membership = policy.access(user, team_id, strong=True).membership
    if membership is None or not membership.is_active:
        raise PermissionDenied
    return membership


def renew(user: User, team_id: str, *, seen_version: int, once: IdempotencyKey | None = None) -> Membership:
    """Change the feed's URL; the old one stops working."""
    return repository.memberships.update(
        renewable(user, team_id),
        {"calendar_key": secrets.token_urlsafe(KEY_BYTES)},
        actor=user.actor,
        verb="new_address",
        seen_version=seen_version,
        once=once,
    )


def calendar_for(token: str, *, site: str) -> bytes:
    """The feed as iCalendar bytes, in two requests; NotFound unless the token is that of an active member."""
    try:
        user_id, team_id, key = map(str, _signer.unsign_object(token[:LONGEST_TOKEN]))
    except (signing.BadSignature, ValueError):
        raise NotFound from None
    team, membership = repository.teams.with_membership(team_id, user_id, strong=True)
    if team is None or team.is_deleted or membership is None or not membership.is_active:
        raise NotFound
    if key != _key_of(membership):
        raise NotFound
    moment = now()
    games = repository.games.between(team_id, moment - BACK, moment + AHEAD)
    parts = (_part(team, game, site) for game in games)
    years = (game.scheduled_start.year for game in games)
    return calendar_file("Games", team.name, parts, years=years, logo=logo_at(site))


def _key_of(membership: Membership) -> str:
    """The part of the token that changes when the person joins again or renews the URL."""
    joined = to_iso(membership.joined_at) if membership.joined_at else ""
    return f"{joined} {membership.calendar_key or ''}"


def _part(team: Team, game: Game, site: str) -> "icalendar.Event":
    part = calendar_part(f"game-{game.id}", title_of(team, game), game.updated_at, game.location)
    part.add("sequence", int((game.updated_at - game.created_at).total_seconds()))
    part.add("dtstart", in_local_time(game.scheduled_start))
    part.add("dtend", in_local_time(game.scheduled_start + GAME_LASTS))
    # A postponed game does not take place at the stored date, and has no new one yet.
    part.add("status", "CANCELLED" if game.status == POSTPONED else "CONFIRMED")
    part.add("url", site + reverse("tracker:game", args=[game.id]))
    return part


def title_of(team: Team, game: Game) -> str:
    """The opponents, with the score if the game is over."""
    opponent = game.opponent_name or _("someone")
    words = _("%(team)s against %(opponent)s") if game.is_home else _("%(team)s at %(opponent)s")
    title = words % {"team": team.name, "opponent": opponent}
    if game_states.outcome(game):
        return f"{title} {int(game.team_score or 0)}:{int(game.opponent_score or 0)}"
    return f"{title} ({game_states.TITLES[POSTPONED]})" if game.status == POSTPONED else title
