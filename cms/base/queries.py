"""Queries of published records, by id and by a current or former slug."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from cms.base.models import SluggedItem
from cms.base.repository import SluggedRepository
from core.dynamo.errors import NotFound
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at

T = TypeVar("T", bound=SluggedItem)


def public_with_id(
    repository: SluggedRepository[T], key: str, related: Callable[[T], Iterable[RecordRef]]
) -> tuple[T, Mapping[RecordRef, Item]]:
    """The public record with this id and its `related` records; raises NotFound."""
    record = repository.get(key)
    if not record.slug or not record.is_public():
        raise NotFound
    return record, records_at(related(record))


def public_at(
    repository: SluggedRepository[T], slug: str, related: Callable[[T], Iterable[RecordRef]]
) -> tuple[T, Mapping[RecordRef, Item]]:
    """The public record at a slug and its `related` records, by one batch read; raises NotFound.

    At a former slug without related records: the caller redirects to the record's current slug.
    """
    found = repository.at_slug(slug) or repository.formerly_at_slug(slug)
    if not found.slug or not found.is_public():
        raise NotFound
    if found.slug != slug:
        return found, {}
    place = (repository.entity, repository.key_of(found))
    records = records_at([place, *related(found)])
    record = records.get(place)
    # A GSI is eventually consistent, so check the record.
    if not isinstance(record, repository.model) or not record.is_public():
        raise NotFound
    return record, records


def public_at_any_slug(
    repository: SluggedRepository[T], slug: str, related: Callable[[T], Iterable[RecordRef]]
) -> tuple[T, Mapping[RecordRef, Item]]:
    """The public record at a current or former slug and its `related` records; raises NotFound."""
    found, records = public_at(repository, slug, related)
    if found.slug == slug:
        return found, records
    return public_with_id(repository, repository.key_of(found), related)
