"""The pages of sent forms: the list of the own ones; viewing, correcting, moving and deleting one."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.common.http import go
from core.crud import verbs
from core.crud.form_page import ActionPage, F, FormPage
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.sheets import as_file
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, DataError, NotFound, Text
from core.dynamo.history import HistoryEntry
from core.dynamo.paging import read_token
from core.dynamo.queries import every
from core.media import private_photos
from scouting.events.event import Match
from scouting.forms import corrections, exports, photos, presenters
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry, Entry, PitEntry, PlaceEntry, StandEntry
from scouting.forms.presenters import AnswerSection
from scouting.forms.repository import stand_forms

TEMPLATE = "scouting/forms/form.html"
TITLES: dict[str, Text] = {
    "stand": gettext_lazy("Matches"),
    "pit": gettext_lazy("Pit"),
    "comment": gettext_lazy("Comments"),
}
# Titles of official values about a robot; other names are displayed unchanged.
OFFICIAL: dict[str, Text] = {
    "autoLine": gettext_lazy("Left the line"),
    "endGame": gettext_lazy("Endgame"),
    "autoTower": gettext_lazy("Tower in autonomous"),
    "endGameTower": gettext_lazy("Tower at the end"),
}


@requires("scouting.form.view")
@require_safe
def mine(request: SignedInRequest) -> HttpResponseBase:
    """The user's forms of one kind, newest first: two requests, session and forms.

    With `?as=`, all of them as a file.
    """
    sub, kind = request.user.sub, request.GET.get("kind", "")
    kind = kind if kind in TITLES else "stand"
    bound_to = (sub, "scouting:mine", kind)
    repository = forms.KINDS[kind]
    if "as" in request.GET and (
        file := as_file(request, exports.SHEETS[kind](_in_full(repository, sub)), kind)
    ):
        return file
    start = read_token(request.GET.get("after"), *bound_to)
    page = repository.by_scout(sub, newest_first=True, start=start)
    token = page.next_token(*bound_to)
    context = {
        "kind": kind,
        "tabs": TITLES.items(),
        "rows": [{"key": repository.key_of(form), "form": form} for form in page.items],
        "next_address": f"?{urlencode({'kind': kind, 'after': token})}" if token else "",
        "is_first_page": start is None,
    }
    return page_or_partial(request, "scouting/forms/mine.html", "more", context)


def _in_full(repository: Any, scout_id: str) -> list[Any]:
    """The complete forms of a scout: the GSI projects only what the page shows."""
    sent = every(lambda **options: repository.by_scout(scout_id, newest_first=True, **options))
    keys = [repository.key_of(form) for form in sent]
    found = repository.get_many(keys)
    return [found[key] for key in keys if key in found]


@requires("scouting.form.view")
@require_safe
def form(request: SignedInRequest, kind: str, key: str) -> HttpResponse:
    """The page of a form. Four requests: session, form, history, and its event or the team's forms elsewhere.

    Each earlier place of a moved form is one request more.
    """
    stored = forms.opened(request.user, kind, key)
    place = {"team": stored.team, "match": getattr(stored, "match", None)}
    form = PlaceEntry(initial=place, kind=kind) if kind in forms.MOVED else None
    return render(request, TEMPLATE, _context(request.user, kind, key, stored) | {"place": form})


def _context(user: User, kind: str, key: str, stored: Any) -> dict[str, Any]:
    is_lead = may(user, "scouting.analysis.view")
    event = corrections.event_of(stored) if kind == "stand" or not is_lead else None
    match = event.match(int(stored.match)) if event and kind == "stand" else None
    return {
        **_about(kind, key, stored),
        "may_update": corrections.may_correct(user, stored, event),
        "corrected_until": "" if is_lead else corrections.until_in_words(stored, event),
        "answers": _answers(kind, stored),
        "photos": photos.described(stored) if kind == "pit" else [],
        "history": [
            (_sentence(entry, moved_from), entry.at) for entry, moved_from in forms.past(kind, key, stored)
        ],
        "may_delete": may(user, "scouting.form.delete", stored),
        "team_address": _team_address(stored) if is_lead else "",
        "videos": match.videos if match else (),
        "official": _official(match, stored.team) if match else [],
        "elsewhere": _elsewhere(kind, stored) if is_lead else [],
    }


@requires("scouting.form.view")
@require_safe
def with_id(request: SignedInRequest, form_id: str) -> HttpResponse:
    """Redirect from the id of a stand form, as in files, to its page, which checks the right."""
    return go(request, reverse("scouting:form", args=["stand", stand_forms.key_with_id(form_id)]))


@requires("scouting.form.view")
@require_safe
def photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of a robot, for users who may read its pit form."""
    data, mime_type = private_photos.read(forms.opened(request.user, "pit", key).photos, name)
    return HttpResponse(data, content_type=mime_type)


class OneForm(FormPage[F]):
    """Base of the pages that change the form at an address."""

    def load(self) -> None:
        self.kind, self.key = self.kwargs["kind"], self.kwargs["key"]

    def success_url(self) -> str:
        return reverse("scouting:form", args=[self.kind, self.key])


@requires("scouting.form.update")
class EditForm(OneForm[Entry]):
    template = "scouting/forms/edit.html"
    partial = "page"
    success_message = gettext_lazy("Saved.")

    def load(self) -> None:
        super().load()
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
        return _answers(self.kind, self.object)

    def show(self, status: int = 200) -> HttpResponse:
        if isinstance(self.form, PitEntry) and status != 200:
            self.form.ask_for_photos_again()
        return super().show(status)

    def context(self) -> Mapping[str, Any]:
        own = _about(self.kind, self.key, self.object)
        if self.kind == "pit":
            own["photos"] = photos.described(self.object)
        if self.kind != "comment":
            own["data"] = presenters.script_data(self.form.questions)
        return own


@requires("scouting.form.delete")
class MoveForm(OneForm[PlaceEntry]):
    """Move a form to another robot; what is refused is shown on the page of the form."""

    http_method_names = ["post"]
    form_class = PlaceEntry
    template = TEMPLATE
    success_message = gettext_lazy("Form moved.")

    def load(self) -> None:
        super().load()
        if self.kind not in forms.MOVED:
            raise NotFound
        self.answer = {"key": self.key}

    def get_object(self) -> Any:
        return forms.opened(self.request.user, self.kind, self.key)

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"kind": self.kind}

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

    def compare(self) -> DataError | None:
        """The page shows the form as it is stored now, and which other one is at the place."""
        return self.problem

    def context(self) -> Mapping[str, Any]:
        stored = self.object
        context = _context(self.request.user, self.kind, self.key, stored) | {"place": self.form}
        if not isinstance(self.problem, forms.Taken):
            return context
        other = self.problem.current
        return context | {
            "taken": self.problem,
            "taken_address": _address(self.kind, other),
            "may_be_further": self.kind == "stand" and forms.is_by_another(stored, other),
        }

    def done(self) -> HttpResponse:
        self.key = self.answer["key"]
        return go(self.request, self.success_url()) if self.is_replay else super().done()


@requires("scouting.form.delete")
class DeleteForm(OneForm[RefusableForm], ActionPage):
    success_message = gettext_lazy("Form deleted.")
    toast_errors = (Conflict,)

    def save(self) -> None:
        user, version = self.request.user, self.seen_version
        self.deleted = forms.delete(user, self.kind, self.key, seen_version=version)

    def refused_url(self, _error: DataError) -> str:
        return super().success_url()

    def undo(self) -> Undo:
        return Undo(reverse("scouting:form-restore", args=[self.kind, self.key]))

    def success_url(self) -> str:
        return _team_address(self.deleted)


@requires("scouting.form.delete")
class RestoreForm(OneForm[RefusableForm], ActionPage):
    success_message = gettext_lazy("Form restored.")
    toast_errors = (forms.Taken,)

    def save(self) -> None:
        forms.restore(self.request.user, self.kind, self.key)

    def refused_url(self, error: DataError) -> str:
        return _address(self.kind, error.current)


def _address(kind: str, stored: Any) -> str:
    return reverse("scouting:form", args=[kind, forms.KINDS[kind].key_of(stored)])


def _team_address(stored: Any) -> str:
    """The page of the team at this event, from which leads usually come."""
    return f"{reverse('scouting:team', args=[stored.team])}?{urlencode({'event': stored.event})}"


def _official(match: Match, team: str) -> list[tuple[Text, str]]:
    """The official values of the robot in this match, for comparison."""
    colour = match.alliance_of(team)
    values = match.alliance(colour).robot(team) if colour else {}
    # Sorted, because a DynamoDB map has no order.
    names = [*OFFICIAL, *sorted(values.keys() - OFFICIAL.keys())]
    return [(OFFICIAL.get(name, name), values[name]) for name in names if name in values]


def _elsewhere(kind: str, stored: Any) -> list[tuple[Any, str]]:
    """Forms of the same kind about this team at other events; the page of the team has stand forms."""
    if kind == "stand":
        return []
    found = forms.KINDS[kind].across_events(stored.team)
    return [(form, _address(kind, form)) for form in found if form.event != stored.event]


def _about(kind: str, key: str, stored: Any) -> dict[str, Any]:
    return {"kind": kind, "kind_title": TITLES[kind], "key": key, "stored": stored}


def _entry(kind: str, stored: Any, *posted: Any) -> Entry:
    """The Django form, filled from the stored form or bound to the posted data."""
    if kind == "comment":
        return CommentEntry(*posted, initial=CommentEntry.initial_of(stored), is_edit=True)
    game = forms.game_of(stored.event, [stored])
    if kind == "stand":
        return StandEntry(*posted, game=game, initial=StandEntry.initial_of(stored), is_edit=True)
    initial, kept = PitEntry.initial_of(stored), stored.photos or ()
    return PitEntry(*posted, game=game, initial=initial, stored_photos=kept, is_edit=True)


def _answers(kind: str, stored: Any) -> list[AnswerSection]:
    if kind == "comment":
        return []
    return presenters.answers_of(forms.game_of(stored.event, [stored]), stored)


def _sentence(entry: HistoryEntry, moved_from: Mapping[str, Any] | None) -> SafeString:
    """A history entry as text, with the earlier place if it was a move."""
    if moved_from is None:
        return verbs.sentence_of(entry)
    who = format_html("<strong>{}</strong>", entry.actor_name)
    place = moved_from["team"]
    if "match" in moved_from:
        place = _("%(team)s in match %(match)d") % moved_from
    return format_html(_("{who} moved it here from {place}"), who=who, place=place)
