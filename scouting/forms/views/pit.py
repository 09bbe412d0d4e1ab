"""The page for a pit form: one per team at an event."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from core.accounts.rights import may, requires
from scouting.forms import corrections, presenters
from scouting.forms import services as forms
from scouting.forms.forms import PitEntry
from scouting.forms.models import PitForm
from scouting.forms.repository import pit_forms
from scouting.forms.views.submit import SubmitPage


@requires("scouting.form.create")
class Pit(SubmitPage[PitEntry]):
    form_class = PitEntry
    template = "scouting/forms/pit.html"
    route = "scouting:pit"
    takes_files = True

    def blank_form(self) -> PitEntry:
        return PitEntry(forms.game_of(self.event_key), initial=self.initial())

    def bound_form(self) -> PitEntry:
        return PitEntry(forms.game_of(self.event_key), self.request.POST, self.request.FILES)

    def submit(self) -> PitForm:
        user, values = self.request.user, self.form.fields_of()
        return forms.submit_pit(user, values, files=self.form.new_photos, once=self.once)

    def message(self) -> str:
        return _("The pit form of %(team)s is saved.") % {"team": self.sent.team}

    def show(self, status: int = 200) -> HttpResponse:
        if status != 200:
            self.form.ask_for_photos_again()
        return super().show(status)

    def context(self) -> Mapping[str, Any]:
        own: dict[str, Any] = {"data": presenters.script_data(self.form.questions)}
        if self.taken:
            own |= {
                "taken_key": pit_forms.key_of(self.taken),
                "may_see_taken": may(self.request.user, "scouting.form.view", self.taken),
                "may_change_taken": corrections.may_correct(self.request.user, self.taken, self.event),
            }
        return {**super().context(), **own}
