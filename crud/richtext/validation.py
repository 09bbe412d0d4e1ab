"""What may be saved: the shape of a document first, step by step, then the schema."""

import json
from typing import Any

from django.utils.translation import gettext_lazy as _
from prosemirror.model import Node
from prosemirror.model.schema import MarkType, NodeType

from crud.richtext.schema import SCHEMA, RichTextError, is_text, refused

LARGEST = 200_000
MOST_NODES = 5_000
# DynamoDB keeps 32 levels of values within values. The node at depth n is a map at level 2n - 1, for
# every content is a list of its own. Its deepest value is the address of a link, four levels further in
# (marks, mark, attrs, href): 2n + 3. So 14 nodes, `doc` included, end at level 31, and
# one level is left for a map around the document.
DEEPEST = 14

# Tiptap's stock extensions write these; how a link or list looks is decided when it is shown.
IGNORED_ATTRIBUTES = {"link": {"target", "rel", "class"}, "orderedList": {"type"}}


def validate(document: object) -> dict[str, Any]:
    """The document in its normal form; raises RichTextError for whatever the schema does not know."""
    check_shape(document)
    try:
        root = Node.from_json(SCHEMA, document)  # type: ignore[arg-type]
        root.check()
    except ValueError:
        raise refused() from None
    text = json.dumps(root.to_json(), ensure_ascii=False, separators=(",", ":"))
    if len(text.encode()) > LARGEST:
        raise too_long()
    # prosemirror shares default attributes between documents; these are the caller's own.
    normal: dict[str, Any] = json.loads(text)
    return normal


def too_long() -> RichTextError:
    return RichTextError(_("This text is too long to be saved: shorten it or divide it in two."))


def check_shape(document: object) -> None:
    """Everything that prosemirror takes on trust; without recursion, for a document may be a trap."""
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
    """The children of a node whose own parts have the right types."""
    if not isinstance(node, dict):
        raise refused()
    kind = known(SCHEMA.nodes, node.get("type"))
    check_keys(node, {"type"} | keys_of(kind))
    if kind.is_text and not is_text(node.get("text")):
        raise RichTextError(_("This text holds invisible control characters: paste it again as plain text."))
    check_attributes(kind, node)
    for mark in part(node, "marks", list):
        if not isinstance(mark, dict):
            raise refused()
        check_keys(mark, {"type", "attrs"})
        check_attributes(known(SCHEMA.marks, mark.get("type")), mark)
    content: list[object] = part(node, "content", list)
    return content


def keys_of(kind: NodeType) -> set[str]:
    if kind.is_text:
        return {"text", "marks"}
    return {"marks"} if kind.is_inline else {"attrs", "content"}


def known(kinds: dict[str, Any], name: object) -> Any:
    if not isinstance(name, str) or name not in kinds:
        raise refused()
    return kinds[name]


def check_attributes(kind: NodeType | MarkType, holder: dict[str, Any]) -> None:
    attributes = part(holder, "attrs", dict)
    check_keys(attributes, set(kind.attrs) | IGNORED_ATTRIBUTES.get(kind.name, set()))


def part(holder: dict[str, Any], name: str, kind: type) -> Any:
    value = holder.get(name, kind())
    if not isinstance(value, kind):
        raise refused()
    return value


def check_keys(holder: dict[str, Any], allowed: set[str]) -> None:
    if not holder.keys() <= allowed:
        raise refused()
