"""Renders documents as HTML with the schema, and sanitizes the result with nh3."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.content.richtext.reading import read_posted, read_stored
from core.content.richtext.schema import (
    LINKED_IMAGE,
    LOCKED_BLOCK,
    LOCKED_INLINE,
    RichTextError,
    schema,
)
from core.content.richtext.text import from_plain_text, plain_text, with_unix_lines
from core.content.richtext.validation import LARGEST, with_addresses

if TYPE_CHECKING:
    from prosemirror.model import Node

TAGS = {
    *("p", "h2", "h3", "h4", "blockquote", "pre", "hr", "br", "div"),
    *("ul", "ol", "li", "input"),
    *("table", "tbody", "tr", "td", "th"),
    *("a", "strong", "em", "s", "u", "code", "img"),
}
ATTRIBUTES = {
    "a": {"href", "title", "rel"},
    "code": {"class"},
    "div": {"class", "role", "tabindex", "aria-label"},
    "img": {"src", "srcset", "sizes", "alt", "width", "height", "loading"},
    "input": {"type", "checked", "disabled", "aria-label"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ul": {"class"},
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
    """The document as HTML, and as plain text what is unknown in it, or all of it if it cannot be read."""
    import nh3
    from prosemirror.model import DOMSerializer

    try:
        root = read_stored(document).root
    except RichTextError:
        root = read_posted(as_mere_text(document)).root
    root = with_addresses(root)
    scopes = header_scopes(root)
    serializer = DOMSerializer(
        DOMSerializer.nodes_from_schema(schema())
        | {
            "image": lambda node: image_html(node, images or {}),
            "table": lambda _node: table_html(),
            "tableCell": lambda node: ["td", spans(node), 0],
            "tableHeader": lambda node: ["th", spans(node) | {"scope": scopes.get(id(node))}, 0],
            "taskItem": task_html,
            LINKED_IMAGE: linked_image_html,
            LOCKED_BLOCK: locked_block_html,
            LOCKED_INLINE: locked_text,
        },
        DOMSerializer.marks_from_schema(schema()),
    )
    html = str(serializer.serialize_fragment(root.content))
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


def linked_image_html(node: "Node") -> list[Any]:
    """The picture if our policy lets browsers load it, else a link: other hosts do not see our readers."""
    src, alt = str(node.attrs["src"]), str(node.attrs["alt"] or node.attrs["title"] or "")
    parts = urlsplit(src)
    if f"{parts.scheme}://{parts.netloc}" in settings.PICTURE_ORIGINS:
        return ["img", {"src": src, "alt": alt, "loading": "lazy"}]
    return ["p", ["a", {"href": src, "rel": "noopener nofollow"}, alt.strip() or _("Picture")]]


def table_html() -> list[Any]:
    """The table in a box that scrolls sideways, which the keyboard reaches."""
    box = {"class": "rich-table", "role": "group", "tabindex": "0", "aria-label": _("Table")}
    return ["div", box, ["table", ["tbody", 0]]]


def spans(cell: "Node") -> dict[str, Any]:
    return {name: cell.attrs[name] if cell.attrs[name] != 1 else None for name in ("colspan", "rowspan")}


def header_scopes(root: "Node") -> dict[int, str]:
    """The scope of each header cell: the first of a row below the first row names its row."""
    scopes: dict[int, str] = {}

    def visit(node: "Node", _offset: int, row: int) -> None:
        if node.type.name == "tableRow":
            node.for_each(
                lambda cell, _start, place: scopes.update({id(cell): "row" if row and not place else "col"})
            )
        node.for_each(visit)

    root.for_each(visit)
    return scopes


def task_html(task: "Node") -> list[Any]:
    is_done = task.attrs["checked"]
    state = {"checked": "" if is_done else None, "aria-label": _("Done") if is_done else _("Not done")}
    return ["li", ["input", {"type": "checkbox", "disabled": ""} | state], ["div", 0]]


def locked_block_html(node: "Node") -> list[Any]:
    lines = [line for line in locked_text(node).split("\n") if line]
    with_breaks: list[Any] = [part for line in lines for part in (["br"], line)]
    return ["p", *with_breaks[1:]]


def locked_text(node: "Node") -> str:
    return with_unix_lines(plain_text(json.loads(str(node.attrs["json"]))))
