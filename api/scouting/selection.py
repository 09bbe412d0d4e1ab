"""The pick list of an event."""

from typing import Any

from django.http import HttpResponse

from api import answers
from api.operations import Operations
from api.scouting import schemas
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Replayed
from core.dynamo.idempotency import refuse
from core.stores import idempotency
from scouting import keys
from scouting.events.event import ScoutedEvent
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.services import Saved

part = Operations("Team selection")


@part.get("/team-selection/{event}", right="scouting.selection.view", answer=schemas.TeamSelection, etag=True)
def get_team_selection(request: SignedInRequest, event: str) -> HttpResponse:
    """The pick list with the current names and ranks, also of teams that nobody sorted yet."""
    # Names and ranks change without a new version of the list, so it is never "not modified".
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    return _answer(*selection.read(keys.in_address(keys.event_key, event), strong=True))


@part.change(
    "PUT", "/team-selection/{event}", right="scouting.selection.update", answer=schemas.TeamSelection
)
def save_team_selection(
    request: SignedInRequest, event: str, body: schemas.TeamSelectionBody
) -> HttpResponse:
    """Save the order. For the first time, If-Match is "0".

    What somebody else saves in the same moment is merged, as on the board; 409 where both moved a team.
    """
    key, version = keys.in_address(keys.event_key, event), answers.seen_version(request)
    picks = pick_list.from_form(f"{pick.teamNumber}:{pick.columnId}" for pick in body.teams)
    found, saved = selection.read(key, strong=True)
    once = idempotency.once(request)
    try:
        if version != saved.version:
            # A retry finds the version that it has made itself.
            refuse(answers.VersionChanged(), once)
        saved = selection.save(request.user, found, picks, base=saved.order, over=saved, once=once)
    except Replayed:
        saved = selection.read(key, strong=True)[1]
    return _answer(found, saved)


@part.act(
    "PUT",
    "/team-selection/{event}/taken/{team}",
    right="scouting.selection.update",
    answer=schemas.TeamSelection,
)
def take_team(request: SignedInRequest, event: str, team: str) -> HttpResponse:
    """Mark a team as taken by an alliance, at once and for everybody."""
    return _take(request, event, team)


@part.act(
    "DELETE",
    "/team-selection/{event}/taken/{team}",
    right="scouting.selection.update",
    answer=schemas.TeamSelection,
)
def free_team(request: SignedInRequest, event: str, team: str) -> HttpResponse:
    """Mark a team as free again."""
    return _take(request, event, team, is_free=True)


def _take(request: SignedInRequest, event: str, team: str, *, is_free: bool = False) -> HttpResponse:
    found, saved = selection.read(keys.in_address(keys.event_key, event), strong=True)
    number = keys.in_address(keys.team_key, team)
    return _answer(found, selection.take(request.user, found, number, over=saved, is_free=is_free))


def _answer(event: ScoutedEvent, saved: Saved) -> HttpResponse:
    stored = saved.stored
    document: dict[str, Any] = {
        "event": event.key,
        "teams": [_pick(pick) for pick in saved.picks],
        "savedBy": saved.by or None,
        "savedAt": saved.at,
        "createdAt": stored.created_at if stored else None,
        "updatedAt": stored.updated_at if stored else None,
        "version": saved.version,
    }
    return answers.answer(document, version=saved.version)


def _pick(pick: pick_list.Pick) -> dict[str, Any]:
    return {
        "teamNumber": pick.number,
        "teamName": pick.name,
        "rank": pick.rank,
        "columnId": pick.column,
        "taken": pick.taken,
    }
