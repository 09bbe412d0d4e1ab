"""A field for tags."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SEPARATOR = re.compile(r"[,\r\n]")


class TagsField(forms.Field):
    """Cleans to a list of tags, separated by commas or lines, without duplicates (case-insensitive)."""

    def __init__(self, *, most: int = 10, longest: int = 40, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}))
        kwargs.setdefault("help_text", _("Separate tags with commas, or enter one per line."))
        super().__init__(**kwargs)
        self.most, self.longest = most, longest

    def to_python(self, value: object) -> list[str]:
        parts = SEPARATOR.split(value) if isinstance(value, str) else list(value or [])  # type: ignore[call-overload]
        trimmed = (" ".join(str(part).split()) for part in parts)
        by_letters: dict[str, str] = {}
        for tag in trimmed:
            if tag:
                by_letters.setdefault(tag.casefold(), tag)
        return list(by_letters.values())

    def validate(self, value: list[str]) -> None:
        super().validate(value)
        if len(value) > self.most:
            raise ValidationError(
                _("You can add at most %(most)d. You entered %(count)d."),
                params={"most": self.most, "count": len(value)},
            )
        for tag in value:
            if len(tag) > self.longest:
                raise ValidationError(
                    _("“%(tag)s…” is too long. Use at most %(longest)d characters."),
                    params={"tag": tag[: self.longest], "longest": self.longest},
                )
            if not tag.isprintable():
                raise ValidationError(_("Use letters, spaces and punctuation only."))

    def prepare_value(self, value: object) -> str:
        """A posted text unchanged; a stored list joined by commas."""
        return value if isinstance(value, str) else ", ".join(self.to_python(value))

    def has_changed(self, initial: object, data: object) -> bool:
        return not self.disabled and self.to_python(initial) != self.to_python(data)
