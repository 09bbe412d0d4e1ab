"""The Django forms that scouts fill in, built from the game definition of a year, and that of a move."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from core.media.fields import PhotosField
from core.media.private_photos import PhotoFields
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.forms.questions import (
    RANGE,
    FormQuestion,
    QuestionsForm,
    Step,
    event_field,
    long_text,
    match_field,
    team_field,
)
from scouting.games.definition import AUTO, COUNTER, ENDGAME, MULTI, PHASES, POST, TELE, TEXT, YES_NO, Game

MOST_PHOTOS = 4
MOST_RANKING_POINTS = 6
SHORT = {AUTO: _("Auto"), TELE: _("Teleop"), ENDGAME: _("Endgame"), POST: _("After")}
# Questions that are the same every year, with the kind by which they are displayed.
BEFORE = {"no_show": YES_NO}
AFTER = {
    "win": YES_NO,
    "rp_earned": COUNTER,
    "defense": YES_NO,
    "defended_against": YES_NO,
    "criticals": MULTI,
    "strategy": TEXT,
    "comments": TEXT,
}


class CommentEntry(QuestionsForm):
    """A note about a team."""

    event = event_field()
    team = team_field()
    comments = long_text(label=_("Comment"))

    @classmethod
    def initial_of(cls, form: CommentForm) -> dict[str, Any]:
        return {"comments": form.comments}

    def fields_of(self) -> dict[str, Any]:
        return dict(self.cleaned_data)


class PlaceEntry(RefusableForm):
    """Moves a stand or pit form to another robot."""

    match = match_field()
    team = team_field()

    def __init__(self, data: Any = None, *, kind: str, **options: Any) -> None:
        super().__init__(data, auto_id="move-%s", **options)
        if kind != "stand":
            del self.fields["match"]


class StandEntry(QuestionsForm):
    """One robot in one match, phase by phase."""

    event = event_field()
    match = match_field()
    team = team_field()
    no_show = forms.BooleanField(label=_("The robot did not come"), required=False)
    win = forms.BooleanField(label=_("Its alliance won"), required=False)
    rp_earned = forms.IntegerField(
        label=_("Ranking points"),
        required=False,
        min_value=0,
        max_value=MOST_RANKING_POINTS,
        error_messages=RANGE,
    )
    defense = forms.BooleanField(label=_("It played defence"), required=False)
    defended_against = forms.BooleanField(label=_("It was defended against"), required=False)
    criticals = forms.MultipleChoiceField(
        label=_("Incidents"), required=False, widget=forms.CheckboxSelectMultiple
    )
    strategy = long_text(label=_("Overall strategy"), required=False)
    comments = long_text(label=_("Extra comments"), required=False)

    def __init__(self, *data: Any, game: Game, **options: Any) -> None:
        super().__init__(*data, questions=game.questions, **options)
        self.game = game
        # Incidents of an earlier definition remain choices, so that correcting does not lose them.
        incidents = dict.fromkeys((*game.criticals, *self.initial.get("criticals", ())))
        self.fields["criticals"].choices = [(each, each) for each in incidents]  # type: ignore[attr-defined]
        if not incidents:
            del self.fields["criticals"]

    @classmethod
    def initial_of(cls, form: StandForm) -> dict[str, Any]:
        common = {name: getattr(form, name) for name in (*BEFORE, *AFTER)}
        return common | cls.initial_of_values(form.scores or {})

    def values(self) -> dict[str, Any]:
        """The answers; empty if the robot did not show up."""
        if self.cleaned_data.get("no_show"):
            return {question.key: question.empty for question in self.questions}
        return super().values()

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the form."""
        own = {name: self.cleaned_data[name] for name in self.base_fields if name in self.cleaned_data}
        return own | {"rp_earned": own.get("rp_earned") or 0, "scores": self.values()}

    def steps(self) -> list[Step]:
        """The steps by phase, without empty ones; the last one always has questions."""
        steps = [Step(phase, title, self._of_phase(phase), SHORT[phase]) for phase, title in PHASES.items()]
        return [step for step in steps if step.asked]

    def _of_phase(self, phase: str) -> list[FormQuestion]:
        common = {AUTO: BEFORE, POST: AFTER}.get(phase, {})
        own = [
            FormQuestion(self[name], kind, steps=(1,), most=MOST_RANKING_POINTS)
            for name, kind in common.items()
            if name in self.fields
        ]
        return own + [self.asked(question) for question in self.game.of_phase(phase)]


class KeptPhotosField(forms.MultipleChoiceField):
    def valid_value(self, value: Any) -> bool:
        """Always valid: a photo that somebody else removed meanwhile is not an error of the sender."""
        return True


class PitEntry(QuestionsForm):
    """The answers of a team about its robot, with photos."""

    event = event_field()
    team = team_field()
    kept_photos = KeptPhotosField(label=_("Photos"), required=False, widget=forms.CheckboxSelectMultiple)
    photos = PhotosField(
        label=_("New photos"),
        required=False,
        help_text=_("Up to four in total. You and the scout leads can see them."),
    )

    def __init__(
        self, *data: Any, game: Game, stored_photos: Sequence[PhotoFields] = (), **options: Any
    ) -> None:
        super().__init__(*data, questions=game.pit, **options)
        self.game = game
        self.stored_photos = stored_photos
        pairs = [(photo["s3Key"], photo["name"]) for photo in stored_photos]
        self.fields["kept_photos"].choices = pairs  # type: ignore[attr-defined]
        if not settings.MEDIA_BUCKET:
            del self.fields["photos"]

    @classmethod
    def initial_of(cls, form: PitForm) -> dict[str, Any]:
        kept = [photo["s3Key"] for photo in form.photos or ()]
        return cls.initial_of_values(form.answers or {}) | {"kept_photos": kept}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if len(self._kept_photos()) + len(cleaned.get("photos") or ()) > MOST_PHOTOS:
            self.add_error(
                "photos" if "photos" in self.fields else None,
                _("Choose at most %(most)d photos.") % {"most": MOST_PHOTOS},
            )
        return cleaned

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the form, without new photos: the service adds those."""
        own = {name: self.cleaned_data[name] for name in self.place if name in self.fields}
        return own | {"answers": self.values(), "photos": self._kept_photos()}

    def _kept_photos(self) -> list[PhotoFields]:
        return [photo for photo in self.stored_photos if photo["s3Key"] in self.cleaned_data["kept_photos"]]

    def ask_for_photos_again(self) -> None:
        """Tell the user to choose the photos again: a browser cannot refill a file field."""
        if self.files and "photos" in self.fields:
            self.add_error("photos", _("Not saved yet. Choose the new photos again."))

    @property
    def new_photos(self) -> list["UploadedFile[Any]"]:
        return self.cleaned_data.get("photos") or []

    def sections(self) -> list[Step]:
        return [
            Step(f"section-{number}", title, [self.asked(question) for question in questions])
            for number, (title, questions) in enumerate(self.game.pit_sections.items(), 1)
        ]


Entry = StandEntry | PitEntry | CommentEntry
