"""Reads documents as JSON into prosemirror. What the schema does not know is locked.

A locked part is a leaf that holds its JSON: it can be moved and deleted, and is written as it was read.
Stored documents may have any; a posted one only those that this server has shown before, known by their
fingerprints, because another program may understand what we do not.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.utils.translation import gettext_lazy as _

from core.content.richtext.schema import (
    INTERNAL,
    LINKED_IMAGE,
    LOCKED,
    LOCKED_BLOCK,
    LOCKED_INLINE,
    LOCKED_MARK,
    RichTextError,
    is_text,
    refused,
    schema,
)

if TYPE_CHECKING:
    from prosemirror.model import Mark, Node
    from prosemirror.model.schema import NodeType

MOST_NODES = 5_000
# DynamoDB allows 32 levels of nesting. A node at depth n is a map at level 2n - 1, because every `content`
# is a list. Its deepest value is the URL of a link, four levels below (marks, mark, attrs, href): 2n + 3.
# So 14 nodes, `doc` included, end at level 31, and one level is left for a map around the document.
DEEPEST = 14
LEVELS = 31

# Tiptap's stock extensions write these attributes. New ones are dropped, because the renderer sets its own.
IGNORED_ATTRIBUTES = {
    "link": {"target", "rel", "class"},
    "orderedList": {"type"},
    "tableCell": {"align"},
    "tableHeader": {"align"},
    LINKED_IMAGE: {"width", "height"},
}
# These hold any block, and nothing else.
HOLDERS_OF_BLOCKS = {"doc", "blockquote", "tableCell", "tableHeader"}

T = TypeVar("T")
Path = tuple[str | int, ...]
# What a fingerprint is of: a mark that was stored is no node.
DOCUMENT, NODE, MARK, ATTRIBUTES = "document", "node", "mark", "attributes of"


class LockedPart(NamedTuple):
    """`path` leads through the JSON; it is None for attributes of a known node or mark."""

    path: Path | None
    fingerprint: str


class Reading(NamedTuple):
    root: "Node"
    locked: list[LockedPart]


def read_stored(document: object) -> Reading:
    """The document with all that is unknown locked; raises RichTextError if that leaves no document."""
    return _read(document, None)


def read_posted(document: object, shown: Collection[str] = ()) -> Reading:
    """The document; raises RichTextError for anything unknown that has none of these fingerprints."""
    return _read(document, shown)


def written(root: "Node") -> dict[str, Any]:
    """The document as JSON, with the locked parts as they were read."""
    document: dict[str, Any] = _unlocked(dict(root.to_json()))
    return document


def fingerprint(part: object, role: str = NODE) -> str:
    """Equal for equal JSON in the same role, also after a browser has written it anew.

    Not for anything nested without end.
    """
    text = json.dumps([role, _comparable(part)], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=12).hexdigest()


def check_size(document: object) -> None:
    """Check number and nesting; iteratively, because the input may be nested at any depth."""
    if not isinstance(document, dict) or document.get("type") != "doc":
        raise refused()
    if sum(1 for _node in _checked_nodes(document)) > MOST_NODES:
        raise too_long()
    check_levels(document)


def check_levels(document: object) -> None:
    """Check that DynamoDB can store it."""
    waiting: list[tuple[object, int]] = [(document, 1)]
    while waiting:
        value, level = waiting.pop()
        if level > LEVELS:
            raise too_deep()
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            waiting.extend((each, level + 1) for each in inner)


def too_long() -> RichTextError:
    return RichTextError(_("This text is too long. Shorten it or split it in two."))


def too_deep() -> RichTextError:
    return RichTextError(_("Lists and quotes are nested too deeply. Use at most five levels."))


def _checked_nodes(document: object) -> Iterator[object]:
    waiting: list[tuple[object, int]] = [(document, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            raise too_deep()
        yield node
        content = node.get("content") if isinstance(node, dict) else None
        if isinstance(content, list):
            waiting.extend((child, depth + 1) for child in content)


def _comparable(value: object) -> object:
    """JavaScript knows one kind of number: it writes 1.0 as 1."""
    if isinstance(value, dict):
        return {str(name): _comparable(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_comparable(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read(document: object, shown: Collection[str] | None) -> Reading:
    check_size(document)
    reader = _Reader(shown)
    root = reader.root(document)
    return Reading(root, reader.locked)


class _Reader:
    """`shown` is None for stored documents."""

    def __init__(self, shown: Collection[str] | None) -> None:
        self.shown = shown
        self.locked: list[LockedPart] = []

    def root(self, given: object) -> "Node":
        return self._known_node(given, ())

    def node(self, given: object, path: Path, holder: "NodeType") -> "Node":
        before = len(self.locked)
        try:
            node = self._known_node(given, path)
            if not _fits(node.type, holder):
                raise refused()
        except RichTextError:
            if not self._may_lock(given, NODE):
                raise
            del self.locked[before:]
            kind = LOCKED_INLINE if holder.inline_content else LOCKED_BLOCK
            return schema().node(kind, self._lock(given, path, NODE))
        return node

    def _known_node(self, given: object, path: Path) -> "Node":
        if not isinstance(given, dict):
            raise refused()
        kind = _kind_of(given)
        marks = self._marks(given, path)
        if kind.is_text:
            if not is_text(given.get("text")):
                raise RichTextError(
                    _("This text contains invisible control characters. Paste it again as plain text.")
                )
            return _checked(lambda: schema().text(given["text"], marks))
        attributes = self._attributes(given, kind.name, kind.attrs)
        children = [
            self.node(child, (*path, "content", place), kind)
            for place, child in enumerate(_part(given, "content", list))
        ]

        def build() -> "Node":
            node = kind.create_checked(attributes, children, marks)
            kind.check_attrs(node.attrs)
            return node

        return _checked(build)

    def _marks(self, given: dict[str, Any], path: Path) -> list["Mark"]:
        from prosemirror.model import Mark

        marks = [
            self._mark(each, (*path, "marks", place))
            for place, each in enumerate(_part(given, "marks", list))
        ]
        together: list[Mark] = Mark.none
        for mark in marks:
            together = mark.add_to_set(together)
        if len(together) != len(marks):
            raise refused()
        return together

    def _mark(self, given: object, path: Path) -> "Mark":
        before = len(self.locked)
        try:
            return self._known_mark(given)
        except RichTextError:
            if not self._may_lock(given, MARK):
                raise
            del self.locked[before:]
            return schema().mark(LOCKED_MARK, self._lock(given, path, MARK))

    def _known_mark(self, given: object) -> "Mark":
        name = given.get("type") if isinstance(given, dict) else None
        kind = schema().marks.get(name) if isinstance(name, str) and name not in INTERNAL else None
        if kind is None or not isinstance(given, dict) or not given.keys() <= {"type", "attrs"}:
            raise refused()
        attributes = self._attributes(given, kind.name, kind.attrs)

        def build() -> "Mark":
            mark = kind.create(attributes)
            kind.check_attrs(mark.attrs)
            return mark

        return _checked(build)

    def _attributes(self, given: dict[str, Any], name: str, known: Collection[str]) -> dict[str, Any]:
        """The attributes that the schema knows, and the others locked together."""
        attributes: dict[str, Any] = _part(given, "attrs", dict)
        others = {each: value for each, value in attributes.items() if each not in known or each == LOCKED}
        if not others:
            return attributes
        if LOCKED not in known:
            raise refused()
        own = {each: value for each, value in attributes.items() if each not in others}
        role = f"{ATTRIBUTES} {name}"
        if self._may_lock(others, role):
            self.locked.append(LockedPart(None, fingerprint(others, role)))
            return own | {LOCKED: json.dumps(others, ensure_ascii=False, default=str)}
        if others.keys() <= IGNORED_ATTRIBUTES.get(name, set()):
            return own
        raise refused()

    def _may_lock(self, given: object, role: str) -> bool:
        return self.shown is None or fingerprint(given, role) in self.shown

    def _lock(self, given: object, path: Path, role: str) -> dict[str, str]:
        self.locked.append(LockedPart(path, fingerprint(given, role)))
        return {"json": json.dumps(given, ensure_ascii=False, default=str)}


def _kind_of(given: dict[str, Any]) -> "NodeType":
    """The type of a node; refuses an unknown type or key."""
    name = given.get("type")
    if not isinstance(name, str) or name in INTERNAL:
        raise refused()
    attributes = _part(given, "attrs", dict)
    if name == "image" and "src" in attributes and "mediaId" not in attributes:
        name = LINKED_IMAGE
    kind = schema().nodes.get(name)
    if kind is None or not given.keys() <= _keys_of(kind):
        raise refused()
    return kind


def _keys_of(kind: "NodeType") -> set[str]:
    if kind.is_text:
        return {"type", "text", "marks"}
    return {"type", "attrs", "marks"} if kind.is_inline else {"type", "attrs", "content"}


def _fits(kind: "NodeType", holder: "NodeType") -> bool:
    """Whether it may be somewhere in this holder; if not, it is locked and not the whole holder."""
    if holder.inline_content or kind.is_inline:
        return holder.inline_content and kind.is_inline
    return holder.name not in HOLDERS_OF_BLOCKS or "block" in kind.groups


def _checked(build: Callable[[], T]) -> T:
    try:
        return build()
    except ValueError:
        raise refused() from None


def _part(holder: dict[str, Any], name: str, kind: type) -> Any:
    value = holder.get(name, kind())
    if not isinstance(value, kind):
        raise refused()
    return value


def _unlocked(node: dict[str, Any]) -> Any:
    if node["type"] in (LOCKED_BLOCK, LOCKED_INLINE, LOCKED_MARK):
        return json.loads(node["attrs"]["json"])
    attributes = dict(node.get("attrs", {}))
    others = attributes.pop(LOCKED, None)
    attributes |= json.loads(others) if others else {}
    plain = {"type": "image" if node["type"] == LINKED_IMAGE else node["type"]}
    plain |= {"attrs": attributes} if attributes else {}
    plain |= {name: [_unlocked(each) for each in node[name]] for name in ("content", "marks") if name in node}
    return plain | ({"text": node["text"]} if "text" in node else {})
