"""The players of a team."""

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import Query
from pydantic import Field

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, Operations
from api.tracker import documents
from api.tracker import team_schemas as schemas
from api.tracker.bodies import posted, wrong
from api.tracker.lists import slices
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Replayed
from core.dynamo.items import new_id
from core.stores import idempotency
from tracker import policy, repository
from tracker.items import ACTIVE
from tracker.roster import services
from tracker.roster.forms import MOST_POSITIONS, OwnPlayerForm, PlayerForm
from tracker.roster.models import DOUBLE_ZERO, Player

part = Operations("Softball rosters")
# The fields of the form by their names in the body.
NAMES = {"firstName": "first_name", "lastName": "last_name", "status": "status", "isPrivate": "is_private"}
PLACES = NAMES | {"playerNumber": "number", "positions/0": "position", "positions/1": "second_position"}
# The body that may be left out.
STAYS = schemas.UnlinkBody()
NOT_ZERO = _("Only the number 0 can be 00.")
FOR_MANAGERS = _("Only owners and managers change the status.")


class RosterQuery(ListQuery):
    """The players of a team, or some of them."""

    status: Annotated[schemas.PlayerStatus | None, Field(description="Only these.")] = None
    isGhost: Annotated[bool | None, Field(description="Only ghosts, or only linked players.")] = None
    includeRoles: Annotated[bool, Field(description="With the role of each, by one more request.")] = False


@part.get(
    "/teams/{team}/players",
    right="tracker.team.view",
    answer=list[schemas.RosterPlayer] | PageOf[schemas.RosterPlayer],
)
def list_tracker_players(request: SignedInRequest, team: str, query: Query[RosterQuery]) -> HttpResponse:
    """The roster by number, those without one last, then by name."""
    policy.access(request.user, team, strong=query.strong)
    found = [
        player
        for player in repository.teams.roster(team, strong=query.strong).players
        if query.status in (None, player.status) and query.isGhost in (None, player.is_ghost)
    ]
    roles = _roles(team) if query.includeRoles else None
    return listing(
        request,
        query,
        slices(found, lambda player: str(player.id)),
        lambda player: documents.player(player, query.only, roles),
    )


@part.post("/teams/{team}/players", right="tracker.team.view", answer=schemas.RosterPlayer)
def add_tracker_player(request: SignedInRequest, team: str, body: schemas.PlayerBody) -> HttpResponse:
    """Put somebody on the roster, as a ghost. 409 if somebody else has the number."""
    services.managed(request.user, team)
    form = valid(PlayerForm({"status": ACTIVE} | _posted(body, {})), PLACES)
    key, status = new_id(), 201
    try:
        once = idempotency.once(request, answer={"key": key})
        player = services.add(request.user, team, form.fields_of(), player_id=key, once=once)
    except Replayed as earlier:
        status, player = 200, repository.players.of(team, earlier.answer["key"], strong=True)
    location = f"{PREFIX}/tracker/teams/{quote(team, safe='')}/players/{quote(player.id, safe='')}"
    return _answer(player, status=status, location=location)


@part.get("/teams/{team}/players/{player}", right="tracker.team.view", answer=schemas.RosterPlayer, etag=True)
def get_tracker_player(
    request: SignedInRequest, team: str, player: str, query: Query[ItemQuery]
) -> HttpResponse:
    """A player."""
    policy.access(request.user, team)
    fields = documents.attributes_of(documents.PLAYER_FIELDS, query.only)
    key = repository.players.key(team, player)
    return _answer(repository.players.get(key, fields=fields, strong=query.strong), query.only)


@part.change("PUT", "/teams/{team}/players/{player}", right="tracker.team.view", answer=schemas.RosterPlayer)
def change_tracker_player(
    request: SignedInRequest, team: str, player: str, body: schemas.PlayerChange
) -> HttpResponse:
    """Change a player as owner or manager, or yourself. What is left out stays; null removes."""
    version, place = answers.seen_version(request), services.allowed(request.user, team, player)
    initial = OwnPlayerForm.initial_of(place.player)
    data = initial | _posted(body, initial)
    if not place.is_managed and data["status"] != place.player.status:
        raise wrong("status", FOR_MANAGERS)
    form = valid((PlayerForm if place.is_managed else OwnPlayerForm)(data), PLACES)
    try:
        with answers.precondition():
            once = idempotency.once(request)
            saved = services.edit(place, form.fields_of(), seen_version=version, once=once)
    except Replayed:
        saved = repository.players.of(team, player, strong=True)
    return _answer(saved)


@part.delete("/teams/{team}/players/{player}", right="tracker.team.view")
def remove_tracker_player(request: SignedInRequest, team: str, player: str) -> HttpResponse:
    """Remove a ghost from the roster. One whom a game names becomes inactive, and the figures stay.

    409 for a player who is linked to a person: unlink them first.
    """
    version = answers.seen_version(request) if "If-Match" in request.headers else None
    with answers.precondition():
        services.remove(request.user, team, player, seen_version=version)
    return answers.no_content()


@part.act(
    "POST", "/teams/{team}/players/{player}/restore", right="tracker.team.view", answer=schemas.RosterPlayer
)
def restore_tracker_player(request: SignedInRequest, team: str, player: str) -> HttpResponse:
    """Bring back a player who was removed; without the number if somebody else has it by now."""
    return _answer(services.restore(request.user, team, player))


@part.act(
    "POST",
    "/teams/{team}/players/{player}/unlink",
    right="tracker.team.view",
    answer=schemas.RosterPlayer,
    is_once=True,
)
def unlink_tracker_player(
    request: SignedInRequest, team: str, player: str, body: schemas.UnlinkBody = STAYS
) -> HttpResponse:
    """Make the player of a person a ghost again; what they did stays with the player."""
    try:
        once = idempotency.once(request)
        found = services.unlink(request.user, team, player, leaves=body.leaves, once=once)
    except Replayed:
        found = repository.players.of(team, player, strong=True)
    return _answer(found)


def _roles(team: str) -> dict[str, str]:
    """The roles of the active members by user."""
    return {each.user_id: each.role for each in repository.memberships.of_team(team) if each.is_active}


def _posted(body: schemas.PlayerChange, initial: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, as the form takes it."""
    data, sent = posted(body, NAMES), body.model_dump(exclude_unset=True)
    if sent.keys() & {"playerNumber", "isDoubleZero"}:
        data["number"] = _number(sent, str(initial.get("number", "")))
    if "positions" in sent:
        data["position"], data["second_position"] = [*body.positions, "", ""][:MOST_POSITIONS]
    return data


def _number(sent: Mapping[str, Any], stored: str) -> str:
    """The number as it is printed on the jersey."""
    number = sent.get("playerNumber", int(stored) if stored else None)
    is_double_zero = sent.get("isDoubleZero", stored == DOUBLE_ZERO and not number)
    if is_double_zero and number != 0:
        raise wrong("isDoubleZero", NOT_ZERO)
    return DOUBLE_ZERO if is_double_zero else "" if number is None else str(number)


def _answer(player: Player, only: tuple[str, ...] = (), **options: Any) -> HttpResponse:
    return answers.answer(documents.player(player, only), version=player.seen_version, **options)
