"""The forms of a scout as sheets for file export, by kind of form."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.crud.sheets import Sheet, numbers, text_columns
from scouting.cells import cells, moment, yes_no
from scouting.forms.models import CommentForm, PitForm, StandForm


def stand_forms(forms: Iterable[StandForm]) -> Sheet:
    titles = [
        *text_columns(pgettext("scouting", "Event"), pgettext("scouting", "Team")),
        *numbers(pgettext("scouting", "Match"), _("Auto"), _("Teleop"), _("Total"), _("RP")),
    ]
    titles += text_columns(
        _("Won"), _("Did not come"), _("Incidents"), _("Overall strategy"), _("Extra comments")
    )
    titles += text_columns(_("Sent"))
    rows = [
        cells(
            *(form.event, form.team, int(form.match)),
            *(form.auto_score, form.tele_score, form.total_score, form.rp_earned),
            *(yes_no(form.win), yes_no(form.no_show), ", ".join(form.criticals)),
            *(form.strategy, form.comments, moment(form.created_at)),
        )
        for form in forms
    ]
    return Sheet("my-forms", _("My forms"), titles, rows)


def pit_forms(forms: Iterable[PitForm]) -> Sheet:
    rows = [cells(form.event, form.team, moment(form.created_at)) for form in forms]
    return Sheet(
        "my-forms",
        _("My forms"),
        text_columns(pgettext("scouting", "Event"), pgettext("scouting", "Team"), _("Sent")),
        rows,
    )


def comment_forms(forms: Iterable[CommentForm]) -> Sheet:
    titles = text_columns(
        pgettext("scouting", "Event"), pgettext("scouting", "Team"), _("Comment"), _("Sent")
    )
    rows = [cells(form.event, form.team, form.comments, moment(form.created_at)) for form in forms]
    return Sheet("my-forms", _("My forms"), titles, rows)


SHEETS: Mapping[str, Callable[[list[Any]], Sheet]] = {
    "stand": stand_forms,
    "pit": pit_forms,
    "comment": comment_forms,
}
