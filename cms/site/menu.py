"""The menu of the website: its sections, own pages and links, in the order that the club has chosen."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from cms.pages.models import FRONT
from cms.pages.repository import pages
from core.club import queries as club
from core.common.kept import KeptFor
from core.dynamo.errors import Text
from core.dynamo.queries import every

# By the name of the URL.
SECTIONS: Mapping[str, Text] = {
    "news": _("News"),
    "teams": _("Teams"),
    "dates": _("Dates"),
    "tables": _("Tables"),
    "people": _("People"),
    "sponsors": _("Sponsors"),
    "pages": _("About the club"),
}
USUAL = ("news", "teams", "dates", "tables", "people", "sponsors")
LINK, PAGE = "link", "page:"
KEPT_SECONDS = 30

# `target` is the name of a section, PAGE with the id of a page, or LINK.
Entry = dict[str, Any]


class OwnPage(NamedTuple):
    title: str
    slug: str


class Link(NamedTuple):
    address: str
    title: Text
    # Of its `aria-current`.
    current: str = ""
    is_outside: bool = False


def usual() -> list[Entry]:
    return [{"target": name, "text": None, "address": None} for name in USUAL]


def links(path: str) -> list[Link]:
    """The menu on the page at `path`."""
    return [link for entry in club.current().menu or usual() if (link := _link(entry, path))]


def targets() -> list[tuple[Text, Any]]:
    """What an entry can lead to, as choices."""
    own = [(PAGE + key, page.title) for key, page in own_pages.get().items()]
    return [*SECTIONS.items(), *([(_("Own pages"), own)] if own else []), (LINK, _("A link"))]


def _link(entry: Entry, path: str) -> Link | None:
    """None for a page that is not public any more."""
    target, text = entry["target"], entry.get("text")
    if target == LINK:
        return Link(entry["address"], text or entry["address"], is_outside=True)
    if target in SECTIONS:
        address = reverse(f"public:{target}")
        return Link(address, text or SECTIONS[target], _current(path, address))
    page = own_pages.get().get(str(target).removeprefix(PAGE))
    if page is None:
        return None
    address = reverse("public:page", args=[page.slug])
    return Link(address, text or page.title, _current(path, address))


def _current(path: str, address: str) -> str:
    if path == address:
        return "page"
    # The page of an event is below /events/, while their list is at /dates/.
    is_inside = path.startswith((address, "/events/") if address == reverse("public:dates") else address)
    return "true" if is_inside else ""


def _read() -> dict[str, OwnPage]:
    return dict(sorted(_own_pages(), key=lambda each: each[1].title.lower()))


def _own_pages() -> Iterator[tuple[str, OwnPage]]:
    for page in every(pages.public):
        # The one at FRONT is the home page.
        if page.slug and page.slug != FRONT:
            yield page.id, OwnPage(str(page.title), page.slug)


# Published pages by id. Only menus with own pages read them.
own_pages: KeptFor[dict[str, OwnPage]] = KeptFor(KEPT_SECONDS, lambda: _read())
