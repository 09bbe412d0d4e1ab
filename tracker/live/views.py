"""The public live page of a shared game."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from core.accounts.client_ip import client_ip
from core.accounts.rights import public
from core.common.http import is_htmx
from core.dynamo.errors import NotFound
from tracker import keys, repository
from tracker.games.models import FINAL
from tracker.games.repository import GameStory
from tracker.live.limits import WATCHING
from tracker.rules import box_scores, game_states, plays
from tracker.scoring import presenters

TEMPLATE = "tracker/live/live.html"


@public
@require_safe
def live(request: HttpRequest, token: str) -> HttpResponse:
    """Public; the token authorises. Answers 204 if the page, which polls, is up to date.

    Five requests: the rate limit, the game by its token, its partition, the team, its players.
    """
    WATCHING.ensure(client_ip(request))
    story = repository.games.story(repository.games.shared_as(token).id)
    # A GSI is eventually consistent and may still have a token that was just revoked.
    if story.game.share_token != keys.hashed(token):
        raise NotFound
    seen = _seen(story)
    if request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    context = _context(story) | {"token": token, "seen": seen}
    # Rendered without the request, whose context processors would read the session.
    template = f"{TEMPLATE}#live" if is_htmx(request) else TEMPLATE
    response = HttpResponse(render_to_string(template, context | {"path": request.path}))
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


def _context(story: GameStory) -> dict[str, Any]:
    game, at_bats = story.game, story.at_bats
    team = repository.teams.of(game.team_id)
    if team.is_deleted:
        raise NotFound
    name_of = presenters.names_of(repository.teams.roster(game.team_id).players, is_public=True)
    box = box_scores.box_of(game, at_bats)
    batter = box_scores.batter_of(game, box.next_slot, at_bats, len(at_bats))
    return presenters.board(game, at_bats, box, name_of) | {
        "title": f"{team.name} \N{EN DASH} {presenters.opponent_of(game)}",
        "team_name": team.name,
        "opponent_name": presenters.opponent_of(game),
        "status": game_states.TITLES.get(game.status, ""),
        "is_over": game.status == FINAL,
        "has_lineup": bool(game.lineup),
        "batter": name_of(batter) if batter else "",
        "order": [name_of(player) for player in plays.slots_at(game, at_bats, len(at_bats))],
    }


def _seen(story: GameStory) -> str:
    """A fingerprint of what the page was rendered from; it reveals no ids."""
    return f"{box_scores.made_of(story.at_bats)[:16]}-{story.game.seen_version}"
