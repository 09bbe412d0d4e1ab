"""Validates documents before they are stored: first their JSON structure, then the schema."""

import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from core.content.richtext.links import with_links
from core.content.richtext.schema import RichTextError, is_text, refused, schema

if TYPE_CHECKING:
    from prosemirror.model.schema import MarkType, NodeType

LARGEST = 200_000
MOST_NODES = 5_000
# DynamoDB allows 32 levels of nesting. A node at depth n is a map at level 2n - 1, because every `content`
# is a list. Its deepest value is the URL of a link, four levels below (marks, mark, attrs, href): 2n + 3.
# So 14 nodes, `doc` included, end at level 31, and one level is left for a map around the document.
DEEPEST = 14

# Tiptap's stock extensions write these attributes; they are dropped, because the renderer sets its own.
IGNORED_ATTRIBUTES = {"link": {"target", "rel", "class"}, "orderedList": {"type"}}


def validate(document: object) -> dict[str, Any]:
    """The document in its normal form; raises RichTextError if it does not match the schema.

    Addresses in its text become links, unless the document would become too long.
    """
    check_shape(document)
    normal = normal_form(document)
    linked = with_links(normal)
    if linked == normal:
        return normal
    try:
        check_shape(linked)
        return normal_form(linked)
    except RichTextError:
        return normal


def normal_form(document: object) -> dict[str, Any]:
    from prosemirror.model import Node

    try:
        root = Node.from_json(schema(), document)  # type: ignore[arg-type]
        root.check()
    except ValueError:
        raise refused() from None
    text = json.dumps(root.to_json(), ensure_ascii=False, separators=(",", ":"))
    if len(text.encode()) > LARGEST:
        raise too_long()
    # A copy for the caller: prosemirror shares default attributes between documents.
    normal: dict[str, Any] = json.loads(text)
    return normal


def too_long() -> RichTextError:
    return RichTextError(_("This text is too long to be saved: shorten it or divide it in two."))


def check_shape(document: object) -> None:
    """Check what prosemirror does not check; iteratively, because the input may be nested at any depth."""
    if not isinstance(document, dict) or document.get("type") != "doc":
        raise refused()
    waiting: list[tuple[object, int]] = [(document, 1)]
    seen = 0
    while waiting:
        node, depth = waiting.pop()
        seen += 1
        if seen > MOST_NODES:
            raise too_long()
        if depth > DEEPEST:
            raise RichTextError(
                _("Lists and quotes are nested too deeply: at most five lists in one another.")
            )
        waiting.extend((child, depth + 1) for child in checked_content(node))


def checked_content(node: object) -> list[object]:
    """Check the types of a node's own values; returns its children."""
    if not isinstance(node, dict):
        raise refused()
    kind = known(shapes()["nodes"], node)
    if kind.is_text and not is_text(node.get("text")):
        raise RichTextError(_("This text holds invisible control characters: paste it again as plain text."))
    for mark in part(node, "marks", list):
        if not isinstance(mark, dict):
            raise refused()
        known(shapes()["marks"], mark)
    content: list[object] = part(node, "content", list)
    return content


class Shape(NamedTuple):
    """The allowed keys and attributes of a type of node or mark."""

    keys: frozenset[str]
    attributes: frozenset[str]
    is_text: bool = False


@cache
def shapes() -> dict[str, dict[str, Shape]]:
    return {
        "nodes": {
            name: Shape(keys_of(kind), attributes_of(kind), kind.is_text)
            for name, kind in schema().nodes.items()
        },
        "marks": {
            name: Shape(frozenset({"type", "attrs"}), attributes_of(kind))
            for name, kind in schema().marks.items()
        },
    }


def keys_of(kind: "NodeType") -> frozenset[str]:
    if kind.is_text:
        return frozenset({"type", "text", "marks"})
    return frozenset({"type", "marks"} if kind.is_inline else {"type", "attrs", "content"})


def attributes_of(kind: "NodeType | MarkType") -> frozenset[str]:
    return frozenset(kind.attrs) | IGNORED_ATTRIBUTES.get(kind.name, set())


def known(kinds: dict[str, Shape], holder: dict[str, Any]) -> Shape:
    """The `Shape` of a node or mark; refuses an unknown type, key or attribute."""
    name = holder.get("type")
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None or not holder.keys() <= kind.keys:
        raise refused()
    if not part(holder, "attrs", dict).keys() <= kind.attributes:
        raise refused()
    return kind


def part(holder: dict[str, Any], name: str, kind: type) -> Any:
    if name not in holder:
        return kind()
    value = holder[name]
    if not isinstance(value, kind):
        raise refused()
    return value
