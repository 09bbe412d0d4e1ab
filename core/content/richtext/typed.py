"""The text of a document to be edited without JavaScript, and the document with the edited text.

Blocks are divided by blank lines. A block that is more than text, such as a table, is a line with its number
in double square brackets: the block is wherever that line is, and gone with it. All blocks whose text was not
changed stay.
"""

import re
from collections import defaultdict, deque
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.content.richtext.text import BLANK_LINE, paragraph, plain_text, walk, with_unix_lines

Node = dict[str, Any]

# What becomes plain paragraphs if its text is changed. A block with anything else in it is not shown as text.
TEXT_TYPES = {
    "paragraph",
    "heading",
    "blockquote",
    "bulletList",
    "orderedList",
    "listItem",
    "text",
    "hardBreak",
}
NAMES = {
    "image": gettext_lazy("Picture"),
    "table": gettext_lazy("Table"),
    "codeBlock": gettext_lazy("Code"),
    "taskList": gettext_lazy("Task list"),
    "horizontalRule": gettext_lazy("Dividing line"),
    "bulletList": gettext_lazy("List"),
    "orderedList": gettext_lazy("List"),
    "blockquote": gettext_lazy("Quote"),
    "paragraph": gettext_lazy("Paragraph"),
    "heading": gettext_lazy("Heading"),
}
PLACE = re.compile(r"\[\[(\d{1,4}) .*\]\]")
PLACES = re.compile(rf"^[ \t]*({PLACE.pattern})[ \t]*$", re.MULTILINE)
LONGEST_HINT = 60


def editable_text(document: object) -> str:
    blocks = _blocks_of(document)
    if not blocks:
        return plain_text(document)
    return "\n\n".join(
        text for number, block in enumerate(blocks, 1) for text in _texts_of(block, number) if text
    )


def with_text(document: object, typed: str) -> Node:
    """The document with this text; blocks whose text is as it was are taken over, moved ones as well."""
    blocks = _blocks_of(document)
    numbered = {number: block for number, block in enumerate(blocks, 1) if not _is_text(block)}
    by_text: dict[str, deque[tuple[list[str], Node]]] = defaultdict(deque)
    for block in blocks:
        if _is_text(block) and (texts := _texts_of(block, 0)):
            by_text[texts[0]].append((texts, block))
    found = [text.strip() for text in BLANK_LINE.split(_divided(with_unix_lines(typed)).strip())]
    content: list[Any] = []
    here = 0
    while here < len(found):
        text = found[here]
        place = PLACE.fullmatch(text)
        texts, block = by_text[text][0] if by_text[text] else ([], {})
        if texts and found[here : here + len(texts)] == texts:
            by_text[text].popleft()
            content.append(block)
            here += len(texts)
            continue
        kept = numbered.get(int(place[1])) if place else None
        content.append(kept or paragraph(text.split("\n")))
        here += 1
    return {"type": "doc", "content": content}


def _blocks_of(document: object) -> list[Node]:
    content = document.get("content") if isinstance(document, dict) else None
    is_list = isinstance(content, list) and all(isinstance(block, dict) for block in content)
    return content if is_list else []  # type: ignore[return-value]


def _is_text(block: Node) -> bool:
    return all(isinstance(kind := node.get("type"), str) and kind in TEXT_TYPES for node in walk(block))


def _texts_of(block: Node, number: int) -> list[str]:
    if not _is_text(block):
        return [_place_of(block, number)]
    texts = BLANK_LINE.split(with_unix_lines(plain_text(block)))
    return [text.strip() for text in texts if text.strip()]


def _place_of(block: Node, number: int) -> str:
    kind = str(block.get("type"))
    attributes = block.get("attrs")
    alt = attributes.get("alt") if isinstance(attributes, dict) else ""
    hint = " ".join(with_unix_lines(plain_text(block) or str(alt or "")).split())
    hint = f"{hint[:LONGEST_HINT]}…" if len(hint) > LONGEST_HINT else hint
    name = NAMES.get(kind) or _("Block “%(kind)s”") % {"kind": with_unix_lines(kind)[:LONGEST_HINT]}
    return f"[[{number} {name}{': ' if hint else ''}{hint}]]"


def _divided(typed: str) -> str:
    """The text with blank lines around each place of a block, which a person may have deleted."""
    return PLACES.sub(r"\n\n\1\n\n", typed)
