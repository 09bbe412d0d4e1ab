"""One form that was sent: reading, correcting, deleting it."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import go, small_number
from core.crud import toasts, verbs
from core.crud.http import page_or_partial
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, DataError, Invalid, NotFound, Replayed, Text, Unavailable
from core.media import private_photos
from core.stores import idempotency
from scouting.events.event import Match
from scouting.forms import corrections, photos, presenters
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry, PitEntry, StandEntry
from scouting.forms.forms.moving import PlaceEntry
from scouting.forms.presenters import Told
from scouting.forms.repository import stand_forms
from scouting.forms.services import Deed
from scouting.forms.views.mine import TITLES

Entry = StandEntry | PitEntry | CommentEntry
# What the official score says of a robot; other names are told as they are.
OFFICIAL: dict[str, Text] = {
    "autoLine": gettext_lazy("Left the line"),
    "endGame": gettext_lazy("Endgame"),
    "autoTower": gettext_lazy("Tower in autonomous"),
    "endGameTower": gettext_lazy("Tower at the end"),
}


@requires("scouting.form.view")
@require_safe
def form(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    """Four requests: the session, the form, its history, and its event or what is told elsewhere.

    Each place where the form was before it was moved is one more.
    """
    stored = forms.opened(request.user, kind, key)
    return _page(request, kind, key, stored, _place(kind, stored))


def _page(
    request: SignedInRequest,
    kind: str,
    key: str,
    stored: Any,
    place: PlaceEntry | None,
    *,
    taken: forms.Taken | None = None,
) -> HttpResponse:
    """`taken` is why the form could not be moved to the `place` that was asked for."""
    is_lead = may(request.user, "scouting.analysis.view")
    event = corrections.event_of(stored) if kind == "stand" or not is_lead else None
    match = event.match(int(stored.match)) if event and kind == "stand" else None
    context = {
        **_about(kind, key, stored),
        "may_update": corrections.may_correct(request.user, stored, event),
        "corrected_until": "" if is_lead else corrections.until_in_words(stored, event),
        "told": _told(kind, stored),
        "photos": photos.shown(stored) if kind == "pit" else [],
        "history": [(_sentence(deed), deed.entry.at) for deed in forms.past(kind, key, stored)],
        "may_delete": may(request.user, "scouting.form.delete", stored),
        "place": place,
        "team_address": _team_address(stored) if is_lead else "",
        "videos": match.videos if match else (),
        "official": _official(match, stored.team) if match else [],
        "elsewhere": _elsewhere(kind, stored) if is_lead else [],
    }
    if taken:
        context |= {
            "taken": taken,
            "taken_address": reverse("scouting:form", args=[kind, forms.KINDS[kind].key_of(taken.current)]),
            "may_be_further": kind == "stand" and forms.is_by_another(stored, taken.current),
        }
    return render(request, "scouting/forms/form.html", context, status=409 if taken else 200)


@requires("scouting.form.view")
@require_safe
def with_id(request: SignedInRequest, form_id: str) -> HttpResponse:
    """The address of a stand form by the id that files tell; whether it may be read is asked there."""
    return go(request, reverse("scouting:form", args=["stand", stand_forms.key_with_id(form_id)]))


@requires("scouting.form.view")
@require_safe
def photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of a robot, for whoever may read the pit form: nobody finds it without signing in."""
    data, mime_type = private_photos.read(forms.opened(request.user, "pit", key).photos, name)
    return HttpResponse(data, content_type=mime_type)


@requires("scouting.form.update")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    stored = forms.opened(request.user, kind, key)
    if request.method != "POST":
        corrections.ensure_may_correct(request.user, stored)
        return _edit_page(request, kind, key, stored, _entry(kind, stored))
    entry = _entry(kind, stored, request.POST, request.FILES)
    if not entry.is_valid():
        entry.focus_first_error()
        return _edit_page(request, kind, key, stored, entry, status=422)
    seen = small_number(request.POST.get("version", ""))
    try:
        forms.edit(
            request.user,
            kind,
            key,
            entry.fields_of(),
            seen_version=seen,
            files=entry.new_photos if isinstance(entry, PitEntry) else (),
            once=idempotency.once(request),
        )
    except (NotFound, Unavailable):
        raise
    except Conflict:
        # The person has now been told of the other version: saving again means their own.
        stored = forms.opened(request.user, kind, key)
        return _edit_page(request, kind, key, stored, entry, status=409, contested=_told(kind, stored))
    except DataError as error:
        entry.add_refusal(error)
        entry.focus_first_error()
        return _edit_page(request, kind, key, stored, entry, status=entry.status_of(error))
    toasts.add(request, _("Saved."))
    return go(request, reverse("scouting:form", args=[kind, key]))


@requires("scouting.form.delete")
@require_POST
def move(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    """To the robot that was meant; what is wrong with it is told on the page of the form."""
    if kind not in forms.MOVED:
        raise NotFound
    entry = PlaceEntry(kind, request.POST)
    seen = small_number(request.POST.get("version", ""))
    try:
        if not entry.is_valid():
            raise Invalid(" ".join(str(each[0]) for each in entry.errors.values()))
        once = idempotency.once(request)
        key = forms.move(
            request.user,
            kind,
            key,
            entry.cleaned_data,
            seen_version=seen,
            once=once,
            is_further="further" in request.POST,
        )
        toasts.add(request, _("The form was moved."))
    except Replayed as earlier:
        key = earlier.answer["key"]
    except forms.Taken as taken:
        return _page(request, kind, key, forms.opened(request.user, kind, key), entry, taken=taken)
    except (Conflict, Invalid) as error:
        toasts.add(request, error.message, level=messages.WARNING)
    return go(request, reverse("scouting:form", args=[kind, key]))


@requires("scouting.form.delete")
@require_POST
def delete(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    seen = small_number(request.POST.get("version", ""))
    try:
        deleted = forms.delete(request.user, kind, key, seen_version=seen)
    except Conflict as error:
        toasts.add(request, error.message)
        return go(request, reverse("scouting:form", args=[kind, key]))
    restore_address = reverse("scouting:form-restore", args=[kind, key])
    toasts.add(request, _("The form was deleted."), undo=Undo(restore_address))
    return go(request, _team_address(deleted))


@requires("scouting.form.delete")
@require_POST
def restore(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    try:
        forms.restore(request.user, kind, key)
        toasts.add(request, _("The form is back."))
    except forms.Taken as taken:
        toasts.add(request, taken.message, level=messages.WARNING)
        key = forms.KINDS[kind].key_of(taken.current)
    return go(request, reverse("scouting:form", args=[kind, key]))


def _team_address(stored: Any) -> str:
    """Leads come from what is known of the team, and go back there."""
    return f"{reverse('scouting:team', args=[stored.team])}?{urlencode({'event': stored.event})}"


def _place(kind: str, stored: Any) -> PlaceEntry | None:
    if kind not in forms.MOVED:
        return None
    return PlaceEntry(kind, initial={"team": stored.team, "match": getattr(stored, "match", None)})


def _official(match: Match, team: str) -> list[tuple[Text, str]]:
    """What the official score says of the robot, to compare."""
    colour = match.alliance_of(team)
    told = match.alliance(colour).robot(team) if colour else {}
    # DynamoDB keeps no order.
    known = [name for name in OFFICIAL if name in told]
    names = [*known, *sorted(told.keys() - OFFICIAL.keys())]
    return [(OFFICIAL.get(name, name), told[name]) for name in names]


def _elsewhere(kind: str, stored: Any) -> list[tuple[Any, str]]:
    """The same of this team at other events; where it has stand forms the page of the team says."""
    if kind == "stand":
        return []
    found = forms.KINDS[kind]
    return [
        (form, reverse("scouting:form", args=[kind, found.key_of(form)]))
        for form in found.across_events(stored.team)
        if form.event != stored.event
    ]


def _about(kind: str, key: str, stored: Any) -> dict[str, Any]:
    return {"kind": kind, "kind_title": TITLES[kind], "key": key, "stored": stored}


def _edit_page(
    request: SignedInRequest,
    kind: str,
    key: str,
    stored: Any,
    entry: Entry,
    *,
    status: int = 200,
    contested: list[Told] | None = None,
) -> HttpResponse:
    if isinstance(entry, PitEntry) and status != 200:
        entry.ask_for_photos_again()
    context = {
        **_about(kind, key, stored),
        "form": entry,
        "photos": photos.shown(stored) if kind == "pit" else [],
        "contested": contested,
    }
    if not isinstance(entry, CommentEntry):
        context["data"] = presenters.script_data(entry.questions)
    return page_or_partial(request, "scouting/forms/edit.html", "page", context, status=status)


def _entry(kind: str, stored: Any, posted: Any = None, files: Any = None) -> Entry:
    """Filled from the form that is stored, or with what was posted."""
    if kind == "comment":
        return CommentEntry(posted, initial=CommentEntry.initial_of(stored), is_edit=True)
    game = forms.game_of(stored.event, [stored])
    if kind == "stand":
        return StandEntry(game, posted, initial=StandEntry.initial_of(stored), is_edit=True)
    return PitEntry(
        game,
        posted,
        files,
        initial=PitEntry.initial_of(stored),
        stored_photos=stored.photos or (),
        is_edit=True,
    )


def _told(kind: str, stored: Any) -> list[Told]:
    if kind == "comment":
        return []
    game = forms.game_of(stored.event, [stored])
    return presenters.told_stand(game, stored) if kind == "stand" else presenters.told_pit(game, stored)


def _sentence(deed: Deed) -> SafeString:
    """With where it came from, if it was moved."""
    who, place = _strong(deed.entry.actor_name), deed.came_from
    if place is None:
        return verbs.sentence(deed.entry.verb, who=who, what=_("it"))
    told = place["team"]
    if "match" in place:
        told = _("%(team)s in match %(match)d") % place
    return format_html(_("{who} moved it here from {place}"), who=who, place=told)


def _strong(text: str) -> str:
    return format_html("<strong>{}</strong>", text)
