"""Rich text: Tiptap documents as JSON, checked against one schema and shown as safe HTML."""

from crud.richtext.forms import RichTextField, RichTextWidget
from crud.richtext.rendering import Picture, render
from crud.richtext.schema import RichTextError
from crud.richtext.text import excerpt, from_plain_text, is_blank, media_ids, plain_text, without_media
from crud.richtext.validation import validate

__all__ = [
    "Picture",
    "RichTextError",
    "RichTextField",
    "RichTextWidget",
    "excerpt",
    "from_plain_text",
    "is_blank",
    "media_ids",
    "plain_text",
    "render",
    "validate",
    "without_media",
]
