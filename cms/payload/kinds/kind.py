"""Base classes that describe how the documents of one collection become records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cms.base.repository import AddressedRepository
from cms.payload.document import Document
from cms.payload.relations import Relations
from core.content.slugs import numbered, slugify
from core.content.status import DRAFT, PUBLISHED
from core.dynamo.repository import Repository


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
class AddressedKind(Kind):
    """Records with a slug, which is made from the field `named_by` if the document has none."""

    repository: AddressedRepository[Any]
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
