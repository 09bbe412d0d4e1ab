"""One form that was sent: reading, correcting, deleting it."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.rights import SignedInRequest, ensure, may, requires
from crud import verbs
from crud.http import go, page_or_partial
from crud.toasts import Undo, tell
from dynamo import history
from dynamo.errors import Conflict, DataError, NotFound, Unavailable
from dynamo.registry import records_at
from scouting.forms import CommentEntry, PitEntry, StandEntry, showing
from scouting.forms.showing import Told
from scouting.services import forms
from scouting.views.mine import TITLES
from scouting.views.pit import kept_photos
from stores import idempotency

PHOTO = "media"
Entry = StandEntry | PitEntry | CommentEntry
# Each has its fields filled from a form, or with what was posted.
ENTRIES: dict[str, Callable[..., Entry]] = {
    "stand": lambda form, *posted, **more: StandEntry(
        forms.game_of(form.event), *posted[:1], is_edit=True, **more
    ),
    "pit": lambda form, *posted, **more: PitEntry(
        forms.game_of(form.event), *posted, photo_ids=form.photo_ids or (), is_edit=True, **more
    ),
    "comment": lambda form, *posted, **more: CommentEntry(*posted[:1], is_edit=True, **more),
}


@requires("scouting.form.view")
@require_safe
def form(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    """Three requests: the session, the form and its history; photos are one more."""
    stored = forms.opened(request.user, kind, key)
    context = {
        **_about(request, kind, key, stored),
        "told": _told(kind, stored),
        "photos": _photos(stored),
        "history": [
            (verbs.sentence(entry.verb, who=_strong(entry.actor_name), what=_("it")), entry.at)
            for entry in history.entries(kind, key, strong=True).items
        ],
        "may_delete": may(request.user, "scouting.form.delete", stored),
        "team_address": _team_address(stored) if may(request.user, "scouting.analysis.view") else "",
    }
    return render(request, "scouting/form.html", context)


@requires("scouting.form.update")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    stored = forms.opened(request.user, kind, key)
    ensure(request.user, "scouting.form.update", stored)
    initial = _initial(kind, stored)
    if request.method != "POST":
        return _edit_page(request, kind, key, stored, ENTRIES[kind](stored, initial=initial))
    entry = ENTRIES[kind](stored, request.POST, request.FILES, initial=initial)
    if not entry.is_valid():
        entry.focus_first_error()
        return _edit_page(request, kind, key, stored, entry, status=422)
    seen = request.POST.get("version", "")
    try:
        fields = entry.fields_of()
        if isinstance(entry, PitEntry):
            fields["photo_ids"] = [*fields["photo_ids"], *kept_photos(request.user, entry.new_photos)]
        forms.edit(
            request.user,
            kind,
            key,
            fields,
            seen_version=int(seen) if seen.isdecimal() else 0,
            once=idempotency.once(request),
        )
    except (NotFound, Unavailable):
        raise
    except Conflict:
        # The person has now been told of the other version: saving again means their own.
        stored = forms.opened(request.user, kind, key)
        return _edit_page(request, kind, key, stored, entry, status=409, is_stale=True)
    except DataError as error:
        entry.add_refusal(error)
        return _edit_page(request, kind, key, stored, entry, status=error.status_code)
    tell(request, _("Saved."))
    return go(request, reverse("scouting:form", args=[kind, key]))


@requires("scouting.form.delete")
@require_POST
def delete(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    seen = request.POST.get("version", "")
    try:
        deleted = forms.delete(request.user, kind, key, seen_version=int(seen) if seen.isdecimal() else 0)
    except Conflict as error:
        tell(request, error.message)
        return go(request, reverse("scouting:form", args=[kind, key]))
    restore_address = reverse("scouting:form-restore", args=[kind, key])
    tell(request, _("The form was deleted."), undo=Undo(restore_address))
    return go(request, _team_address(deleted))


@requires("scouting.form.delete")
@require_POST
def restore(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    forms.restore(request.user, kind, key)
    tell(request, _("The form is back."))
    return go(request, reverse("scouting:form", args=[kind, key]))


def _team_address(stored: Any) -> str:
    """Leads come from what is known of the team, and go back there."""
    return f"{reverse('scouting:team', args=[stored.team])}?{urlencode({'event': stored.event})}"


def _about(request: SignedInRequest, kind: str, key: str, stored: Any) -> dict[str, Any]:
    return {
        "kind": kind,
        "kind_title": TITLES[kind],
        "key": key,
        "stored": stored,
        "may_update": may(request.user, "scouting.form.update", stored),
    }


def _edit_page(
    request: SignedInRequest,
    kind: str,
    key: str,
    stored: Any,
    entry: Entry,
    *,
    status: int = 200,
    is_stale: bool = False,
) -> HttpResponse:
    context = {
        **_about(request, kind, key, stored),
        "form": entry,
        "photos": _photos(stored),
        "is_stale": is_stale,
        "told": _told(kind, stored) if is_stale else [],
    }
    if not isinstance(entry, CommentEntry):
        context["data"] = showing.script_data(entry.questions)
    return page_or_partial(request, "scouting/form_edit.html", "page", context, status=status)


def _initial(kind: str, stored: Any) -> dict[str, Any]:
    classes = {"stand": StandEntry, "pit": PitEntry, "comment": CommentEntry}
    initial: dict[str, Any] = classes[kind].initial_of(stored)  # type: ignore[attr-defined]
    return initial


def _told(kind: str, stored: Any) -> list[Told]:
    if kind == "stand":
        return showing.told_stand(forms.game_of(stored.event), stored)
    return showing.told_pit(forms.game_of(stored.event), stored) if kind == "pit" else []


def _photos(stored: Any) -> list[Any]:
    places = [(PHOTO, each) for each in getattr(stored, "photo_ids", None) or ()]
    found = records_at(places)
    return [found[place] for place in places if place in found]


def _strong(text: str) -> str:
    return format_html("<strong>{}</strong>", text)
