"""The form that moves a stand or pit form to another robot."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from scouting.forms.forms.questions import RANGE, TeamField
from scouting.keys import HIGHEST_MATCH


class PlaceEntry(RefusableForm):
    match = forms.IntegerField(label=_("Match"), min_value=1, max_value=HIGHEST_MATCH, error_messages=RANGE)
    team = TeamField()

    def __init__(self, kind: str, data: Any = None, *, initial: Any = None) -> None:
        super().__init__(data, initial=initial, auto_id="move-%s")
        if kind != "stand":
            del self.fields["match"]
