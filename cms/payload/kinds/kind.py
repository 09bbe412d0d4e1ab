"""How the documents of one collection become records, and what they have in common: status and rich text."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from cms.base.repository import SluggedRepository
from cms.payload.document import Document, NotImported
from cms.payload.lexical import convert
from cms.payload.relations import Relations
from core.content.richtext import RichTextError
from core.content.slugs import numbered, slugify
from core.content.status import DRAFT, PUBLISHED
from core.dynamo.items import Item, size_of
from core.dynamo.repository import Repository

# An item has at most 400 KB; leave room for later edits.
LARGEST_WITH_ORIGINAL = 300 * 1024


@dataclass(frozen=True)
class Kind:
    """`collection` is Payload's name; `convert` makes a record, and `build` gives it its id, slug and time.

    `compared` are the attributes that the verification compares; if empty, all that are not derived.
    """

    collection: str
    repository: Repository[Any]
    convert: Callable[[Document, Relations], Any]
    compared: Sequence[str] = ()

    def build(self, document: Document, relations: Relations) -> Any:
        record = self.convert(document, relations)
        record.id, record.created_at = document.id, document.moment("createdAt")
        return record


@dataclass(frozen=True)
class SluggedKind(Kind):
    """Records with a slug, which is made from the field `named_by` if the document has none."""

    repository: SluggedRepository[Any]
    named_by: str = "title"
    make_slug: Callable[[str], str] = slugify
    number_slug: Callable[[str, int], str] = numbered

    def build(self, document: Document, relations: Relations) -> Any:
        record = super().build(document, relations)
        record.slug = relations.slugs.get((document.collection, document.key))
        return record


def status_of(document: Document, missing: Sequence[str]) -> str:
    """Published only if it was published in Payload and nothing is `missing` that a public page needs."""
    status, is_published = document.get("_status"), document.get("isPublished")
    if status not in (None, PUBLISHED, DRAFT):
        document.note(f"the status “{status}” is unknown, so it is a draft")
    if status not in (None, PUBLISHED) or is_published is False:
        return DRAFT
    if missing:
        document.note(f"it lacks {' and '.join(missing)}, so it is a draft")
        return DRAFT
    return PUBLISHED


def rich_text(document: Document, name: str, relations: Relations) -> dict[str, Any] | None:
    try:
        converted = convert(document.get(name), link_to=relations.address_of, media_id=relations.media_id)
    except RichTextError as error:
        raise NotImported(" ".join(error.messages)) from error
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
