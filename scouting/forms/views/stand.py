"""The page for a stand form, which needs no request between opening and sending."""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from core.accounts.rights import may, requires
from core.common.http import small_number
from scouting import keys
from scouting.form_page import ResendablePage
from scouting.forms import corrections, presenters
from scouting.forms import services as forms
from scouting.forms.forms import StandEntry
from scouting.forms.models import StandForm
from scouting.forms.repository import SentForm, stand_forms
from scouting.forms.views.submit import SubmitPage, asked_team
from scouting.games.definition import Game

# About sixteen matches of forms. A duplicate of an older one is detected only when it arrives.
LATEST = 100


@requires("scouting.form.create")
class Stand(ResendablePage[StandEntry], SubmitPage[StandEntry]):
    form_class = StandEntry
    template = "scouting/forms/stand.html"
    route = "scouting:stand"
    send_again = gettext_lazy("Send it again if you mean it.")

    @property
    def game(self) -> Game:
        return forms.game_of(self.event_key)

    @cached_property
    def latest(self) -> Sequence[SentForm]:
        return stand_forms.latest(self.event_key, newest_first=True, limit=LATEST).items

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
        asked = small_number(self.request.GET.get("match", ""))
        if not 1 <= asked <= keys.HIGHEST_MATCH:
            asked = 0
        return {
            "event": self.event_key,
            "match": asked
            or presenters.next_match(self.event, self.latest, self.request.user.sub, self.after or None),
            "team": asked_team(self.request, "team"),
        }

    def blank_form(self) -> StandEntry:
        return StandEntry(self.game, initial=self.initial())

    def bound_form(self) -> StandEntry:
        return StandEntry(self.game, self.request.POST)

    def submit(self) -> StandForm:
        user, values = self.request.user, self.form.fields_of()
        return forms.submit_stand(user, values, once=self.once, is_further="further" in self.request.POST)

    def message(self) -> str:
        points = f"{float(self.sent.total_score):g}"
        told = {"team": self.sent.team, "match": int(self.sent.match), "points": points}
        return _("Sent: %(team)s in match %(match)d, score %(points)s.") % told

    def success_url(self) -> str:
        asked = {"event": self.event_key, "after": int(self.sent.match), "sent": self.sent.team}
        return f"{reverse(self.route)}?{urlencode(asked)}"

    def context(self) -> Mapping[str, Any]:
        """Three requests: the session, the event, and the newest forms."""
        event, user = self.event, self.request.user
        is_blank = not self.form.is_bound
        doubt = presenters.doubt(event, asked_team(self.request, "sent"), self.after) if is_blank else ""
        own = {
            "seats": presenters.seats(event, self.number),
            "teams": presenters.team_options(event.teams),
            # A blank form is the same for everybody, so its markup is cached.
            "blank": _blank(self.game, get_language()) if is_blank else None,
            "data": presenters.stand_data(self.game, event, self.latest, user.sub),
            "is_next": is_blank and bool(self.after) and bool(self.number),
            "was_last": self.number is None and bool(event.matches),
            "doubt": doubt,
        }
        return {**super().context(), **own, **(self._about_taken() if self.taken else {})}

    def _about_taken(self) -> dict[str, Any]:
        """About an existing form: sender, time and score for all; its answers for its own scout and leads."""
        taken, user = self.taken, self.request.user
        game = forms.game_of(taken.event, [taken])
        may_see = may(user, "scouting.form.view", taken)
        return {
            "taken_key": stand_forms.key_of(taken),
            "taken_told": presenters.told_stand(game, taken) if may_see else [],
            "taken_is_own": taken.scout_id == user.sub,
            "may_change_taken": corrections.may_correct(user, taken, self.event),
        }


@lru_cache(maxsize=8)
def _blank(game: Game, language: str | None) -> dict[str, SafeString]:
    """The rendered steps of a blank form, and their navigation."""
    context = {"form": StandEntry(game)}
    return {
        part: render_to_string(f"scouting/forms/stand.html#{part}", context) for part in ("buttons", "parts")
    }
