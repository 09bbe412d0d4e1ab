"""Converts documents to plain text and back. All functions accept invalid stored documents."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.content.richtext.schema import CONTROL_CHARACTERS

DONE, TO_DO = "\N{BALLOT BOX WITH CHECK} ", "\N{BALLOT BOX} "
# These are blank without text. All others, also unknown ones, show something by themselves.
TEXT_TYPES = {
    *("doc", "text", "hardBreak", "paragraph", "heading", "blockquote", "codeBlock"),
    *("bulletList", "orderedList", "listItem", "taskList", "taskItem"),
    *("table", "tableRow", "tableCell", "tableHeader"),
}
BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")


def walk(document: object, *, without: str = "", closed: str = "") -> Iterator[dict[str, Any]]:
    """All nodes in document order, without those of the type `without`, and without what is in `closed`."""
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict) and not (without and node.get("type") == without):
            yield node
            content = node.get("content")
            if isinstance(content, list) and not (closed and node.get("type") == closed):
                waiting.extend(reversed(content))


def plain_text(document: object, *, without: str = "") -> str:
    """The plain text: a blank line between blocks, a line break for a hard break, a line per table row."""
    blocks = [""]
    for node in walk(document, without=without, closed="table"):
        kind, text = node.get("type"), node.get("text")
        if kind == "text" and isinstance(text, str):
            blocks[-1] += text
        elif kind == "hardBreak":
            blocks[-1] += "\n"
        elif kind == "table":
            blocks += [table_text(node), ""]
        elif kind == "taskItem":
            blocks.append(DONE if is_done(node) else TO_DO)
        elif not (kind == "paragraph" and blocks[-1] in (DONE, TO_DO)):
            blocks.append("")
    return "\n\n".join(filter(None, map(str.strip, blocks)))


def table_text(table: dict[str, Any]) -> str:
    """A line for each row; iteratively, because a stored table may be nested at any depth."""
    rows: list[list[str]] = []
    for node in walk(table):
        kind, text = node.get("type"), node.get("text")
        if kind == "tableRow":
            rows.append([])
        elif kind in ("tableCell", "tableHeader") and rows:
            rows[-1].append("")
        elif rows and rows[-1]:
            rows[-1][-1] += text if kind == "text" and isinstance(text, str) else " "
    lines = [[" ".join(cell.split()) for cell in row] for row in rows]
    return "\n".join(" | ".join(line) for line in lines if any(line))


def is_done(task: dict[str, Any]) -> bool:
    attributes = task.get("attrs")
    return isinstance(attributes, dict) and attributes.get("checked") is True


def excerpt(document: object, longest: int = 500) -> str:
    """The beginning of the text on one line, cut after a word.

    Headings are left out unless there is no other text: on one line they would run into its sentences.
    """
    whole = plain_text(document, without="heading") or plain_text(document)
    # Of a long text the beginning is enough, unless it is mostly blanks.
    text = " ".join(whole[: 2 * longest].split())
    if len(text) <= longest < len(whole):
        text = " ".join(whole.split())
    if len(text) <= longest:
        return text
    beginning = text[:longest]
    words, _blank, _half_a_word = beginning.rpartition(" ")
    return (words or beginning[:-1]).rstrip(" ,;:.-") + "…"


def from_plain_text(text: str) -> dict[str, Any]:
    """A document from plain text: blank lines separate paragraphs."""
    paragraphs = BLANK_LINE.split(with_unix_lines(text).strip())
    return {"type": "doc", "content": [paragraph(lines.split("\n")) for lines in paragraphs]}


def with_unix_lines(text: str) -> str:
    """The text with normalized line ends, and blanks instead of control characters."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return CONTROL_CHARACTERS.sub(" ", lines)


def paragraph(lines: list[str]) -> dict[str, Any]:
    content: list[dict[str, str]] = []
    for number, line in enumerate(lines):
        if number:
            content.append({"type": "hardBreak"})
        if line:
            content.append({"type": "text", "text": line})
    return {"type": "paragraph", "content": content} if content else {"type": "paragraph"}


def letters(document: object) -> str:
    """All that is written in the document, without anything between its parts."""
    texts = (node.get("text") for node in walk(document) if node.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def is_blank(document: object) -> bool:
    """Whether the document has no text, and nothing that shows something without text, such as a picture."""
    return not any(_has_letters(node) or _shows_itself(node) for node in walk(document))


def _has_letters(node: dict[str, Any]) -> bool:
    text = node.get("text") if node.get("type") == "text" else None
    return isinstance(text, str) and bool(text.strip())


def _shows_itself(node: dict[str, Any]) -> bool:
    kind = node.get("type")
    return isinstance(kind, str) and kind not in TEXT_TYPES


def media_ids(document: object) -> list[str]:
    """The distinct media ids of a document's pictures, in document order."""
    found = [
        media_id
        for node in walk(document)
        if node.get("type") == "image" and isinstance(attributes := node.get("attrs"), dict)
        if isinstance(media_id := attributes.get("mediaId"), str)
    ]
    return list(dict.fromkeys(found))


def without_media(document: dict[str, Any], *gone: str) -> dict[str, Any]:
    """The document without these pictures; an empty block becomes an empty paragraph."""
    content = document.get("content")
    if not isinstance(content, list):
        return document
    kept = [each for each in content if not _is_picture_of(each, gone)]
    inside = [without_media(each, *gone) if isinstance(each, dict) else each for each in kept]
    if content and not inside:
        inside = [{"type": "paragraph"}]
    return document | {"content": inside}


def _is_picture_of(node: object, keys: Iterable[str]) -> bool:
    return isinstance(node, dict) and node.get("type") == "image" and set(media_ids(node)) & {*keys} != set()
