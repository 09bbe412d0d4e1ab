"""Base classes that describe how the documents of one collection become records."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cms.payload.document import Document
from cms.payload.relations import Relations
from core.content.slugs import numbered, slugify
from core.content.status import DRAFT, PUBLISHED
from core.dynamo.repository import Repository


@dataclass(frozen=True)
class Kind:
    """`collection` is Payload's name; `build` returns a record that is not saved yet.

    `compared` are the attributes that the verification compares; if empty, all that are not derived.
    """

    collection: str
    repository: Repository[Any]
    build: Callable[[Document, Relations], Any]
    compared: Sequence[str] = ()


@dataclass(frozen=True)
class AddressedKind(Kind):
    """Records with a slug, which is made from the field `named_by` if the document has none."""

    named_by: str = "title"
    make_slug: Callable[[str], str] = slugify
    number_slug: Callable[[str, int], str] = numbered


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
