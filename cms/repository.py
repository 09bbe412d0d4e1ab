"""The access patterns of the website's content."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from cms.models import News, Role
from crud.publication import PUBLISHED
from crud.slugs import numbered
from dynamo import guards, trash
from dynamo.attributes import now, to_iso
from dynamo.errors import AlreadyExists, NotFound
from dynamo.guards import Unique
from dynamo.paging import Page
from dynamo.queries import PageOptions
from dynamo.repository import Repository
from dynamo.words import sort_form

# How many addresses are looked up at once to find a free one, and how many earlier ones an article keeps.
CANDIDATES = 100
MOST_OLD_SLUGS = 20


class RoleRepository(Repository[Role]):
    model = Role
    entity = "role"
    scope = "cms"
    label = "name"
    searched = ("name",)
    unique = (Unique("name", value=lambda role: sort_form(role.name)),)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Role]:
        return self.page("role", index="GSI-Name", **options)


class NewsRepository(Repository[News]):
    model = News
    entity = "news"
    scope = "cms"
    label = "title"
    searched = ("title", "tags")
    unique = (
        Unique(
            "slug",
            value=lambda news: [news.slug, *(news.old_slugs or [])],
            message=_("Another article has this address. Choose another one."),
        ),
    )

    def by_age(self, **options: Unpack[PageOptions]) -> Page[News]:
        return self.page("news", index="GSI-List", **options)

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[News]:
        return self.page(status, index="GSI-PublishedDate", **options)

    def public(self, **options: Unpack[PageOptions]) -> Page[News]:
        """What readers see at this moment."""
        return self.page(PUBLISHED, index="GSI-PublishedDate", at_most=to_iso(now()), **options)

    def scheduled(self, **options: Unpack[PageOptions]) -> Page[News]:
        """What readers will see later."""
        later = to_iso(now() + timedelta(milliseconds=1))
        return self.page(PUBLISHED, index="GSI-PublishedDate", at_least=later, **options)

    def at_slug(self, slug: str) -> News | None:
        """The columns of the article at an address."""
        found = self.page(slug, index="GSI-Slug", limit=1).items
        return found[0] if found else None

    def formerly_at_slug(self, slug: str) -> News:
        """The columns of the article that had this address while it was published."""
        owner = guards.owners_of(self.entity, "slug", [slug]).get(slug)
        if owner is None:
            raise NotFound
        return self.get(owner, fields=["id", "slug", "status", "published_date", "author_ids"])

    def next_free(self, slug: str) -> str:
        """The slug with the lowest number that nobody has, as far as is known now."""
        first = 2
        while True:
            candidates = [numbered(slug, number) for number in range(first, first + CANDIDATES)]
            taken = guards.owners_of(self.entity, "slug", candidates)
            free = next((candidate for candidate in candidates if candidate not in taken), None)
            if free:
                return free
            first += CANDIDATES

    def update(self, item: News, fields: Mapping[str, Any], **options: Any) -> News:
        """However the slug changes: the one that readers may have kept still leads here."""
        slug = fields.get("slug", item.slug)
        if item.first_published_at and slug != item.slug:
            earlier = dict.fromkeys([*(item.old_slugs or []), item.slug])
            kept = [each for each in earlier if each != slug]
            fields = {**fields, "old_slugs": kept[-MOST_OLD_SLUGS:]}
        return super().update(item, fields, **options)

    def restore(self, trash_id: str, *, fields: Mapping[str, Any] | None = None, **options: Any) -> News:
        """An earlier address that was taken meanwhile is given up; only the current one is asked for."""
        try:
            return super().restore(trash_id, fields=fields, **options)
        except AlreadyExists as error:
            trashed = trash.find(self.entity, trash_id)
            if error.field != "slug" or trashed is None:
                raise
            earlier = News.from_raw_data(trashed.record).old_slugs or []
            taken = guards.owners_of(self.entity, "slug", earlier)
            if not taken:
                raise
            still_free = [slug for slug in earlier if slug not in taken]
            return super().restore(trash_id, fields={**(fields or {}), "old_slugs": still_free}, **options)


roles = RoleRepository()
news = NewsRepository()
