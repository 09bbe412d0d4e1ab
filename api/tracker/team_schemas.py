"""The bodies and answers about people, teams, rosters and invitations."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from api.fields import SENT, Moment, limits_of, whole
from tracker.items import ACTIVE, INACTIVE
from tracker.people.forms import ProfileForm
from tracker.roster.forms import HIGHEST_NUMBER, MOST_POSITIONS, PlayerForm
from tracker.roster.models import SUB
from tracker.rules.positions import ON_A_ROSTER
from tracker.teams.forms import InvitationForm, NewTeamForm
from tracker.teams.models import MANAGED, MANAGER, OWNER, PERSONAL, PLAYER, SCOREKEEPER

TeamType = Literal["MANAGED", "PERSONAL"]
Role = Literal["owner", "manager", "scorekeeper", "player"]
GivenRole = Literal["manager", "scorekeeper", "player"]
PlayerStatus = Literal["active", "inactive", "sub"]
assert set(TeamType.__args__) == {MANAGED, PERSONAL}  # type: ignore[attr-defined]  # noqa: S101
assert Role.__args__ == (OWNER, MANAGER, SCOREKEEPER, PLAYER)  # type: ignore[attr-defined]  # noqa: S101
assert PlayerStatus.__args__ == (ACTIVE, INACTIVE, SUB)  # type: ignore[attr-defined]  # noqa: S101
NOT_EMPTY = Field(min_length=1)
Id = Annotated[str, Field(min_length=1, max_length=128)]
Position = Annotated[str, Field(json_schema_extra={"enum": list(ON_A_ROSTER)})]


class Stored(BaseModel):
    """What all records have. With `fields=`, an answer has only those."""

    createdAt: Moment | None = None
    updatedAt: Moment | None = None
    version: Annotated[int | None, Field(description="The ETag is this number in quotes.")] = None


# --- People -------------------------------------------------------------------------------------------------


class TrackerUser(Stored):
    """A person of the tracker."""

    userId: str | None = None
    email: str | None = None
    firstName: str | None = None
    lastName: str | None = None
    phoneNumber: str | None = None
    deletedAt: Annotated[
        Moment | None, Field(description="When its deletion was asked for, which is done after 30 days.")
    ] = None


class UserChange(BaseModel):
    """What is left out stays; e-mail address and id belong to the sign-in."""

    model_config = SENT
    firstName: Annotated[str, limits_of(ProfileForm, "first_name"), NOT_EMPTY] = ""
    lastName: Annotated[str, limits_of(ProfileForm, "last_name"), NOT_EMPTY] = ""
    phoneNumber: Annotated[str, limits_of(ProfileForm, "phone_number")] | None = None


class UserContext(BaseModel):
    """Which home a program shows: one's own games, those of teams, or both."""

    has_personal_context: bool
    has_managed_context: bool


# --- Teams --------------------------------------------------------------------------------------------------


class TrackerTeam(Stored):
    """A team, or a personal one (PERSONAL), in which one person keeps their own figures."""

    teamId: str | None = None
    name: str | None = None
    description: str | None = None
    ownerId: str | None = None
    team_type: TeamType | None = None
    status: Annotated[str | None, Field(description="active or deleted.")] = None
    deletedAt: Moment | None = None
    purgedAt: Moment | None = None
    role: Annotated[Role | None, Field(description="Your own; null in the list of all teams.")] = None


class TeamChange(BaseModel):
    """What is left out stays."""

    model_config = SENT
    name: Annotated[str, limits_of(NewTeamForm, "name")] = ""
    description: Annotated[str, limits_of(NewTeamForm, "description")] | None = None


class TeamBody(TeamChange):
    """A new team; its type never changes."""

    name: Annotated[str, limits_of(NewTeamForm, "name")]
    teamType: TeamType


class OwnerBody(BaseModel):
    """The member who owns the team from now on."""

    model_config = SENT
    ownerId: Id


class TeamMember(Stored):
    """A member of a team. Address and telephone number are null except for those who manage members."""

    userId: str | None = None
    teamId: str | None = None
    role: Role | None = None
    status: str | None = None
    joinedAt: Moment | None = None
    invitedBy: str | None = None
    firstName: str | None = None
    lastName: str | None = None
    email: str | None = None
    phoneNumber: str | None = None


class RoleBody(BaseModel):
    model_config = SENT
    role: GivenRole


# --- Rosters ------------------------------------------------------------------------------------------------


class RosterPlayer(Stored):
    """A player: a ghost, or linked to a person."""

    playerId: str | None = None
    teamId: str | None = None
    firstName: str | None = None
    lastName: str | None = None
    playerNumber: int | None = None
    isDoubleZero: Annotated[bool | None, Field(description="The number 0 is 00 on the jersey.")] = None
    positions: list[str] | None = None
    status: PlayerStatus | None = None
    isGhost: bool | None = None
    userId: str | None = None
    linkedAt: Moment | None = None
    isPrivate: Annotated[bool | None, Field(description="Shared pages show only the number.")] = None
    role: Annotated[Role | None, Field(description="With includeRoles.")] = None


class PlayerChange(BaseModel):
    """What is left out stays. Players change all but the status about themselves."""

    model_config = SENT
    firstName: Annotated[str, limits_of(PlayerForm, "first_name"), NOT_EMPTY] = ""
    lastName: Annotated[str, limits_of(PlayerForm, "last_name")] | None = None
    playerNumber: Annotated[int, Field(ge=0, le=HIGHEST_NUMBER), BeforeValidator(whole)] | None = None
    isDoubleZero: Annotated[bool, Field(description="Only with the number 0.")] | None = None
    positions: Annotated[list[Position], Field(max_length=MOST_POSITIONS)] = []
    status: PlayerStatus = "active"
    isPrivate: bool = False


class PlayerBody(PlayerChange):
    """A new player, a ghost: people join by an invitation."""

    firstName: Annotated[str, limits_of(PlayerForm, "first_name"), NOT_EMPTY]


class UnlinkBody(BaseModel):
    model_config = SENT
    leaves: Annotated[bool, Field(description="The person also leaves the team.")] = False


# --- Invitations --------------------------------------------------------------------------------------------


class TeamInvitation(Stored):
    """An invitation, to be a player of the roster or only to a role."""

    inviteId: str | None = None
    teamId: str | None = None
    playerId: str | None = None
    email: str | None = None
    role: Role | None = None
    invitedBy: str | None = None
    status: Annotated[
        str | None, Field(description="pending, accepted, declined, revoked or expired (after 7 days).")
    ] = None
    expiresAt: Moment | None = None


class MadeInvitation(TeamInvitation):
    """A new invitation with its token, which is told once and stored nowhere."""

    token: str
    address: Annotated[str, Field(description="The page on which it is accepted.")]
    problems: Annotated[list[str], Field(description="What failed about the mail; it is valid anyway.")]


class ReceivedInvitation(TeamInvitation):
    """An invitation as who was invited sees it."""

    teamName: str
    playerName: str | None = None


class InvitationBody(BaseModel):
    """With an e-mail address it is sent there; without one, hand on its address or token."""

    model_config = SENT
    role: GivenRole = "player"
    playerId: Annotated[Id | None, Field(description="The ghost to become; needed for the role player.")] = (
        None
    )
    email: Annotated[str, limits_of(InvitationForm, "email")] | None = None


class AnsweredInvitation(BaseModel):
    """By its token, or, if it was sent to your e-mail address, by its ids."""

    model_config = SENT
    token: Id | None = None
    teamId: Id | None = None
    inviteId: Id | None = None
