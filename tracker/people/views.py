"""What people say about themselves; administrators may change it for everybody."""

from contextlib import suppress

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.accounts import sessions
from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.conflicts import Contested, contested_fields
from core.dynamo.errors import Conflict, KeyReused, Replayed
from core.stores import idempotency
from tracker.confirm import Question, confirmed
from tracker.people import services
from tracker.people.forms import ProfileForm
from tracker.people.models import Profile

METHODS = ["GET", "HEAD", "POST"]


@requires("tracker.team.view")
@require_http_methods(METHODS)
def profile(request: SignedInRequest, person: str = "") -> HttpResponse:
    """One's own, unless the address names somebody."""
    user_id = person or request.user.sub
    if request.method != "POST":
        found = services.profile_of(request.user, user_id)
        return _page(request, found, ProfileForm(initial=ProfileForm.initial_of(found)))
    form = ProfileForm(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _page(request, services.profile_of(request.user, user_id), form, status=422)
    try:
        saved = services.edit_profile(
            request.user,
            user_id,
            form.cleaned_data,
            seen_version=small_number(request.POST.get("version", "")),
            once=idempotency.once(request),
        )
    except Replayed:
        pass
    except Conflict:
        found = services.profile_of(request.user, user_id)
        contested = contested_fields(form, form.initial_of(found))
        return _page(request, found, form, status=409, contested=contested)
    except KeyReused as error:
        form.add_refusal(error)
        return _page(request, services.profile_of(request.user, user_id), form, status=error.status_code)
    else:
        if user_id == request.user.sub and saved.name != request.user.name:
            sessions.rename(request, saved.name)
    toasts.add(request, _("Saved."))
    return go(request, _address(request, user_id))


@requires("tracker.team.view")
@require_http_methods(METHODS)
def delete(request: SignedInRequest, person: str) -> HttpResponse:
    def question() -> Question:
        found = services.profile_of(request.user, person)
        return Question(
            title=_("Delete the softball profile of %(person)s?") % {"person": found.name},
            text=_(
                "After 30 days name, address and phone number are removed, also from the rosters. "
                "Figures stay there without a name. Until then it can be taken back. "
                "The login to this site stays."
            ),
            button=_("Delete the profile"),
            back=_address(request, person),
            version=found.seen_version,
        )

    return confirmed(
        request,
        question,
        lambda version, once: services.ask_to_delete(request.user, person, seen_version=version, once=once),
        done=_("The profile will be deleted in 30 days."),
        then=_address(request, person),
    )


@requires("tracker.team.view")
@require_POST
def keep(request: SignedInRequest, person: str) -> HttpResponse:
    with suppress(Replayed):
        services.keep(request.user, person, once=idempotency.once(request))
    toasts.add(request, _("The profile stays."))
    return go(request, _address(request, person))


def _page(
    request: SignedInRequest,
    found: Profile,
    form: ProfileForm,
    *,
    status: int = 200,
    contested: list[Contested] | None = None,
) -> HttpResponse:
    context = {
        "profile": found,
        "form": form,
        "contested": contested,
        "is_own": found.id == request.user.sub,
    }
    return render(request, "tracker/people/profile.html", context, status=status)


def _address(request: SignedInRequest, user_id: str) -> str:
    is_own = user_id == request.user.sub
    return reverse("tracker:profile") if is_own else reverse("tracker:person", args=[user_id])
