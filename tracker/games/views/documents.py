"""JSON downloads of a team and of a game, for every member of the team."""

from collections.abc import Sequence

from django.http import JsonResponse
from django.utils.text import slugify
from django.utils.timezone import localdate
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.dynamo.items import StoredModel
from core.dynamo.queries import every
from tracker import repository
from tracker.games.document import Document, document
from tracker.games.repository import GameStory
from tracker.policy import access
from tracker.rules import box_scores


@requires("tracker.team.view")
@require_safe
def team(request: SignedInRequest, team: str) -> JsonResponse:
    """The team with seasons, players, games and box scores; plate appearances are in the game's document."""
    found = access(request.user, team)
    roster = repository.teams.roster(team)
    games = every(lambda **options: repository.games.of_team(team, **options))
    parts: dict[str, Sequence[StoredModel]] = {
        "seasons": roster.seasons,
        "players": roster.players,
        "games": games,
        "boxes": repository.boxes.of_team(team),
    }
    listed = {name: [document(item) for item in items] for name, items in parts.items()}
    return _download(found.team.name, {"team": document(found.team), **listed})


@requires("tracker.team.view")
@require_safe
def game(request: SignedInRequest, game: str) -> JsonResponse:
    """The game with its plate appearances in order, and the answers."""
    story = repository.games.story(game)
    found = access(request.user, story.game.team_id)
    about = f"{found.team.name} {story.game.opponent_name or ''}"
    return _download(
        about,
        {
            "game": document(story.game),
            "atBats": _at_bats(story),
            "answers": [document(answer) for answer in story.answers],
        },
    )


def _at_bats(story: GameStory) -> list[Document]:
    """Plate appearances with the inning and outs of the replay, which includes earlier corrections."""
    box = box_scores.box_of(story.game, story.at_bats)
    return [
        document(at_bat) | {"inning": play.inning, "outs": play.outs_before}
        for at_bat, play in zip(story.at_bats, box.plays, strict=True)
    ]


def _download(about: str, content: Document) -> JsonResponse:
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 2})
    name = f"{slugify(about) or 'team'}-{localdate().isoformat()}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
