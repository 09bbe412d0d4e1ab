"""The pages of one sent form: viewing, correcting, moving and deleting it."""

from collections.abc import Mapping
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
from django.views.decorators.http import require_POST, require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import go, small_number
from core.crud import toasts, verbs
from core.crud.form_page import FormPage
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, DataError, Invalid, NotFound, Text
from core.media import private_photos
from scouting.events.event import Match
from scouting.forms import corrections, photos, presenters
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry, PitEntry, StandEntry
from scouting.forms.forms.moving import PlaceEntry
from scouting.forms.presenters import AnswerSection
from scouting.forms.repository import stand_forms
from scouting.forms.services import FormHistoryEntry
from scouting.forms.views.mine import TITLES

Entry = StandEntry | PitEntry | CommentEntry
# Titles of official values about a robot; other names are displayed unchanged.
OFFICIAL: dict[str, Text] = {
    "autoLine": gettext_lazy("Left the line"),
    "endGame": gettext_lazy("Endgame"),
    "autoTower": gettext_lazy("Tower in autonomous"),
    "endGameTower": gettext_lazy("Tower at the end"),
}


@requires("scouting.form.view")
@require_safe
def form(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    """The page of a form. Four requests: session, form, history, and its event or the team's forms elsewhere.

    Each earlier place of a moved form is one request more.
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
    """Render the page; `taken` is the error if the form could not be moved to `place`."""
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
    """Redirect from the id of a stand form, as in exported files, to its page,
    which checks the right to read it."""
    return go(request, reverse("scouting:form", args=["stand", stand_forms.key_with_id(form_id)]))


@requires("scouting.form.view")
@require_safe
def photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of a robot, for users who may read its pit form."""
    data, mime_type = private_photos.read(forms.opened(request.user, "pit", key).photos, name)
    return HttpResponse(data, content_type=mime_type)


@requires("scouting.form.update")
class EditForm(FormPage[Entry]):
    template = "scouting/forms/edit.html"
    partial = "page"
    success_message = gettext_lazy("Saved.")

    def load(self) -> None:
        self.kind, self.key = self.kwargs["kind"], self.kwargs["key"]
        self.object = self.get_object()

    def check(self) -> None:
        if self.request.method != "POST":
            corrections.ensure_may_correct(self.request.user, self.object)

    def get_object(self) -> Any:
        return forms.opened(self.request.user, self.kind, self.key)

    def blank_form(self) -> Entry:
        return _entry(self.kind, self.object)

    def bound_form(self) -> Entry:
        return _entry(self.kind, self.object, self.request.POST, self.request.FILES)

    def save(self) -> None:
        forms.edit(
            self.request.user,
            self.kind,
            self.key,
            self.form.fields_of(),
            seen_version=self.seen_version,
            files=self.form.new_photos if isinstance(self.form, PitEntry) else (),
            once=self.once,
        )

    def compare(self) -> list[AnswerSection]:
        return _told(self.kind, self.object)

    def show(self, status: int = 200) -> HttpResponse:
        if isinstance(self.form, PitEntry) and status != 200:
            self.form.ask_for_photos_again()
        return super().show(status)

    def context(self) -> Mapping[str, Any]:
        own = {**_about(self.kind, self.key, self.object)}
        if self.kind == "pit":
            own["photos"] = photos.shown(self.object)
        if not isinstance(self.form, CommentEntry):
            own["data"] = presenters.script_data(self.form.questions)
        return own

    def success_url(self) -> str:
        return reverse("scouting:form", args=[self.kind, self.key])


@requires("scouting.form.delete")
class MoveForm(FormPage[PlaceEntry]):
    """Move a form to another robot; errors are shown on the page of the form."""

    http_method_names = ["post"]
    success_message = gettext_lazy("The form was moved.")

    def load(self) -> None:
        self.kind, self.key = self.kwargs["kind"], self.kwargs["key"]
        if self.kind not in forms.MOVED:
            raise NotFound
        self.answer = {"key": self.key}

    def bound_form(self) -> PlaceEntry:
        return PlaceEntry(self.kind, self.request.POST)

    def correct(self) -> HttpResponse:
        return self._not_moved(" ".join(str(each[0]) for each in self.form.errors.values()))

    def save(self) -> None:
        key = forms.move(
            self.request.user,
            self.kind,
            self.key,
            self.form.cleaned_data,
            seen_version=self.seen_version,
            once=self.once,
            is_further="further" in self.request.POST,
        )
        self.answer = {"key": key}

    def can_tell(self, error: DataError) -> bool:
        return isinstance(error, forms.Taken | Conflict | Invalid)

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, forms.Taken):
            stored = forms.opened(self.request.user, self.kind, self.key)
            return _page(self.request, self.kind, self.key, stored, self.form, taken=error)
        return self._not_moved(error.message)

    def done(self) -> HttpResponse:
        return go(self.request, self.success_url()) if self.is_replay else super().done()

    def success_url(self) -> str:
        return reverse("scouting:form", args=[self.kind, self.answer["key"]])

    def _not_moved(self, why: Text) -> HttpResponse:
        toasts.add(self.request, why, level=messages.WARNING)
        return go(self.request, self.success_url())


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
    """The page of the team at this event, from which leads usually come."""
    return f"{reverse('scouting:team', args=[stored.team])}?{urlencode({'event': stored.event})}"


def _place(kind: str, stored: Any) -> PlaceEntry | None:
    if kind not in forms.MOVED:
        return None
    return PlaceEntry(kind, initial={"team": stored.team, "match": getattr(stored, "match", None)})


def _official(match: Match, team: str) -> list[tuple[Text, str]]:
    """The official values of the robot in this match, for comparison."""
    colour = match.alliance_of(team)
    told = match.alliance(colour).robot(team) if colour else {}
    # Sorted, because a DynamoDB map has no order.
    known = [name for name in OFFICIAL if name in told]
    names = [*known, *sorted(told.keys() - OFFICIAL.keys())]
    return [(OFFICIAL.get(name, name), told[name]) for name in names]


def _elsewhere(kind: str, stored: Any) -> list[tuple[Any, str]]:
    """Forms of the same kind about this team at other events. Not for stand forms:
    the page of the team has those."""
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


def _entry(kind: str, stored: Any, posted: Any = None, files: Any = None) -> Entry:
    """The Django form, filled from the stored form or bound to the posted data."""
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


def _told(kind: str, stored: Any) -> list[AnswerSection]:
    if kind == "comment":
        return []
    game = forms.game_of(stored.event, [stored])
    return presenters.told_stand(game, stored) if kind == "stand" else presenters.told_pit(game, stored)


def _sentence(deed: FormHistoryEntry) -> SafeString:
    """A history entry as text, with the earlier place if it was a move."""
    who, place = _strong(deed.entry.actor_name), deed.came_from
    if place is None:
        return verbs.sentence(deed.entry.verb, who=who, what=_("it"))
    told = place["team"]
    if "match" in place:
        told = _("%(team)s in match %(match)d") % place
    return format_html(_("{who} moved it here from {place}"), who=who, place=told)


def _strong(text: str) -> str:
    return format_html("<strong>{}</strong>", text)
