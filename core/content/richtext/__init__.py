"""Rich text: Tiptap documents as JSON, validated against one schema and rendered as sanitized HTML."""

from core.content.richtext.rendering import Picture, render
from core.content.richtext.schema import RichTextError
from core.content.richtext.text import (
    excerpt,
    from_plain_text,
    is_blank,
    media_ids,
    plain_text,
    without_media,
)
from core.content.richtext.validation import validate, validate_stored

__all__ = [
    "Picture",
    "RichTextError",
    "excerpt",
    "from_plain_text",
    "is_blank",
    "media_ids",
    "plain_text",
    "render",
    "validate",
    "validate_stored",
    "without_media",
]
