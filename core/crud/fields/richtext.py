"""A form field for rich text: an editor with JavaScript, a textarea with the plain text without."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext_lazy as _

from core.content.richtext.reading import (
    DOCUMENT,
    LockedPart,
    Path,
    check_levels,
    fingerprint,
    read_stored,
    too_long,
)
from core.content.richtext.schema import RichTextError, refused
from core.content.richtext.text import is_blank, letters, media_ids, with_unix_lines
from core.content.richtext.typed import editable_text, with_text
from core.content.richtext.validation import LARGEST, validate, validate_stored
from core.crud.fields.picker_state import PickerState
from core.crud.form_renderer import attributes
from core.crud.frames import FramedWidget
from core.dynamo.errors import Text
from core.dynamo.references import MOST_PER_FIELD

TOO_MANY_PICTURES = _("A text can contain at most %(most)d different pictures. Remove some of them.")


# What a form posts beside its text: see `PostedText.shown`.
SHOWN = "-shown"
_signer = Signer(salt="richtext.shown")


class PostedText(NamedTuple):
    """The posted value: the document as JSON, and the plain text unless the editor replaced the textarea.

    `shown` are the signed fingerprints of the document that the form was made with and of all that is unknown
    in it. They come back with the form, so that nothing unknown is saved that was not stored before.
    """

    document: str
    text: str | None
    shown: str = ""


class RichTextWidget(FramedWidget):
    """`media_library` is the URL where pictures are chosen; without it there is no button for them.

    `state.pictures` are the URLs of the document's pictures, which the editor needs to show them.
    """

    template_name = "core/crud/richtext.html"
    media_library: Text = ""
    state = PickerState()

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> PostedText | None:
        document, text = data.get(f"{name}-document"), data.get(name)
        if document is None and text is None:
            return None
        shown = data.get(f"{name}{SHOWN}")
        return PostedText(str(document or ""), None if text is None else str(text), str(shown or ""))

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return name not in data and f"{name}-document" not in data

    def id_for_label(self, id_: str) -> str:
        return id_

    def frame(self, name: str, value: object, attrs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        # The browser would refuse an empty textarea that the editor has hidden.
        attrs.pop("required", None)
        identity = attrs.get("id", name)
        described_by = [attrs.get("aria-describedby", ""), f"{identity}_plain"]
        attrs["aria-describedby"] = " ".join(filter(None, described_by))
        (document, text, signed), locked = (
            value_of_posted(value) if isinstance(value, PostedText) else value_of_stored(value)
        )
        return {}, {
            "name": name,
            "id": identity,
            "attributes": attributes({"attrs": attrs}),
            "document": document,
            "text": text or "",
            "shown": signed,
            "locked": json.dumps(locked),
            "media_library": self.media_library,
            "images": json.dumps(self.state.pictures),
        }


class RichTextField(forms.Field):
    """Cleans to a valid document, or to None if it is blank.

    `to` is the entity of its pictures. The form checks that they exist, together with the records of its
    pickers: see `HelpedForm`.
    """

    widget: RichTextWidget = RichTextWidget  # type: ignore[assignment]
    to = ""
    gone = _("A picture in this text no longer exists. Remove it, then save again.")

    def keys_of(self, value: object) -> list[str]:
        """The keys of the pictures in a stored, posted or cleaned value."""
        try:
            return media_ids(document_of(value) if isinstance(value, PostedText) else value)
        except forms.ValidationError:
            return []

    def clean(self, value: object) -> dict[str, Any] | None:
        """A document that is posted as it was shown stays as it is, whatever is in it."""
        shown = fingerprints_of(value.shown) if isinstance(value, PostedText) else frozenset()
        document = document_of(value) if isinstance(value, PostedText) else value
        is_unchanged = bool(shown) and document is not None and fingerprint_of(document) in shown
        valid = document if document is None or is_unchanged else validate(document, shown)
        if valid is None or is_blank(valid):
            self.validate(None)
            return valid if is_unchanged else None  # type: ignore[return-value]
        if len(media_ids(valid)) > MOST_PER_FIELD:
            raise forms.ValidationError(TOO_MANY_PICTURES, params={"most": MOST_PER_FIELD})
        return valid  # type: ignore[return-value]

    def has_changed(self, initial: object, data: object) -> bool:
        if self.disabled:
            return False
        try:
            typed = without_blank(document_of(data) if isinstance(data, PostedText) else data)
            stored = without_blank(initial)
            if typed is None or stored is None or fingerprint_of(typed) == fingerprint_of(stored):
                return (typed is None) != (stored is None)
            # Validation adds and removes no letter, and takes much longer than this.
            if letters(typed) != letters(stored):
                return True
            # Saving added links for addresses, which an editor that stayed open does not show.
            shown = fingerprints_of(data.shown) if isinstance(data, PostedText) else frozenset()
            return validate(typed, shown) != validate_stored(stored)
        except forms.ValidationError:
            return True


class EditorValue(NamedTuple):
    """What a form is rendered with. `locked` is None if the editor cannot show the document."""

    typed: PostedText
    locked: list[Path] | None


def value_of_stored(document: object) -> EditorValue:
    """For a stored document; without plain text if it is too long: see `parsed`."""
    if document is None:
        return EditorValue(PostedText("", ""), [])
    written = json.dumps(document, ensure_ascii=False, default=str)
    text = None if len(written) > LARGEST else with_unix_lines(editable_text(document))
    locked = locked_in(document)
    try:
        fingerprints = [fingerprint_of(document), *(each.fingerprint for each in locked or ())]
    except RichTextError:
        fingerprints = []
    signed = _signer.sign(" ".join(dict.fromkeys(fingerprints)))
    return EditorValue(PostedText(written, text, signed), paths_of(locked))


def value_of_posted(typed: PostedText) -> EditorValue:
    """For a posted document, with the fingerprints that it was posted with."""
    text = text_of(typed.document) if typed.text is None else typed.text
    try:
        document = parsed(typed.document)
    except forms.ValidationError:
        return EditorValue(typed._replace(text=text), None)
    return EditorValue(typed._replace(text=text), [] if document is None else paths_of(locked_in(document)))


def locked_in(document: object) -> list[LockedPart] | None:
    try:
        return read_stored(document).locked
    except RichTextError:
        return None


def paths_of(locked: list[LockedPart] | None) -> list[Path] | None:
    return None if locked is None else [each.path for each in locked if each.path is not None]


def fingerprint_of(document: object) -> str:
    check_levels(document)
    return fingerprint(document, DOCUMENT)


def fingerprints_of(shown: str) -> frozenset[str]:
    """The fingerprints that this server has signed; none if it has not."""
    try:
        return frozenset(_signer.unsign(shown).split())
    except BadSignature:
        return frozenset()


def text_of(document: str) -> str:
    try:
        return with_unix_lines(editable_text(parsed(document)))
    except forms.ValidationError:
        return ""


def document_of(typed: PostedText) -> object:
    """The posted document, with the plain text where that was changed."""
    if typed.text is None:
        return parsed(typed.document)
    if with_unix_lines(typed.text).strip() == text_of(typed.document).strip():
        return parsed(typed.document)
    return with_text(known_document(typed.document), typed.text)


def known_document(document: str) -> object:
    try:
        return parsed(document)
    except forms.ValidationError:
        return None


def parsed(document: str) -> object:
    if len(document) > LARGEST:
        raise too_long()
    try:
        return json.loads(document) if document else None
    except (ValueError, RecursionError):
        raise refused() from None


def without_blank(document: object) -> object:
    return None if document is None or is_blank(document) else document
