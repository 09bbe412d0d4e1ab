"""The seasons of a team with their rules."""

from datetime import date
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, Operations
from api.tracker import documents
from api.tracker import game_schemas as schemas
from api.tracker.bodies import posted
from api.tracker.lists import slices
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Replayed
from core.dynamo.items import new_id
from core.stores import idempotency
from tracker import policy, repository
from tracker.games.forms import SeasonForm
from tracker.games.models import Season
from tracker.games.services import seasons
from tracker.rules.replay import Rules
from tracker.rules.season_rules import STORED

part = Operations("Softball seasons")
# The fields of the form by their names in the body.
NAMES = {"name": "name", "startsOn": "starts_on", "endsOn": "ends_on"}
PLACES = NAMES | {f"rules/{name}": field for name, field in STORED.items()}


@part.get(
    "/teams/{team}/seasons",
    right="tracker.team.view",
    answer=list[schemas.TeamSeason] | PageOf[schemas.TeamSeason],
)
def list_tracker_seasons(request: SignedInRequest, team: str, query: Query[ListQuery]) -> HttpResponse:
    """The seasons of a team, the latest first."""
    policy.access(request.user, team, strong=query.strong)
    found = sorted(
        repository.teams.roster(team, strong=query.strong).seasons,
        key=lambda season: (season.starts_on or date.min, season.id),
        reverse=True,
    )
    return listing(
        request,
        query,
        slices(found, lambda season: str(season.id)),
        lambda season: documents.season(season, query.only),
    )


@part.post("/teams/{team}/seasons", right="tracker.team.view", answer=schemas.TeamSeason)
def make_tracker_season(request: SignedInRequest, team: str, body: schemas.SeasonBody) -> HttpResponse:
    """Make a season as owner or manager. Rules that are left out are the usual ones."""
    policy.access(request.user, team).ensure(seasons.VERB)
    form = valid(SeasonForm(_data(body, SeasonForm.initial_of_rules(Rules()))), PLACES)
    key, status = new_id(), 201
    try:
        once = idempotency.once(request, answer={"key": key})
        season = seasons.create(request.user, team, form.fields_of(), season_id=key, once=once)
    except Replayed as earlier:
        status, season = 200, repository.seasons.of(team, earlier.answer["key"], strong=True)
    location = f"{PREFIX}/tracker/teams/{quote(team, safe='')}/seasons/{quote(season.id, safe='')}"
    return _answer(season, status=status, location=location)


@part.get("/teams/{team}/seasons/{season}", right="tracker.team.view", answer=schemas.TeamSeason, etag=True)
def get_tracker_season(
    request: SignedInRequest, team: str, season: str, query: Query[ItemQuery]
) -> HttpResponse:
    """A season."""
    policy.access(request.user, team)
    return _answer(repository.seasons.of(team, season, strong=query.strong), query.only)


@part.change("PUT", "/teams/{team}/seasons/{season}", right="tracker.team.view", answer=schemas.TeamSeason)
def change_tracker_season(
    request: SignedInRequest, team: str, season: str, body: schemas.SeasonChange
) -> HttpResponse:
    """Change a season or single rules. What is left out stays, and games that have begun keep theirs."""
    user, version = request.user, answers.seen_version(request)
    policy.access(user, team).ensure(seasons.VERB)
    stored = repository.seasons.of(team, season, strong=True)
    fields = valid(SeasonForm(_data(body, SeasonForm.initial_of(stored))), PLACES).fields_of()
    try:
        with answers.precondition():
            once = idempotency.once(request)
            saved = seasons.edit(user, team, season, fields, seen_version=version, once=once)
    except Replayed:
        saved = repository.seasons.of(team, season, strong=True)
    return _answer(saved)


@part.delete("/teams/{team}/seasons/{season}", right="tracker.team.view")
def delete_tracker_season(request: SignedInRequest, team: str, season: str) -> HttpResponse:
    """Delete a season; 409 if it has games."""
    version = answers.seen_version(request) if "If-Match" in request.headers else None
    with answers.precondition():
        seasons.delete(request.user, team, season, seen_version=version)
    return answers.no_content()


@part.act(
    "POST",
    "/teams/{team}/seasons/{season}/restore",
    right="tracker.team.view",
    answer=schemas.TeamSeason,
    is_once=True,
)
def restore_tracker_season(request: SignedInRequest, team: str, season: str) -> HttpResponse:
    """Bring back a season that was deleted."""
    try:
        found = seasons.restore(request.user, team, season, once=idempotency.once(request))
    except Replayed:
        found = repository.seasons.of(team, season, strong=True)
    return _answer(found)


def _data(body: schemas.SeasonChange, initial: dict[str, Any]) -> dict[str, Any]:
    """What was sent over what there is, as the form takes it: rows are posted by number."""
    data = initial | posted(body, NAMES)
    if body.rules:
        data |= posted(body.rules, STORED)
    for number, row in enumerate(data.pop("run_ahead") or ()):
        data |= {f"run_ahead-{number}-{name}": str(value) for name, value in row.items()}
    return data


def _answer(season: Season, only: tuple[str, ...] = (), **options: Any) -> HttpResponse:
    return answers.answer(documents.season(season, only), version=season.seen_version, **options)
