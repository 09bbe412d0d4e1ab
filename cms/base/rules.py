"""The slug of a record with a page of its own on the website, such as an article, an event or a team."""

from collections.abc import Callable

from cms.base.models import SluggedItem
from core.content.slugs import is_made_from


def slug_for(title: str, record: SluggedItem | None, *, make: Callable[[str], str]) -> str:
    """The slug of a record whose slug field was left empty.

    It stays as it is once the record was published, and while it fits the title, with its number if it has
    one; otherwise it is made from the title.
    """
    if record is None or not record.slug:
        return make(title)
    stays = record.was_public or is_made_from(title, record.slug, make=make)
    return str(record.slug) if stays else make(title)
