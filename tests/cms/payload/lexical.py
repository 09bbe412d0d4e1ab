"""Builders of Lexical nodes, and what they become."""

from cms.payload.lexical import Converted, convert
from core.content.richtext import validate

BOLD, ITALIC, STRIKE, UNDERLINE, CODE, SUPERSCRIPT = 1, 2, 4, 8, 16, 64


def node(kind, *children, **more):
    return {"type": kind, "children": list(children), "version": 1} | more


def text(words, bits=0):
    return {"type": "text", "text": words, "format": bits, "mode": "normal", "style": "", "detail": 0}


def link(words, **fields):
    return node("link", text(words), fields={"linkType": "custom", "newTab": True} | fields)


def cell(*content, **more):
    return node("tablecell", *content, **more)


def converted(*blocks, media=None, places=None) -> Converted:
    document = {"root": node("root", *blocks, format="", indent=0)}
    return convert(
        document,
        link_to=lambda collection, key: (places or {}).get((collection, key)),
        media_id=lambda key: (media or {}).get(key),
    )


def blocks_of(*blocks, **known):
    result = converted(*blocks, **known)
    assert result.notes == []
    assert validate(result.document) == result.document
    return result.document["content"]


def paragraph(*content):
    return {"type": "paragraph", "content": list(content)} if content else {"type": "paragraph"}


def plain(words, *marks):
    return {"type": "text", "text": words} | ({"marks": [{"type": mark} for mark in marks]} if marks else {})
