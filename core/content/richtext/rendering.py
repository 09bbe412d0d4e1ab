"""Renders documents as HTML with the schema, and sanitizes the result with nh3."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from core.content.richtext.schema import RichTextError, schema
from core.content.richtext.text import from_plain_text, plain_text
from core.content.richtext.validation import LARGEST, validate

if TYPE_CHECKING:
    from prosemirror.model import Node

TAGS = {
    "p",
    "h2",
    "h3",
    "h4",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    "a",
    "strong",
    "em",
    "s",
    "u",
    "img",
}
ATTRIBUTES = {
    "a": {"href", "title", "rel"},
    "ol": {"start"},
    "img": {"src", "srcset", "sizes", "alt", "width", "height", "loading"},
}
# The `sizes` of pictures: the full width of a small screen, else the width of the text column.
SIZES = "(max-width: 48rem) 100vw, 46rem"
SCHEMES = {"http", "https", "mailto", "tel"}


class Picture(NamedTuple):
    """The URLs of a picture of the media library."""

    src: str
    alt: str = ""
    width: int | None = None
    height: int | None = None
    # The `srcset` attribute: the same picture in other widths.
    srcset: str = ""


def render(document: object, images: Mapping[str, Picture] | None = None) -> SafeString:
    """The document as HTML; an invalid one is rendered as plain text."""
    import nh3
    from prosemirror.model import DOMSerializer, Node

    try:
        valid = validate(document)
    except RichTextError:
        valid = as_mere_text(document)
    serializer = DOMSerializer(
        DOMSerializer.nodes_from_schema(schema()) | {"image": lambda node: image_html(node, images or {})},
        DOMSerializer.marks_from_schema(schema()),
    )
    html = str(serializer.serialize_fragment(Node.from_json(schema(), valid).content))
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=None)
    # nh3 removed all tags and attributes that are not listed above; hx-disable turns HTMX off in the rest.
    return format_html('<div class="rich-text" hx-disable>{}</div>', mark_safe(clean))  # noqa: S308


def as_mere_text(document: object) -> dict[str, Any]:
    return from_plain_text(plain_text(document)[:LARGEST])


def image_html(node: "Node", images: Mapping[str, Picture]) -> list[Any]:
    """The `img` element, or a paragraph with its description if the picture was deleted."""
    alt = str(node.attrs["alt"])
    picture = images.get(str(node.attrs["mediaId"]))
    if picture is None:
        return ["p", alt]
    attributes = {"src": picture.src, "alt": alt or picture.alt, "loading": "lazy"}
    widths = {"srcset": picture.srcset, "sizes": SIZES} if picture.srcset else {}
    return ["img", attributes | widths | {"width": picture.width, "height": picture.height}]
