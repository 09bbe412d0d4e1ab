"""Teams and their members."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from ninja import Query
from pydantic import Field

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, Operations
from api.tracker import documents
from api.tracker import team_schemas as schemas
from api.tracker.bodies import named, posted
from api.tracker.lists import slices
from core.accounts.rights import SignedInRequest, may
from core.accounts.user import User
from core.dynamo.errors import NotFound, Replayed
from core.dynamo.items import new_id
from core.stores import idempotency
from tracker import policy, repository
from tracker.people import services as people
from tracker.policy import Access
from tracker.teams.forms import NewTeamForm, TeamForm
from tracker.teams.models import OWNER, Membership, Team
from tracker.teams.services import members, teams

part = Operations("Softball teams")
# The fields of the forms by their names in the body.
NAMES = {"name": "name", "description": "description", "teamType": "team_type"}
OF_OWNER = {"ownerId": "owner"}


class OwnTeamsQuery(ListQuery):
    """Your own teams, or all of them."""

    type: Annotated[schemas.TeamType | None, Field(description="Only these.")] = None
    owned: Annotated[bool, Field(description="Only those that you own.")] = False
    deleted: Annotated[bool, Field(description="Your deleted teams that can be restored.")] = False
    all: Annotated[bool, Field(description="All teams, for administrators; of personal ones your own.")] = (
        False
    )


@part.get("/teams", right="tracker.team.view", answer=list[schemas.TrackerTeam] | PageOf[schemas.TrackerTeam])
def list_tracker_teams(request: SignedInRequest, query: Query[OwnTeamsQuery]) -> HttpResponse:
    """Your teams by name, each with your role; all teams, the newest first, for administrators."""
    if query.all:
        return listing(request, query, _all_teams(request.user, query), lambda team: _listed(team, query))
    found = _own_teams(request.user, query)
    return listing(
        request,
        query,
        slices(found, lambda access: str(access.team.id)),
        lambda access: documents.team(access, query.only),
    )


def _all_teams(user: User, query: OwnTeamsQuery) -> Callable[..., Any]:
    if not may(user, "tracker.all.view"):
        raise PermissionDenied

    def keep(team: Team) -> bool:
        is_seen = team.owner_id == user.sub or not team.is_personal
        return is_seen and _is_wanted(team, user, query) and team.is_deleted == query.deleted

    return partial(repository.teams.all, newest_first=True, keep=keep)


def _own_teams(user: User, query: OwnTeamsQuery) -> list[Access]:
    """The teams of a person in two requests: their memberships, then the teams."""
    memberships = repository.profiles.belonging(user.sub, strong=query.strong).active
    found = [
        Access(user, team, memberships[team_id])
        for team_id, team in repository.teams.with_ids(memberships).items()
        if _is_wanted(team, user, query)
        and (_can_come_back(team, memberships[team_id]) if query.deleted else not team.is_deleted)
    ]
    return sorted(found, key=lambda access: (access.team.name.lower(), access.team.id))


def _is_wanted(team: Team, user: User, query: OwnTeamsQuery) -> bool:
    return query.type in (None, team.team_type) and (not query.owned or team.owner_id == user.sub)


def _can_come_back(team: Team, membership: Membership) -> bool:
    return team.is_deleted and team.is_recoverable() and membership.role == OWNER


def _listed(team: Team, query: OwnTeamsQuery) -> dict[str, Any]:
    return documents.document(team, documents.TEAM, query.only) | answers.chosen({"role": None}, query.only)


@part.post("/teams", right="tracker.team.create", answer=schemas.TrackerTeam)
def make_tracker_team(request: SignedInRequest, body: schemas.TeamBody) -> HttpResponse:
    """Make a team, with you as its owner and as a player."""
    user, key = request.user, new_id()
    fields = valid(NewTeamForm(posted(body, NAMES)), NAMES).cleaned_data
    status = 201
    try:
        once = idempotency.once(request, answer={"key": key})
        teams.create(user, people.own_profile(user), fields, team_id=key, once=once)
    except Replayed as earlier:
        status, key = 200, earlier.answer["key"]
    location = f"{PREFIX}/tracker/teams/{quote(key, safe='')}"
    return _answer(policy.access(user, key, strong=True), status=status, location=location)


@part.get("/teams/{team}", right="tracker.team.view", answer=schemas.TrackerTeam, etag=True)
def get_tracker_team(request: SignedInRequest, team: str, query: Query[ItemQuery]) -> HttpResponse:
    """A team of yours."""
    # Your role changes without a new version of the team.
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    return _answer(policy.access(request.user, team, strong=query.strong), query.only)


@part.change("PUT", "/teams/{team}", right="tracker.team.view", answer=schemas.TrackerTeam)
def change_tracker_team(request: SignedInRequest, team: str, body: schemas.TeamChange) -> HttpResponse:
    """Change name and description as owner or manager. What is left out stays; null removes.

    A personal team with games stays as it is.
    """
    user, version = request.user, answers.seen_version(request)
    access = policy.access(user, team, strong=True)
    access.ensure("manage_team")
    fields = valid(TeamForm(TeamForm.initial_of(access.team) | posted(body, NAMES)), NAMES).cleaned_data
    with suppress(Replayed), answers.precondition():
        teams.edit(user, team, fields, seen_version=version, once=idempotency.once(request))
    return _answer(policy.access(user, team, strong=True))


@part.delete("/teams/{team}", right="tracker.team.view")
def delete_tracker_team(request: SignedInRequest, team: str) -> HttpResponse:
    """Delete your team; it can be restored for 30 days."""
    user = request.user
    version = answers.version_to_delete(request, lambda: policy.access(user, team, strong=True).team)
    with answers.precondition():
        teams.delete(user, team, seen_version=version)
    return answers.no_content()


@part.act(
    "POST", "/teams/{team}/restore", right="tracker.team.view", answer=schemas.TrackerTeam, is_once=True
)
def restore_tracker_team(request: SignedInRequest, team: str) -> HttpResponse:
    """Bring back your deleted team with all its members."""
    with suppress(Replayed):
        teams.restore(request.user, team, once=idempotency.once(request))
    return _answer(policy.access(request.user, team, strong=True))


@part.change("POST", "/teams/{team}/transfer", right="tracker.team.view", answer=schemas.TrackerTeam)
def transfer_tracker_team(request: SignedInRequest, team: str, body: schemas.OwnerBody) -> HttpResponse:
    """Hand your team over to another member; you are a manager from then on."""
    user, version = request.user, answers.seen_version(request)
    with suppress(Replayed), answers.precondition(), named(OF_OWNER):
        once = idempotency.once(request)
        teams.transfer(user, team, body.ownerId, seen_version=version, once=once)
    return _answer(policy.access(user, team, strong=True))


@part.act("POST", "/teams/{team}/leave", right="tracker.team.view", is_once=True)
def leave_tracker_team(request: SignedInRequest, team: str) -> HttpResponse:
    """Leave a team. What you did stays in its figures, and is no longer part of your own."""
    with suppress(Replayed):
        members.leave(request.user, team, once=idempotency.once(request))
    return answers.no_content()


# --- Members ------------------------------------------------------------------------------------------------


@part.get(
    "/teams/{team}/members",
    right="tracker.team.view",
    answer=list[schemas.TeamMember] | PageOf[schemas.TeamMember],
)
def list_tracker_members(request: SignedInRequest, team: str, query: Query[ListQuery]) -> HttpResponse:
    """The members of a team with their names and roles."""
    access = _shared(request, team)
    found = [each for each in repository.memberships.of_team(team) if each.is_active]
    found.sort(key=lambda each: each.user_id)
    if query.strong:
        stored = repository.memberships.of_people([each.user_id for each in found], team)
        found = [stored[each.user_id] for each in found if each.user_id in stored]
    profiles = repository.profiles.with_ids(each.user_id for each in found)
    may_manage = access.may("manage_members")
    return listing(
        request,
        query,
        slices(found, lambda each: str(each.user_id)),
        lambda each: documents.member(
            each, profiles.get(each.user_id), with_contact=may_manage, only=query.only
        ),
    )


@part.get("/teams/{team}/members/{user}", right="tracker.team.view", answer=schemas.TeamMember, etag=True)
def get_tracker_member(
    request: SignedInRequest, team: str, user: str, query: Query[ItemQuery]
) -> HttpResponse:
    """A member of a team."""
    # A name changes without a new version of the membership.
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    access = _shared(request, team)
    membership = repository.memberships.of(user, team, strong=query.strong)
    if not membership.is_active:
        raise NotFound
    return _member(access, membership, query.only)


@part.change("PUT", "/teams/{team}/members/{user}", right="tracker.team.view", answer=schemas.TeamMember)
def change_tracker_role(
    request: SignedInRequest, team: str, user: str, body: schemas.RoleBody
) -> HttpResponse:
    """Give a member another role: owners any but their own, managers those of scorekeepers and players."""
    version, access = answers.seen_version(request), _shared(request, team)
    try:
        with answers.precondition():
            once = idempotency.once(request)
            membership = members.change_role(
                request.user, team, user, body.role, seen_version=version, once=once
            )
    except Replayed:
        membership = repository.memberships.of(user, team, strong=True)
    return _member(access, membership)


@part.delete("/teams/{team}/members/{user}", right="tracker.team.view")
def remove_tracker_member(request: SignedInRequest, team: str, user: str) -> HttpResponse:
    """Remove a member. Their player becomes a ghost, and everything they did stays."""
    version = answers.seen_version(request) if "If-Match" in request.headers else None
    with answers.precondition():
        members.remove(request.user, team, user, seen_version=version)
    return answers.no_content()


def _shared(request: SignedInRequest, team: str) -> Access:
    """The access to a team that has members; NotFound for personal ones."""
    access = policy.access(request.user, team)
    if access.team.is_personal:
        raise NotFound
    return access


def _member(access: Access, membership: Membership, only: tuple[str, ...] = ()) -> HttpResponse:
    profile = repository.profiles.with_ids([membership.user_id]).get(membership.user_id)
    document = documents.member(membership, profile, with_contact=access.may("manage_members"), only=only)
    return answers.answer(document, version=membership.seen_version)


def _answer(access: Access, only: tuple[str, ...] = (), **options: Any) -> HttpResponse:
    return answers.answer(documents.team(access, only), version=access.team.seen_version, **options)
