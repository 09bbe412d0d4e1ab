"""The pit form: answers of a team about its robot, with photos."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.media.private_photos import PhotoFields
from scouting.forms.forms.questions import EventField, QuestionsForm, Step, TeamField
from scouting.forms.models import PitForm
from scouting.games.definition import Game

MOST_PHOTOS = 4


class PhotosInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class PhotosField(forms.FileField):
    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[Any]"]:
        return [super(PhotosField, self).clean(each, initial) for each in data or []]


class KeptPhotosField(forms.MultipleChoiceField):
    def valid_value(self, value: Any) -> bool:
        """Always valid: a photo that somebody else removed meanwhile is not an error of the sender."""
        return True


class PitEntry(QuestionsForm):
    event = EventField()
    team = TeamField()
    kept_photos = KeptPhotosField(label=_("Photos"), required=False, widget=forms.CheckboxSelectMultiple)
    photos = PhotosField(
        label=_("New photos"),
        required=False,
        widget=PhotosInput(attrs={"accept": "image/*"}),
        help_text=_("At most four in all. You and the scout leads can see them."),
    )

    def __init__(
        self,
        game: Game,
        data: Mapping[str, Any] | None = None,
        files: Any = None,
        *,
        initial: Mapping[str, Any] | None = None,
        stored_photos: Sequence[PhotoFields] = (),
        is_edit: bool = False,
    ) -> None:
        super().__init__(game.pit, data, files, initial=initial)
        self.game = game
        self.stored_photos = stored_photos
        pairs = [(photo["s3Key"], photo["name"]) for photo in stored_photos]
        self.fields["kept_photos"].choices = pairs  # type: ignore[attr-defined]
        if not settings.MEDIA_BUCKET:
            del self.fields["photos"]
        if is_edit:
            del self.fields["event"]
            del self.fields["team"]

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
        own = {name: self.cleaned_data[name] for name in ("event", "team") if name in self.fields}
        return own | {"answers": self.values(), "photos": self._kept_photos()}

    def _kept_photos(self) -> list[PhotoFields]:
        return [photo for photo in self.stored_photos if photo["s3Key"] in self.cleaned_data["kept_photos"]]

    def ask_for_photos_again(self) -> None:
        """Tell the user to choose the photos again: a browser cannot refill a file field."""
        if self.files and "photos" in self.fields:
            self.add_error("photos", _("Nothing is saved yet: please choose the new photos again."))

    @property
    def new_photos(self) -> list["UploadedFile[Any]"]:
        return self.cleaned_data.get("photos") or []

    def sections(self) -> list[Step]:
        return [
            Step(f"section-{number}", title, [self.asked(question) for question in questions])
            for number, (title, questions) in enumerate(self.game.pit_sections.items(), 1)
        ]
