"""Rich text documents from a simple markup."""

from collections.abc import Iterator
from typing import Any

from core.content.richtext import validate


def document(text: str) -> dict[str, Any]:
    """A document from blocks separated by blank lines; `## ` begins a heading, `> ` a quote, `- ` a list."""
    blocks = [_block(block) for block in text.strip().split("\n\n")]
    valid: dict[str, Any] = validate({"type": "doc", "content": blocks})
    return valid


def _block(text: str) -> dict[str, Any]:
    match text[:2]:
        case "##":
            return {"type": "heading", "attrs": {"level": 2}, "content": list(_inline(text[3:]))}
        case "> ":
            return {"type": "blockquote", "content": [_paragraph(text[2:])]}
        case "- ":
            lines = [line.removeprefix("- ") for line in text.split("\n")]
            items = [{"type": "listItem", "content": [_paragraph(line)]} for line in lines]
            return {"type": "bulletList", "content": items}
    return _paragraph(text)


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": list(_inline(" ".join(text.split())))}


def _inline(text: str) -> Iterator[dict[str, Any]]:
    """Text nodes; `**` encloses bold text."""
    for number, part in enumerate(text.split("**")):
        if part:
            bold = {"marks": [{"type": "bold"}]} if number % 2 else {}
            yield {"type": "text", "text": part} | bold
