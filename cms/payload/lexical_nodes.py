"""Reads the nodes of Lexical documents (Payload): their children, fields and text."""

from collections.abc import Iterator
from typing import Any

from core.content.richtext.text import with_unix_lines

LexicalNode = dict[str, Any]
TiptapNode = dict[str, Any]
INLINE = ("text", "linebreak", "tab", "link", "autolink", "inlineBlock")


def children_of(node: LexicalNode) -> list[LexicalNode]:
    children = node.get("children")
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def fields_of(node: LexicalNode) -> dict[str, Any]:
    fields = node.get("fields")
    return fields if isinstance(fields, dict) else {}


def id_of(value: object) -> str:
    """The id in a relation: the value is an id or, if the export was populated, the whole record."""
    return str(value.get("id", "") if isinstance(value, dict) else value or "")


def is_rich_text(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("root"), dict)


def walk(node: LexicalNode) -> Iterator[LexicalNode]:
    """Every node in document order. Iterative, because it also runs on nodes that are nested too deeply."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(children_of(current)))


def own_text(node: LexicalNode) -> str:
    match node.get("type"):
        case "linebreak":
            return "\n"
        case "tab":
            return "\t"
    text = node.get("text")
    return text if isinstance(text, str) else ""


def text_of(node: LexicalNode) -> str:
    """The plain text of a node, each block on a line of its own."""
    text = ""
    for inner in walk(node):
        is_block = inner.get("type") not in INLINE
        text += ("\n" if is_block and text and not text.endswith("\n") else "") + own_text(inner)
    return with_unix_lines(text).strip()


def texts_in(value: object) -> Iterator[str]:
    """All texts in the fields of a block, at any depth; rich text as plain text."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield " ".join(text.split())
            case {"root": dict(root)}:
                yield " ".join(text_of(root).split())
            case dict(fields):
                waiting.extend(reversed(list(fields.values())))
            case list(items):
                waiting.extend(reversed(items))


def pieces(text: str, marks: list[TiptapNode]) -> Iterator[TiptapNode]:
    """Text nodes, with a hardBreak for each line end."""
    for number, line in enumerate(with_unix_lines(text).split("\n")):
        if number:
            yield {"type": "hardBreak"}
        if line:
            yield {"type": "text", "text": line} | ({"marks": marks} if marks else {})


def on_one_line(text: str) -> str:
    return with_unix_lines(text).replace("\n", " ")
