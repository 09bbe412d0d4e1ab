"""Views that create, edit, transfer, delete and restore a team."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import requires
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import ActionPage, FormPage
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict
from core.dynamo.items import new_id
from tracker import repository
from tracker.navigation import TeamPage, team_context
from tracker.people import services as people
from tracker.policy import Access, access
from tracker.teams.forms import NewTeamForm, TeamForm, TransferForm
from tracker.teams.models import MANAGED, PERSONAL, Team
from tracker.teams.services import teams


@requires("tracker.team.create")
class NewTeam(FormPage[NewTeamForm]):
    form_class = NewTeamForm
    template = "tracker/teams/team_new.html"
    success_message = gettext_lazy("Team created.")

    def load(self) -> None:
        self.answer = {"key": new_id()}

    def initial(self) -> Mapping[str, Any]:
        wanted = self.request.GET.get("type", "")
        return {"team_type": wanted if wanted in (MANAGED, PERSONAL) else MANAGED}

    def save(self) -> None:
        user = self.request.user
        owner = people.own_profile(user)
        teams.create(user, owner, self.form.cleaned_data, team_id=self.answer["key"], once=self.once)

    def success_url(self) -> str:
        return reverse("tracker:team", args=[self.answer["key"]])


@requires("tracker.team.view")
class EditTeam(TeamPage, FormPage[TeamForm]):
    form_class = TeamForm
    template = "tracker/teams/team_edit.html"
    success_message = gettext_lazy("Saved.")
    access: Access

    def check(self) -> None:
        self.object  # noqa: B018  # read for the form, by whoever may edit it

    def get_object(self) -> Team:
        self.access = _allowed(self, "manage_team")
        return self.access.team

    def initial(self) -> Mapping[str, Any]:
        return TeamForm.initial_of(self.object)

    def save(self) -> None:
        values, seen = self.form.cleaned_data, self.seen_version
        teams.edit(self.request.user, self.kwargs["team"], values, seen_version=seen, once=self.once)

    def context(self) -> Mapping[str, Any]:
        self.check()
        return team_context(self.access, "overview")


@requires("tracker.team.view")
class DeleteTeam(ConfirmPage):
    success_message = gettext_lazy("Team deleted. You can restore it for 30 days.")

    def question(self) -> Question:
        team = _allowed(self, "delete_team").team
        return Question(
            title=_("Delete “%(team)s”?") % {"team": team.name},
            text=_(
                "Nobody can find the team any longer. You can restore it for 30 days. What its "
                "players did stays in their own stats."
            ),
            button=_("Delete team"),
            back=reverse("tracker:team", kwargs=self.kwargs),
            seen_version=team.seen_version,
        )

    def save(self) -> None:
        teams.delete(self.request.user, self.kwargs["team"], seen_version=self.seen_version, once=self.once)

    def undo(self) -> Undo:
        return Undo(reverse("tracker:team-restore", kwargs=self.kwargs))

    def success_url(self) -> str:
        return reverse("tracker:home")


@requires("tracker.team.view")
class RestoreTeam(TeamPage, ActionPage):
    success_message = gettext_lazy("Team restored.")

    def save(self) -> None:
        teams.restore(self.request.user, self.kwargs["team"], once=self.once)


@requires("tracker.team.view")
class TransferTeam(TeamPage, FormPage[TransferForm]):
    """Transfer the team to another member. The form accepts any choice; the service validates it."""

    leads_to = "tracker:members"
    form_class = TransferForm
    template = "tracker/teams/team_transfer.html"
    success_message = gettext_lazy("Team transferred.")

    def save(self) -> None:
        owner, seen = self.form.cleaned_data["owner"], self.seen_version
        teams.transfer(self.request.user, self.kwargs["team"], owner, seen_version=seen, once=self.once)

    def context(self) -> Mapping[str, Any]:
        found = _allowed(self, "transfer_team")
        if found.team.is_personal:
            raise teams.NotForPersonalTeams
        self.form.fields["owner"].choices = _others(found)  # type: ignore[attr-defined]
        contested = self.problem if isinstance(self.problem, Conflict) else None
        return team_context(found, "members") | {"contested": contested}


def _allowed(page: FormPage[Any], verb: str) -> Access:
    """The access to the team for a form, read strongly consistent; refused as the service would."""
    found = access(page.request.user, page.kwargs["team"], strong=True)
    found.ensure(verb)
    teams.refuse_played(found.team)
    return found


def _others(found: Access) -> list[tuple[str, str]]:
    """The choices of a new owner: the other members, by name."""
    ids = [
        each.user_id
        for each in repository.memberships.of_team(found.team.id)
        if each.is_active and each.user_id != found.team.owner_id
    ]
    named = repository.profiles.with_ids(ids)
    return sorted(((key, named[key].name) for key in ids if key in named), key=lambda pair: pair[1])
