"""Repositories of content: lists by age and by name; unique slugs, former slugs, free slugs."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, TypeVar, Unpack

from cms.base.models import ContentItem, NamedItem, SluggedItem
from core.content.richtext import media_ids, without_media
from core.content.slugs import numbered
from core.dynamo import guards, trash
from core.dynamo.errors import AlreadyExists, NotFound, Text
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference
from core.dynamo.repository import Repository
from core.dynamo.search_index import sort_form

T = TypeVar("T", bound=ContentItem)
N = TypeVar("N", bound=NamedItem)
A = TypeVar("A", bound=SluggedItem)

# How many slugs are looked up at once to find a free one, and how many former slugs a record keeps.
CANDIDATES = 100
MOST_OLD_SLUGS = 20


def unique_name(message: Text = guards.TAKEN) -> Unique:
    return Unique("name", value=lambda record: sort_form(record.name), message=message)


def unique_address(message: Text) -> Unique:
    """Guards for the current and the former slugs: each belongs to one record only."""
    return Unique("slug", value=lambda record: [record.slug, *(record.old_slugs or [])], message=message)


def pictures_in(field: str) -> Reference:
    """The reference from a rich text field to the pictures in it."""
    return Reference(
        field,
        to="media",
        value=lambda record: media_ids(getattr(record, field)),
        cut=lambda record, gone: without_media(getattr(record, field), *gone),
    )


class ContentRepository(Repository[T]):
    scope = "cms"


class AgedRepository(ContentRepository[T]):
    def by_age(self, **options: Unpack[PageOptions]) -> Page[T]:
        """All records, by creation time."""
        return self.page(self.entity, index="GSI-List", **options)


class NamedRepository(ContentRepository[N]):
    label = "name"
    searched: ClassVar[tuple[str, ...]] = ("name",)
    list_index = "GSI-Name"

    def by_name(self, **options: Unpack[PageOptions]) -> Page[N]:
        return self.page(self.entity, index="GSI-Name", **options)


class SluggedRepository(ContentRepository[A]):
    # The fields read of a record at a former slug: enough to redirect.
    redirect_fields: ClassVar[tuple[str, ...]] = ("id", "slug", "status")

    def public(self, **options: Unpack[PageOptions]) -> Page[A]:
        """The records that are public now."""
        raise NotImplementedError

    def at_slug(self, slug: str) -> A | None:
        """The record at a slug, in part: the columns that the GSI projects."""
        found = self.page(slug, index="GSI-Slug", limit=1).items
        return found[0] if found else None

    def formerly_at_slug(self, slug: str) -> A:
        """The record that owns the guard of this slug, in part: `redirect_fields`; raises NotFound."""
        owner = guards.owners_of(self.entity, "slug", [slug]).get(slug)
        if owner is None:
            raise NotFound
        return self.get(owner, fields=self.redirect_fields)

    def next_free(
        self, slug: str, *, taken: Collection[str] = (), number: Callable[[str, int], str] = numbered
    ) -> str:
        """The slug with the lowest number that is neither `taken` nor a record's now. It is not reserved."""
        first = 2
        while True:
            numbered_slugs = (number(slug, each) for each in range(first, first + CANDIDATES))
            candidates = [each for each in numbered_slugs if each not in taken]
            owned = guards.owners_of(self.entity, "slug", candidates)
            free = next((each for each in candidates if each not in owned), None)
            if free:
                return free
            first += CANDIDATES

    def update(self, item: A, fields: Mapping[str, Any], **options: Any) -> A:
        """A slug that was public is remembered in `old_slugs`, so that links to it redirect."""
        slug = fields.get("slug", item.slug)
        if item.slug and item.was_public and slug != item.slug:
            earlier = dict.fromkeys([*(item.old_slugs or []), item.slug])
            kept = [each for each in earlier if each != slug]
            fields = {**fields, "old_slugs": kept[-MOST_OLD_SLUGS:]}
        return super().update(item, fields, **options)

    def restore(self, trash_id: str, *, fields: Mapping[str, Any] | None = None, **options: Any) -> A:
        """Restore without former slugs that were taken meanwhile; AlreadyExists if the current one was."""
        try:
            return super().restore(trash_id, fields=fields, **options)
        except AlreadyExists as error:
            trashed = trash.find(self.entity, trash_id)
            if error.field != "slug" or trashed is None:
                raise
            earlier = self.model.from_raw_data(trashed.record).old_slugs or []
            taken = guards.owners_of(self.entity, "slug", earlier)
            if not taken:
                raise
            still_free = [slug for slug in earlier if slug not in taken]
            return super().restore(trash_id, fields={**(fields or {}), "old_slugs": still_free}, **options)
