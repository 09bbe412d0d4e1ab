"""The comment form: a note about a team."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from scouting.forms.forms.questions import EventField, LongText, TeamField
from scouting.forms.models import CommentForm


class CommentEntry(RefusableForm):
    use_required_attribute = False

    event = EventField()
    team = TeamField()
    comments = LongText(label=_("Comment"))

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
        is_edit: bool = False,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        if is_edit:
            del self.fields["event"]
            del self.fields["team"]

    @classmethod
    def initial_of(cls, form: CommentForm) -> dict[str, Any]:
        return {"comments": form.comments}

    def fields_of(self) -> dict[str, Any]:
        return dict(self.cleaned_data)
