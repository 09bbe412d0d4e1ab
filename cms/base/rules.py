"""Rule for the slug of a record that is made from its title."""

from collections.abc import Callable

from cms.base.models import AddressedItem
from core.content.slugs import is_made_from, slugify


def slug_for(title: str, record: AddressedItem | None, *, make: Callable[[str], str] = slugify) -> str:
    """Made from the title until the record was published or somebody chose a slug; then unchanged."""
    if record is None or not record.slug:
        return make(title)
    is_kept = record.first_published_at or is_made_from(title, record.slug, make=make)
    return str(record.slug) if is_kept else make(title)
