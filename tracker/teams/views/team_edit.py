"""A team is made, changed, handed over, deleted and brought back."""

from contextlib import suppress
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.conflicts import contested_fields
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, DataError, KeyReused, Replayed
from core.dynamo.items import new_id
from core.stores import idempotency
from tracker import repository
from tracker.confirm import Question, confirmed
from tracker.navigation import frame
from tracker.people import services as people
from tracker.policy import Access, access
from tracker.teams.forms.teams import NewTeamForm, TeamForm, TransferForm
from tracker.teams.models import MANAGED, PERSONAL
from tracker.teams.services import teams

METHODS = ["GET", "HEAD", "POST"]


@requires("tracker.team.create")
@require_http_methods(METHODS)
def new(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        wanted = request.GET.get("type", "")
        chosen = wanted if wanted in (MANAGED, PERSONAL) else MANAGED
        return _new_page(request, NewTeamForm(initial={"team_type": chosen}))
    form = NewTeamForm(request.POST)
    if not form.is_valid():
        return _new_page(request, form, status=422)
    key = new_id()
    try:
        once = idempotency.once(request, answer={"key": key})
        owner = people.own_profile(request.user)
        teams.create(request.user, owner, form.cleaned_data, team_id=key, once=once)
    except Replayed as earlier:
        key = earlier.answer["key"]
    except KeyReused as error:
        form.add_refusal(error)
        return _new_page(request, form, status=error.status_code)
    toasts.add(request, _("The team is there."))
    return go(request, _address(key))


@requires("tracker.team.view")
@require_http_methods(METHODS)
def edit(request: SignedInRequest, team: str) -> HttpResponse:
    if request.method != "POST":
        found = _opened(request, team, "manage_team")
        return _edit_page(request, found, TeamForm(initial=TeamForm.initial_of(found.team)))
    form = TeamForm(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _edit_page(request, _opened(request, team, "manage_team"), form, status=422)
    try:
        teams.edit(request.user, team, form.cleaned_data, **_sent(request))
    except Replayed:
        pass
    except (Conflict, KeyReused) as error:
        return _refused(request, team, form, error)
    toasts.add(request, _("Saved."))
    return go(request, _address(team))


@requires("tracker.team.view")
@require_http_methods(METHODS)
def delete(request: SignedInRequest, team: str) -> HttpResponse:
    def question() -> Question:
        found = _opened(request, team, "delete_team")
        return Question(
            title=_("Delete “%(team)s”?") % {"team": found.team.name},
            text=_(
                "Nobody finds the team any more. You can bring it back for 30 days. What its players did "
                "stays in their own figures."
            ),
            button=_("Delete the team"),
            back=_address(team),
            version=found.team.seen_version,
        )

    return confirmed(
        request,
        question,
        lambda version, once: teams.delete(request.user, team, seen_version=version, once=once),
        done=_("The team was deleted. You can bring it back for 30 days."),
        then=reverse("tracker:home"),
        undo=Undo(reverse("tracker:team-restore", args=[team])),
    )


@requires("tracker.team.view")
@require_POST
def restore(request: SignedInRequest, team: str) -> HttpResponse:
    with suppress(Replayed):
        teams.restore(request.user, team, once=idempotency.once(request))
    toasts.add(request, _("The team is back."))
    return go(request, _address(team))


@requires("tracker.team.view")
@require_http_methods(METHODS)
def transfer(request: SignedInRequest, team: str) -> HttpResponse:
    if request.method != "POST":
        return _transfer_page(request, team)
    try:
        teams.transfer(request.user, team, request.POST.get("owner", ""), **_sent(request))
    except Replayed:
        pass
    except (Conflict, KeyReused, teams.NotAMember) as error:
        return _transfer_page(request, team, problem=error)
    toasts.add(request, _("The team has a new owner."))
    return go(request, reverse("tracker:members", args=[team]))


def _opened(request: SignedInRequest, team: str, verb: str) -> Access:
    """The team as it is now, for a form."""
    found = access(request.user, team, strong=True)
    found.ensure(verb)
    teams.refuse_played(found.team)
    return found


def _others(found: Access) -> list[tuple[str, str]]:
    """Who may own the team next, by name."""
    ids = [
        each.user_id
        for each in repository.memberships.of_team(found.team.id)
        if each.is_active and each.user_id != found.team.owner_id
    ]
    named = repository.profiles.named(ids)
    return sorted(((key, named[key].name) for key in ids if key in named), key=lambda pair: pair[1])


def _sent(request: SignedInRequest) -> dict[str, Any]:
    return {
        "seen_version": small_number(request.POST.get("version", "")),
        "once": idempotency.once(request),
    }


def _refused(request: SignedInRequest, team: str, form: TeamForm, error: DataError) -> HttpResponse:
    """What is stored is shown beside what was typed; saving again means one's own version."""
    found = _opened(request, team, "manage_team")
    if not isinstance(error, Conflict):
        form.add_refusal(error)
        return _edit_page(request, found, form, status=error.status_code)
    context = {"contested": contested_fields(form, form.initial_of(found.team))}
    return _edit_page(request, found, form, status=error.status_code, context=context)


def _new_page(request: SignedInRequest, form: NewTeamForm, *, status: int = 200) -> HttpResponse:
    form.focus_first_error()
    return render(request, "tracker/teams/team_new.html", {"form": form}, status=status)


def _edit_page(
    request: SignedInRequest,
    found: Access,
    form: TeamForm,
    *,
    status: int = 200,
    context: dict[str, Any] | None = None,
) -> HttpResponse:
    context = frame(found, "overview") | {"form": form} | (context or {})
    return render(request, "tracker/teams/team_edit.html", context, status=status)


def _transfer_page(request: SignedInRequest, team: str, *, problem: DataError | None = None) -> HttpResponse:
    found = _opened(request, team, "transfer_team")
    if found.team.is_personal:
        raise teams.NotForPersonalTeams
    form = TransferForm(request.POST if problem else None, members=_others(found))
    if problem is not None:
        form.add_refusal(problem)
        form.focus_first_error()
    status = problem.status_code if problem else 200
    contested = problem if isinstance(problem, Conflict) else None
    context = frame(found, "members") | {"form": form, "contested": contested}
    return render(request, "tracker/teams/team_transfer.html", context, status=status)


def _address(team: str) -> str:
    return reverse("tracker:team", args=[team])
