"""Text of several lines."""

from typing import Any

from django import forms


class LongText(forms.CharField):
    """Text of several lines. Browsers send a line break as two characters but count it as one."""

    def __init__(self, *, rows: int = 4, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": rows}), **options)

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").replace("\r\n", "\n")
