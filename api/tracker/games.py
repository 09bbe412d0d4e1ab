"""Games of a team, their states, and the answers of the players."""

from contextlib import suppress
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, InvalidFields, Operations
from api.problems import FieldError
from api.tracker import documents
from api.tracker import game_schemas as schemas
from api.tracker.bodies import named, posted, wrong
from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.dynamo.errors import Conflict, Replayed
from core.dynamo.items import new_id
from core.dynamo.paging import Page
from core.stores import idempotency
from tracker import keys, policy, repository
from tracker.games.forms import GameForm, StepForm
from tracker.games.models import SCORES, Game
from tracker.games.services import availability, game_removal, games
from tracker.rules import game_states
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame
from tracker.teams.models import DEFAULT_TEAM

part = Operations("Softball games")
# The fields of the forms by their names in the body.
NAMES = {
    "scheduledStart": "scheduled_start",
    "opponentName": "opponent_name",
    "location": "location",
    "seasonId": "season_id",
    "isHome": "is_home",
    "teamScore": "team_score",
    "opponentScore": "opponent_score",
}
NO_DEFAULT = _("You have no personal team that is called Default. Name a team.")
NOT_BEGUN = _("A game that has not started has no score. Enter its result by making it FINAL.")


class TeamGamesQuery(ListQuery):
    """The games of a team, or those of a season."""

    seasonId: str | None = None


@part.get(
    "/teams/{team}/games",
    right="tracker.team.view",
    answer=list[schemas.TrackerGame] | PageOf[schemas.TrackerGame],
)
def list_tracker_games(request: SignedInRequest, team: str, query: Query[TeamGamesQuery]) -> HttpResponse:
    """The games of a team, the latest start first and those without a date last."""
    policy.access(request.user, team, strong=query.strong)
    fields = documents.attributes_of(documents.GAME, query.only)
    fields += ("season_id",) if fields else ()

    def read(**options: Any) -> Page[Game]:
        keep = (lambda game: game.season_id == query.seasonId) if query.seasonId else None
        page = repository.games.of_team(team, newest_first=True, keep=keep, fields=fields, **options)
        return repository.games.reread(page, fields=fields, strong=True) if query.strong else page

    return listing(request, query, read, lambda game: documents.document(game, documents.GAME, query.only))


@part.post("/games", right="tracker.team.view", answer=schemas.TrackerGame)
def make_tracker_game(request: SignedInRequest, body: schemas.GameBody) -> HttpResponse:
    """Plan a game as somebody who manages the games of the team."""
    user = request.user
    team = body.teamId or _default_team(user)
    policy.access(user, team).ensure("manage_games")
    seasons = repository.teams.roster(team).seasons
    form = valid(GameForm(posted(body, NAMES), seasons=seasons, without=SCORES), NAMES)
    key, status = new_id(), 201
    try:
        once = idempotency.once(request, answer={"key": key})
        game = games.create(user, team, form.fields_of(), game_id=key, once=once)
    except Replayed as earlier:
        status, game = 200, repository.games.of(earlier.answer["key"], strong=True)
    return _answer(game, status=status, location=f"{PREFIX}/tracker/games/{quote(game.id, safe='')}")


def _default_team(user: User) -> str:
    """The personal team that the first sign-in makes."""
    memberships = repository.profiles.belonging(user.sub).active
    for team_id, team in repository.teams.with_ids(memberships).items():
        if team.is_personal and team.name == DEFAULT_TEAM and not team.is_deleted:
            return team_id
    raise wrong("teamId", NO_DEFAULT)


@part.get("/games/{game}", right="tracker.team.view", answer=schemas.TrackerGame, etag=True)
def get_tracker_game(request: SignedInRequest, game: str, query: Query[ItemQuery]) -> HttpResponse:
    """A game; its plays have an address of their own."""
    fields = documents.attributes_of(documents.GAME, query.only)
    fields += ("team_id",) if fields else ()
    found = repository.games.get(repository.games.key(game), fields=fields, strong=query.strong)
    policy.access(request.user, found.team_id)
    return _answer(found, query.only)


@part.change("PUT", "/games/{game}", right="tracker.team.view", answer=schemas.TrackerGame)
def change_tracker_game(request: SignedInRequest, game: str, body: schemas.GameChange) -> HttpResponse:
    """Change a game. What is left out stays; null removes. State and line-up have their own addresses."""
    version, opened = answers.seen_version(request), _opened(request, game)
    sent = posted(body, NAMES)
    _refuse_scores(opened, sent)
    form = GameForm(
        GameForm.initial_of(opened.game) | sent,
        seasons=repository.teams.roster(opened.game.team_id).seasons,
        without=games.not_entered(opened.story),
    )
    fields = valid(form, NAMES).fields_of()
    try:
        with answers.precondition(), named(NAMES):
            once = idempotency.once(request)
            saved = games.edit(request.user, game, fields, seen=version, once=once)
    except Replayed:
        saved = repository.games.of(game, strong=True)
    return _answer(saved)


def _refuse_scores(opened: OpenGame, sent: dict[str, Any]) -> None:
    """Refuse scores that nobody enters, unless they are sent back as they were read."""
    derived = games.derived_scores(opened.story)
    errors = [
        FieldError(f"/body/{name}", games.NotByHand.message if field in derived else NOT_BEGUN)
        for name, field in NAMES.items()
        if field in games.not_entered(opened.story)
        and sent.get(field) not in (None, int(getattr(opened.game, field) or 0))
    ]
    if errors:
        raise InvalidFields(errors)


@part.delete("/games/{game}", right="tracker.team.view")
def delete_tracker_game(request: SignedInRequest, game: str, confirmed: bool = False) -> HttpResponse:
    """Delete a game; it can be restored for 30 days.

    One with plays only if it is `confirmed` that they are deleted too, else 409.
    """
    version = answers.seen_version(request) if "If-Match" in request.headers else None
    with answers.precondition():
        game_removal.delete(request.user, game, confirmed=confirmed, seen=version)
    return answers.no_content()


@part.act(
    "POST", "/games/{game}/restore", right="tracker.team.view", answer=schemas.TrackerGame, is_once=True
)
def restore_tracker_game(request: SignedInRequest, game: str) -> HttpResponse:
    """Bring back a deleted game with its plays; without its season if that is gone."""
    with suppress(Replayed):
        game_removal.restore(request.user, game, once=idempotency.once(request))
    return _answer(repository.games.of(game, strong=True))


# --- States -------------------------------------------------------------------------------------------------


@part.act("POST", "/games/{game}/status", right="tracker.team.view", answer=schemas.TrackerGame, is_once=True)
def move_tracker_game(request: SignedInRequest, game: str, body: schemas.StatusBody) -> HttpResponse:
    """Start, finish, postpone, reschedule or reopen a game, or enter its result.

    A step that the state does not allow is a 409, also a start without a line-up or while another game of the
    team is played.
    """
    opened, once = _opened(request, game), idempotency.once(request)
    step = game_states.step(opened.game.status, body.status)
    sent = {name: value for name, value in posted(body, NAMES).items() if value != ""}
    # Without a step that the person may take the service says why, or that this was done already.
    may_take = step is not None and opened.access.may(step.needs)
    form = StepForm(sent, asks=games.asked_by(step, opened.story) if step and may_take else ())
    fields = sent | valid(form, NAMES).cleaned_data
    try:
        with named(NAMES):
            saved = games.move(request.user, game, body.status, fields=fields, once=once)
    except Replayed:
        saved = repository.games.of(game, strong=True)
    except games.NeedsLineup as error:
        raise Conflict(error.message) from error
    return _answer(saved)


@part.act(
    "POST", "/games/{game}/forfeit", right="tracker.team.view", answer=schemas.TrackerGame, is_once=True
)
def forfeit_tracker_game(request: SignedInRequest, game: str, body: schemas.ForfeitBody) -> HttpResponse:
    """End a game as a forfeit: the winner gets a run for each inning of the rules."""
    try:
        once = idempotency.once(request)
        saved = games.forfeit(request.user, game, winner=body.winner, once=once)
    except Replayed:
        saved = repository.games.of(game, strong=True)
    return _answer(saved)


@part.act("PUT", "/games/{game}/share", right="tracker.team.view", answer=schemas.Share)
def share_tracker_game(request: SignedInRequest, game: str, body: schemas.ShareBody) -> HttpResponse:
    """Turn the public live page on or off; turned on again, it has another address."""
    shared = games.share(request.user, game, shared=body.shared)
    token = games.live_token(shared)
    address = request.build_absolute_uri(reverse("tracker:live", args=[token])) if token else None
    return answers.answer({"address": address})


# --- Who is coming ------------------------------------------------------------------------------------------


@part.get(
    "/games/{game}/answers",
    right="tracker.team.view",
    answer=list[schemas.GameAnswer] | PageOf[schemas.GameAnswer],
)
def list_tracker_answers(request: SignedInRequest, game: str, query: Query[ListQuery]) -> HttpResponse:
    """Who is coming to a game, of those who have answered."""
    policy.access(request.user, repository.games.of(game).team_id)
    fields = documents.attributes_of(documents.ANSWER, query.only)

    def read(**options: Any) -> Any:
        return repository.answers.page(
            keys.of_game(game), prefix="ANSWER#", fields=fields, strong=query.strong, **options
        )

    return listing(request, query, read, lambda each: documents.document(each, documents.ANSWER, query.only))


@part.act(
    "PUT",
    "/games/{game}/answers/{player}",
    right="tracker.team.view",
    answer=schemas.GameAnswer,
    is_once=True,
)
def answer_tracker_game(
    request: SignedInRequest, game: str, player: str, body: schemas.GameAnswerBody
) -> HttpResponse:
    """Say whether you are coming; owners and managers answer for ghosts."""
    try:
        once = idempotency.once(request)
        saved = availability.answer(request.user, game, player, body.answer, note=body.note, once=once)
    except Replayed:
        saved = repository.answers.of(game, player, strong=True)
    return answers.answer(documents.document(saved, documents.ANSWER))


def _opened(request: SignedInRequest, game: str) -> OpenGame:
    return game_writing.allowed(request.user, game, "manage_games")


def _answer(game: Game, only: tuple[str, ...] = (), **options: Any) -> HttpResponse:
    return answers.answer(
        documents.document(game, documents.GAME, only), version=game.seen_version, **options
    )
