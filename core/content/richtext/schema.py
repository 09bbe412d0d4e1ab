"""The schema of our documents: the content and attributes of nodes and marks, and their HTML.

`static/core/richtext.js` and `richtext-blocks.js` build the same schema for the editor, with the marks in the
same order. What other programs have stored beside it is locked: see `reading.py`.
"""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from prosemirror.model import Mark, Node, Schema

HEADING_LEVELS = (2, 3, 4)
LONGEST_HREF = 2_000
LONGEST_TITLE = 200
LONGEST_ALT = 500
LAST_START = 1_000_000
MOST_CELLS = 100
WIDEST_COLUMN = 10_000
LANGUAGE = re.compile(r"[A-Za-z0-9+#._-]{1,40}")
# All but tab and new line; the last range are surrogates, which cannot be encoded as UTF-8.
CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
MEDIA_ID = re.compile(r"[A-Za-z0-9-]{1,64}")


class RichTextError(ValidationError):
    """An invalid document, with a translated message."""


def refused() -> RichTextError:
    return RichTextError(_("This text contains something that cannot be saved."))


def is_safe_href(href: object) -> bool:
    """Whether a link may lead there: http(s), mailto, tel, or a path of this site."""
    if not isinstance(href, str) or not 0 < len(href) <= LONGEST_HREF or not is_printable(href):
        return False
    # Browsers read a backslash as a slash, so "/\\host" would leave this site.
    if "\\" in href:
        return False
    if href.startswith("/"):
        return not href.startswith("//")
    scheme, _colon, rest = href.partition(":")
    match scheme.lower():
        case "http" | "https":
            return rest.startswith("//") and has_host(href)
        case "mailto" | "tel":
            return bool(rest)
    return False


def is_printable(address: str) -> bool:
    """Whether it has no white space, control, invisible or broken characters, which may hide a scheme."""
    return not any(unicodedata.category(character)[0] in "CZ" for character in address)


def has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


def is_outside(href: str) -> bool:
    return not href.startswith(("/", "mailto:", "tel:"))


def is_text(value: object) -> bool:
    # Most texts have no control characters but line ends, and asking them is ten times as fast as searching.
    return isinstance(value, str) and (value.isprintable() or not CONTROL_CHARACTERS.search(value))


def check_href(href: object) -> None:
    if not is_safe_href(href):
        raise RichTextError(
            _(
                "A link must start with http://, https://, mailto: or tel:, or with / for a page of "
                "this site, and must not contain spaces."
            )
        )


def check_title(title: object) -> None:
    if title is not None and not (is_text(title) and len(str(title)) <= LONGEST_TITLE):
        raise refused()


def check_level(level: object) -> None:
    if type(level) is not int or level not in HEADING_LEVELS:
        raise refused()


def check_start(start: object) -> None:
    if type(start) is not int or not 0 <= start <= LAST_START:
        raise refused()


def check_media_id(media_id: object) -> None:
    if not isinstance(media_id, str) or not MEDIA_ID.fullmatch(media_id):
        raise refused()


def check_alt(alt: object) -> None:
    if not is_text(alt) or len(str(alt)) > LONGEST_ALT:
        raise refused()


def check_src(src: object) -> None:
    """A picture elsewhere: a reader's browser may ask for it, so by HTTPS only."""
    if not (isinstance(src, str) and src.lower().startswith("https://") and is_safe_href(src)):
        raise refused()


def check_optional_alt(alt: object) -> None:
    if alt is not None:
        check_alt(alt)


def check_language(language: object) -> None:
    if language is not None and not (isinstance(language, str) and LANGUAGE.fullmatch(language)):
        raise refused()


def check_checked(checked: object) -> None:
    if type(checked) is not bool:
        raise refused()


def check_span(span: object) -> None:
    if type(span) is not int or not 1 <= span <= MOST_CELLS:
        raise refused()


def check_widths(widths: object) -> None:
    """The widths of a cell's columns in pixels, which Tiptap stores; readers' screens are not that wide."""
    if widths is None:
        return
    if not isinstance(widths, list) or not 1 <= len(widths) <= MOST_CELLS:
        raise refused()
    if not all(type(width) is int and 0 <= width <= WIDEST_COLUMN for width in widths):
        raise refused()


def link_html(mark: "Mark", inline: bool) -> list[Any]:
    href = str(mark.attrs["href"])
    rel = "noopener nofollow" if is_outside(href) else None
    return ["a", {"href": href, "title": mark.attrs["title"], "rel": rel}, 0]


def list_html(node: "Node") -> list[Any]:
    start = node.attrs["start"]
    return ["ol", {"start": None if start == 1 else start}, 0]


def code_html(node: "Node") -> list[Any]:
    language = node.attrs["language"]
    return ["pre", ["code", {"class": f"language-{language}" if language else None}, 0]]


# An attribute of all nodes and marks but `doc` and `text`: the attributes that we do not know, as JSON.
LOCKED = "locked"
LOCKED_BLOCK, LOCKED_INLINE, LOCKED_MARK = "lockedBlock", "lockedInline", "lockedMark"
# An `image` of the documents that has an address in place of a file of the library.
LINKED_IMAGE = "linkedImage"
# Names within the schema, which no document has.
INTERNAL = {LOCKED_BLOCK, LOCKED_INLINE, LOCKED_MARK, LINKED_IMAGE}
JSON_ATTRIBUTE: Any = {"attrs": {"json": {}}}
CELL: Any = {
    "content": "block+",
    "attrs": {
        "colspan": {"default": 1, "validate": check_span},
        "rowspan": {"default": 1, "validate": check_span},
        "colwidth": {"default": None, "validate": check_widths},
    },
}

# What depends on more than the node has its HTML in `rendering.py`: pictures, tables, tasks and locked parts.
NODES: Any = {
    "doc": {"content": "block+"},
    "paragraph": {"content": "inline*", "group": "block", "toDOM": lambda _node: ["p", 0]},
    "heading": {
        "content": "inline*",
        "group": "block",
        "attrs": {"level": {"validate": check_level}},
        "toDOM": lambda node: [f"h{node.attrs['level']}", 0],
    },
    "bulletList": {"content": "listItem+", "group": "block", "toDOM": lambda _node: ["ul", 0]},
    "orderedList": {
        "content": "listItem+",
        "group": "block",
        "attrs": {"start": {"default": 1, "validate": check_start}},
        "toDOM": list_html,
    },
    "listItem": {"content": "paragraph block*", "toDOM": lambda _node: ["li", 0]},
    "taskList": {
        "content": "taskItem+",
        "group": "block",
        "toDOM": lambda _node: ["ul", {"class": "tasks"}, 0],
    },
    "taskItem": {
        "content": "paragraph block*",
        "attrs": {"checked": {"default": False, "validate": check_checked}},
    },
    "blockquote": {"content": "block+", "group": "block", "toDOM": lambda _node: ["blockquote", 0]},
    "codeBlock": {
        "content": "text*",
        "marks": "",
        "group": "block",
        "attrs": {"language": {"default": None, "validate": check_language}},
        "toDOM": code_html,
    },
    "horizontalRule": {"group": "block", "toDOM": lambda _node: ["hr"]},
    "table": {"content": "tableRow+", "group": "block"},
    "tableRow": {"content": "(tableCell | tableHeader)*", "toDOM": lambda _node: ["tr", 0]},
    "tableCell": CELL,
    "tableHeader": CELL,
    "image": {
        "group": "block",
        "attrs": {
            "mediaId": {"validate": check_media_id},
            "alt": {"default": "", "validate": check_alt},
        },
    },
    LINKED_IMAGE: {
        "group": "block",
        "attrs": {
            "src": {"validate": check_src},
            "alt": {"default": None, "validate": check_optional_alt},
            "title": {"default": None, "validate": check_title},
        },
    },
    LOCKED_BLOCK: JSON_ATTRIBUTE | {"group": "block"},
    LOCKED_INLINE: JSON_ATTRIBUTE | {"group": "inline", "inline": True},
    "hardBreak": {"inline": True, "group": "inline", "toDOM": lambda _node: ["br"]},
    "text": {"group": "inline"},
}
MARKS: Any = {
    "link": {
        "attrs": {
            "href": {"validate": check_href},
            "title": {"default": None, "validate": check_title},
        },
        "toDOM": link_html,
    },
    "bold": {"toDOM": lambda _mark, _inline: ["strong", 0]},
    "italic": {"toDOM": lambda _mark, _inline: ["em", 0]},
    "strike": {"toDOM": lambda _mark, _inline: ["s", 0]},
    "underline": {"toDOM": lambda _mark, _inline: ["u", 0]},
    "code": {"toDOM": lambda _mark, _inline: ["code", 0]},
    # Readers see the text alone. Text may have several.
    LOCKED_MARK: JSON_ATTRIBUTE | {"excludes": ""},
}


def with_locked(spec: dict[str, Any]) -> dict[str, Any]:
    return spec | {"attrs": spec.get("attrs", {}) | {LOCKED: {"default": None}}}


@cache
def schema() -> "Schema[str, str]":
    """The prosemirror schema, built at the first use: the import takes 20 ms and 6 MB."""
    from prosemirror.model import Schema

    plain = ("doc", "text")
    nodes: Any = {name: spec if name in plain else with_locked(spec) for name, spec in NODES.items()}
    marks: Any = {name: with_locked(spec) for name, spec in MARKS.items()}
    return Schema({"nodes": nodes, "marks": marks})
