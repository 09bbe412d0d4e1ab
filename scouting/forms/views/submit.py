"""The pages for stand, pit and comment forms: choosing the event, and sending once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import small_number
from core.crud.form_page import F, FormPage
from core.dynamo.errors import DataError, Invalid
from core.dynamo.idempotency import LONGEST_KEY, IdempotencyKey
from core.dynamo.items import new_id
from core.stores import idempotency
from scouting import keys
from scouting.events.choice import choose_event, choose_other_event
from scouting.events.event import NoSuchEvent, ScoutedEvent
from scouting.events.repository import event_infos
from scouting.form_page import ResendablePage
from scouting.forms import corrections, presenters
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry, PitEntry, StandEntry
from scouting.forms.limits import SENDING
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.forms.repository import SentForm, stand_forms
from scouting.games.definition import Game
from scouting.revision_cache import cached_by_language
from scouting.settings import services as settings


class SubmitPage(FormPage[F]):
    """Base of the stand, pit and comment pages: sends for the requested event, once, with a rate limit."""

    partial = "page"
    kind: ClassVar[str]
    # Errors that are displayed by a partial of their own.
    displayed_apart: ClassVar[tuple[type[DataError], ...]] = (forms.Taken, forms.Deleted)
    event_key: str
    # The stored form, after `save`.
    sent: Any

    def dispatch(self, request: SignedInRequest, /, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """Shows the choice of events if the event is unknown or was deleted."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request)
        event = _chosen_event(request)
        if event is None:
            return choose_event(request)
        self.event_key = event
        try:
            return super().dispatch(request, *args, **kwargs)
        except NoSuchEvent as error:
            return choose_other_event(request, error)

    @cached_property
    def event(self) -> ScoutedEvent:
        """The event. A posted form is shown again even if its event was deleted."""
        try:
            return event_infos.read(self.event_key)
        except NoSuchEvent:
            if self.request.method != "POST":
                raise
            return ScoutedEvent(self.event_key, self.event_key)

    @property
    def game(self) -> Game:
        return forms.game_of(self.event_key)

    @property
    def route(self) -> str:
        return f"scouting:{self.kind}"

    @property
    def once(self) -> IdempotencyKey | None:
        """The idempotency key; a deleted form that is sent anew posts a new key as `anew`."""
        once = idempotency.once(self.request, route=self.route)
        anew = self.request.POST.get("anew", "")[:LONGEST_KEY]
        return replace(once, key=anew) if once and anew else once

    def initial(self) -> Mapping[str, Any]:
        return {"event": self.event_key, "team": self.request.GET.get("team", "")}

    def save(self) -> None:
        SENDING.ensure(self.request.user.sub)
        self.sent = self.submit()

    def submit(self) -> Any:
        """Call the service and return the stored form."""
        raise NotImplementedError

    def asked_team(self, name: str) -> str:
        """The team in the URL; empty if it is not a valid team."""
        try:
            return keys.team_key(self.request.GET.get(name, ""))
        except Invalid:
            return ""

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, self.displayed_apart):
            return self.show_error(error)
        return super().refuse(error)

    @property
    def taken(self) -> Any:
        """The existing form in the place of this one, or None."""
        return self.problem.current if isinstance(self.problem, forms.Taken) else None

    def context(self) -> Mapping[str, Any]:
        """After `Deleted` the key stays the same; only the button for sending anew uses `new_key`."""
        deleted = isinstance(self.problem, forms.Deleted)
        season = settings.active()
        is_event_refused = self.form.is_bound and "event" in self.form.errors
        events = event_infos.newest_first() if is_event_refused else []
        own = {
            "event": self.event,
            "season": season,
            "other_events": [each for each in events if not season.is_locked or each.event == season.event],
            "doubt": presenters.unlisted(self.event, self.asked_team("sent")),
            "taken": self.taken,
            "sent_key": idempotency.key_of(self.request) if deleted else "",
            "new_key": new_id() if deleted else "",
        }
        return own | self._about_taken() if self.taken else own

    def _about_taken(self) -> dict[str, Any]:
        taken, user = self.taken, self.request.user
        return {
            "taken_key": forms.KINDS[self.kind].key_of(taken),
            "may_see_taken": may(user, "scouting.form.view", taken),
            "may_change_taken": corrections.may_correct(user, taken, self.event),
        }

    def success_url(self) -> str:
        return f"{reverse(self.route)}?{urlencode({'event': self.event_key, 'sent': self.sent.team})}"


@requires("scouting.form.create")
class Comment(SubmitPage[CommentEntry]):
    form_class = CommentEntry
    template = "scouting/forms/comment.html"
    kind = "comment"
    # No partial for an existing form: a team can have any number of comments.
    displayed_apart = (forms.Deleted,)

    def submit(self) -> CommentForm:
        return forms.submit_comment(self.request.user, self.form.fields_of(), once=self.once)

    def message(self) -> str:
        return _("Comment about %(team)s saved.") % {"team": self.sent.team}


@requires("scouting.form.create")
class Pit(SubmitPage[PitEntry]):
    form_class = PitEntry
    template = "scouting/forms/pit.html"
    kind = "pit"
    takes_files = True

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"game": self.game}

    def submit(self) -> PitForm:
        user, values = self.request.user, self.form.fields_of()
        return forms.submit_pit(user, values, files=self.form.new_photos, once=self.once)

    def message(self) -> str:
        return _("Pit form of %(team)s saved.") % {"team": self.sent.team}

    def show(self, status: int = 200) -> HttpResponse:
        if status != 200:
            self.form.ask_for_photos_again()
        return super().show(status)

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "data": presenters.script_data(self.form.questions)}


@requires("scouting.form.create")
class Stand(ResendablePage[StandEntry], SubmitPage[StandEntry]):
    """The page for a stand form, which needs no request between opening and sending."""

    form_class = StandEntry
    template = "scouting/forms/stand.html"
    kind = "stand"
    send_again = gettext_lazy("Send it again to confirm.")

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"game": self.game}

    @cached_property
    def latest(self) -> Sequence[SentForm]:
        return stand_forms.latest(self.event_key, newest_first=True, limit=presenters.LATEST).items

    @property
    def after(self) -> int:
        """The match this scout has just sent; 0 if none."""
        return small_number(self.request.GET.get("after", ""))

    @cached_property
    def number(self) -> int | None:
        """The match number: as typed, from the URL, or the next one."""
        if self.form.is_bound:
            return small_number(str(self.form.data.get("match", "")))
        number: int | None = self.form.initial["match"]
        return number

    def initial(self) -> Mapping[str, Any]:
        match: int | None = small_number(self.request.GET.get("match", ""))
        if not match or match > keys.HIGHEST_MATCH:
            match = presenters.next_match(self.event, self.latest, self.request.user.sub, self.after or None)
        return {"event": self.event_key, "match": match, "team": self.asked_team("team")}

    def submit(self) -> StandForm:
        user, values = self.request.user, self.form.fields_of()
        return forms.submit_stand(user, values, once=self.once, is_further="further" in self.request.POST)

    def message(self) -> str:
        points = f"{float(self.sent.total_score):g}"
        values = {"team": self.sent.team, "match": int(self.sent.match), "points": points}
        return _("Sent: %(team)s in match %(match)d, score %(points)s.") % values

    def success_url(self) -> str:
        query = {"event": self.event_key, "after": int(self.sent.match), "sent": self.sent.team}
        return f"{reverse(self.route)}?{urlencode(query)}"

    def context(self) -> Mapping[str, Any]:
        """Three requests: the session, the event, and the newest forms."""
        event, user = self.event, self.request.user
        is_blank = not self.form.is_bound
        own = {
            "seats": presenters.seats(event, self.number),
            "teams": presenters.team_options(event.teams),
            # A blank form is the same for everybody, so its markup is cached.
            "blank": _blank(self.game) if is_blank else None,
            "data": presenters.stand_data(self.game, event, self.latest, user.sub),
            "is_next": is_blank and bool(self.after) and bool(self.number),
            "was_last": self.number is None and bool(event.matches),
            "doubt": presenters.doubt(event, self.asked_team("sent"), self.after) if is_blank else "",
        }
        return {**super().context(), **own}

    def _about_taken(self) -> dict[str, Any]:
        """About an existing form: sender, time and score for all; its answers for its own scout and leads."""
        about, taken = super()._about_taken(), self.taken
        game = forms.game_of(taken.event, [taken])
        return about | {
            "taken_answers": presenters.answers_of(game, taken) if about["may_see_taken"] else [],
            "taken_is_own": taken.scout_id == self.request.user.sub,
        }


@cached_by_language(8)
def _blank(game: Game) -> dict[str, SafeString]:
    """The rendered steps of a blank form, and their navigation."""
    context = {"form": StandEntry(game=game)}
    return {
        part: render_to_string(f"scouting/forms/stand.html#{part}", context) for part in ("buttons", "parts")
    }


def _chosen_event(request: SignedInRequest) -> str | None:
    """The event of the posted form, else of the URL, else the current event."""
    season = settings.active()
    if "choose" in request.GET and not season.is_locked:
        return None
    text = request.POST.get("event") or request.GET.get("event", "")
    # A form opened before the event was locked is refused by the service on sending, and keeps its input.
    if text and (request.method == "POST" or not season.is_locked):
        try:
            return keys.event_key(text)
        except Invalid:
            return season.event
    return season.event
