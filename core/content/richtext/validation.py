"""Validates documents before they are stored, and adds links for the addresses in their text."""

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from core.content.richtext.links import may_have_addresses, with_links
from core.content.richtext.reading import check_size, read_posted, read_stored, too_long, written
from core.content.richtext.schema import RichTextError, schema

if TYPE_CHECKING:
    from prosemirror.model import Node

LARGEST = 200_000


def validate(document: object, shown: Collection[str] = ()) -> dict[str, Any]:
    """The document in its normal form; raises RichTextError if it does not match the schema.

    Of what the schema does not know, only parts with the fingerprints `shown` are kept. Addresses in the text
    become links, unless the document would become too long.
    """
    return normal_form(read_posted(document, shown).root)


def validate_stored(document: object) -> dict[str, Any]:
    """The stored document in its normal form, with all that the schema does not know."""
    return normal_form(read_stored(document).root)


def normal_form(root: "Node") -> dict[str, Any]:
    plain = checked_size(written(root))
    linked = with_addresses(root)
    if linked is root:
        return plain
    try:
        return checked_size(written(linked))
    except RichTextError:
        return plain


def with_addresses(root: "Node") -> "Node":
    """The document with links for the addresses in its text; the same one if there are none to add."""
    if not may_have_addresses(root.text_content):
        return root
    from prosemirror.model import Node

    plain = dict(root.to_json())
    linked = with_links(plain)
    return root if linked == plain else Node.from_json(schema(), linked)


def checked_size(document: dict[str, Any]) -> dict[str, Any]:
    check_size(document)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    if len(text.encode(errors="replace")) > LARGEST:
        raise too_long()
    # A copy for the caller: prosemirror shares default attributes between documents.
    copy: dict[str, Any] = json.loads(text)
    return copy
