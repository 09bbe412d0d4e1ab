"""The seasons of a team and the rules that hold in them."""

from contextlib import suppress

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.contested import Contested, contested_fields
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, KeyReused, Replayed
from core.dynamo.items import new_id
from core.stores import idempotency
from tracker import policy, repository, rules
from tracker.forms.seasons import SeasonForm
from tracker.frame import frame
from tracker.models import Season
from tracker.policy import Access
from tracker.services import seasons as service
from tracker.views.asking import Question, confirmed

USUAL = "fastpitch"


@requires("tracker.team.view")
@require_safe
def seasons(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    found = sorted(repository.teams.roster(team, strong=True).seasons, key=_newest_first)
    context = frame(access, "seasons") | {
        "shown": [(season, rules.from_stored(season.rules)) for season in found],
        "may_manage": access.may(service.VERB),
    }
    return render(request, "tracker/seasons.html", context)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    access.ensure(service.VERB)
    if request.method != "POST":
        chosen = request.GET.get("from", "")
        _title, preset = rules.PRESETS.get(chosen, rules.PRESETS[USUAL])
        return _page(request, access, SeasonForm(initial=SeasonForm.initial_of_rules(preset)))
    form = SeasonForm(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _page(request, access, form, status=_helped_or_refused(form))
    try:
        once = idempotency.once(request)
        service.create(request.user, team, form.fields_of(), season_id=new_id(), once=once)
    except Replayed:
        pass
    except KeyReused as error:
        form.add_refusal(error)
        return _page(request, access, form, status=error.status_code)
    toasts.add(request, _("The season is there."))
    return go(request, reverse("tracker:seasons", args=[team]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, team: str, season: str) -> HttpResponse:
    access = policy.access(request.user, team)
    access.ensure(service.VERB)
    stored = repository.seasons.of(team, season, strong=True)
    if request.method != "POST":
        return _page(request, access, SeasonForm(initial=SeasonForm.initial_of(stored)), season=stored)
    form = SeasonForm(request.POST)
    seen = small_number(request.POST.get("version", ""))
    if not form.is_valid():
        form.focus_first_error()
        status = _helped_or_refused(form)
        return _page(request, access, form, season=stored, status=status)
    try:
        once = idempotency.once(request)
        service.edit(request.user, team, season, form.fields_of(), seen_version=seen, once=once)
    except Replayed:
        pass
    except Conflict as error:
        current: Season = error.current or stored
        contested = contested_fields(form, SeasonForm.initial_of(current))
        return _page(request, access, form, season=current, contested=contested, status=409)
    except KeyReused as error:
        form.add_refusal(error)
        return _page(request, access, form, season=stored, status=error.status_code)
    toasts.add(request, _("Saved."))
    return go(request, reverse("tracker:seasons", args=[team]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: SignedInRequest, team: str, season: str) -> HttpResponse:
    back = reverse("tracker:seasons", args=[team])

    def question() -> Question:
        policy.access(request.user, team).ensure(service.VERB)
        stored = repository.seasons.of(team, season)
        return Question(
            title=_("Delete this season?"),
            text=_("%(name)s can be deleted as long as it has no games.") % {"name": stored.name},
            button=_("Delete"),
            back=back,
        )

    return confirmed(
        request,
        question,
        lambda _version, once: service.delete(request.user, team, season, once=once),
        done=_("The season was deleted."),
        then=back,
        undo=Undo(reverse("tracker:season-restore", args=[team, season])),
    )


@requires("tracker.team.view")
@require_POST
def restore(request: SignedInRequest, team: str, season: str) -> HttpResponse:
    with suppress(Replayed):
        service.restore(request.user, team, season, once=idempotency.once(request))
    toasts.add(request, _("The season is back."))
    return go(request, reverse("tracker:seasons", args=[team]))


def _helped_or_refused(form: SeasonForm) -> int:
    """A button that only helps to fill in the form is no mistake."""
    return 200 if form.wants_help() else 422


def _newest_first(season: Season) -> tuple[int, str]:
    return -(season.starts_on.toordinal() if season.starts_on else 0), season.name


def _page(
    request: SignedInRequest,
    access: Access,
    form: SeasonForm,
    *,
    season: Season | None = None,
    contested: list[Contested] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = frame(access, "seasons") | {
        "form": form,
        "season": season,
        "contested": contested,
        "presets": [(name, title) for name, (title, _rules) in rules.PRESETS.items()],
        "chosen": request.GET.get("from", USUAL),
    }
    return render(request, "tracker/season_form.html", context, status=status)
