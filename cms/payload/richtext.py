"""Rich text of a document, and its Lexical original if KEEP_LEXICAL is set."""

import json
from typing import Any

from django.conf import settings

from cms.payload.document import Document, Refused
from cms.payload.lexical import convert
from cms.payload.relations import Relations
from core.content.richtext import RichTextError
from core.dynamo.items import Item, size_of

# An item has at most 400 KB; leave room for later edits.
LARGEST_WITH_ORIGINAL = 300 * 1024


def rich_text(document: Document, name: str, relations: Relations) -> dict[str, Any] | None:
    try:
        converted = convert(document.get(name), link_to=relations.address_of, media_id=relations.media_id)
    except RichTextError as error:
        raise Refused(" ".join(error.messages)) from error
    for note in converted.notes:
        document.note(f"“{name}”: {note}")
    return converted.document


def keep_original(document: Document, name: str, item: Item, attribute: str) -> None:
    """Store the Lexical original as a JSON string: it is nested more deeply than DynamoDB allows."""
    original = document.get(name)
    if not settings.KEEP_LEXICAL or not original:
        return
    setattr(item, attribute, json.dumps(original, ensure_ascii=False, separators=(",", ":")))
    if size_of(item.serialize()) > LARGEST_WITH_ORIGINAL:
        setattr(item, attribute, None)
        document.note(f"“{name}”: the Lexical original is too large to be kept beside the text")
