"""Feeds for other programs: iCalendar, RSS, sitemap and robots.txt."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cms.base.queries import public_at
from cms.base.resource import SluggedResource
from cms.calendar.queries import published_teams
from cms.events.resource import events
from cms.feeds.ical import calendar_of
from cms.news.repository import news as news_repository
from cms.news.resource import news
from cms.pages.resource import pages
from cms.site.responses import cacheable, cached_in_memory, moved
from cms.teams.repository import teams as team_repository
from cms.teams.resource import teams
from core.accounts.rights import public
from core.club import queries as club
from core.club.presenters import logo_at
from core.common.calendar_files import one_line

IN_RSS = 30
TEXT = "text/plain; charset=utf-8"


# --- Calendars ----------------------------------------------------------------------------------------------


@public
@require_safe
@cached_in_memory()
def feed(request: HttpRequest) -> HttpResponse:
    return _calendar("all", calendar_of(published_teams(), name=club.current().name, site=_site_of(request)))


@public
@require_safe
@cached_in_memory()
def team_feed(request: HttpRequest, slug: str) -> HttpResponse:
    team, _nothing = public_at(team_repository, slug, lambda _team: ())
    if team.slug != slug:
        return moved("public:team-feed", team.slug)
    return _calendar(slug, calendar_of([team], name=_named(team.name), site=_site_of(request), only=team))


def _site_of(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _named(what: str) -> str:
    """The title of a feed, with the club's name."""
    return f"{what} · {club.current().name}"


def _calendar(name: str, file: bytes) -> HttpResponse:
    response = HttpResponse(file, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.ics"'
    return cacheable(response)


# --- News ---------------------------------------------------------------------------------------------------


class ClubFeed(Rss201rev2Feed):
    """With the logo of the club, if it has one."""

    def add_root_elements(self, handler: Any) -> None:
        super().add_root_elements(handler)
        if self.feed["logo"]:
            handler.startElement("image", {})
            for name, value in (("url", "logo"), ("title", "title"), ("link", "link")):
                handler.addQuickElement(name, self.feed[value])
            handler.endElement("image")


@public
@require_safe
@cached_in_memory()
def news_feed(request: HttpRequest) -> HttpResponse:
    file = ClubFeed(
        title=_named(_("News")),
        link=request.build_absolute_uri(reverse("public:news")),
        description=_("News from the club."),
        language=club.current().language,
        feed_url=request.build_absolute_uri(request.path),
        logo=logo_at(_site_of(request)),
    )
    for article in news_repository.public(limit=IN_RSS, newest_first=True).items:
        address = news.public_address(article)
        if address:
            file.add_item(
                title=one_line(article.title),
                link=request.build_absolute_uri(address),
                description=one_line(article.excerpt or ""),
                unique_id=f"urn:uuid:{article.id}",
                unique_id_is_permalink=False,
                pubdate=article.published_date,
            )
    return cacheable(
        HttpResponse(file.writeString("utf-8"), content_type="application/rss+xml; charset=utf-8")
    )


# --- Search engines -----------------------------------------------------------------------------------------

# News come last and are cut at MOST_ADDRESSES. The others limit the queries for each kind of content.
MOST_ADDRESSES = 5000
PER_REQUEST = 1000
MOST_REQUESTS = {"page": 1, "team": 1, "event": 2, "news": 5}


# Names of the routes that always exist.
LISTS = ("home", "news", "dates", "tables", "teams", "pages", "people", "sponsors")


class SitemapEntry(NamedTuple):
    address: str
    changed: str = ""


@public
@require_safe
@cached_in_memory()
def sitemap(request: HttpRequest) -> HttpResponse:
    entries = list(islice(_sitemap_entries(request), MOST_ADDRESSES))
    file = render_to_string("cms/feeds/sitemap.xml", {"entries": entries})
    return cacheable(HttpResponse(file, content_type="application/xml; charset=utf-8"))


def _sitemap_entries(request: HttpRequest) -> Iterator[SitemapEntry]:
    """Addresses of the lists and of all published records, by `Resource.public_address`."""
    lists = [reverse(f"public:{name}") for name in LISTS]
    yield from (SitemapEntry(request.build_absolute_uri(address)) for address in lists)
    for resource in (pages, teams, events, news):
        for record in _published(resource):
            address = resource.public_address(record)
            # The record with the intro of the home page has the home page's address.
            if address and address not in lists:
                changed = f"{record.updated_at:%Y-%m-%dT%H:%M:%SZ}" if record.updated_at else ""
                yield SitemapEntry(request.build_absolute_uri(address), changed)


def _published(resource: SluggedResource) -> Iterator[Any]:
    start = None
    for _request in range(MOST_REQUESTS[resource.entity]):
        found = resource.repository.public(limit=PER_REQUEST, start=start, newest_first=True)
        yield from found.items
        start = found.next_key
        if start is None:
            return


@public
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt; keeps crawlers out of the CMS, the desk and the sign-in; without a website, out of all."""
    if not club.current().is_on("cms"):
        return cacheable(HttpResponse("User-agent: *\nDisallow: /\n", content_type=TEXT))
    sitemap_address = request.build_absolute_uri(reverse("public:sitemap"))
    lines = [
        "User-agent: *",
        "Disallow: /cms/",
        "Disallow: /desk/",
        "Disallow: /auth/",
        "",
        f"Sitemap: {sitemap_address}",
        "",
    ]
    return cacheable(HttpResponse("\n".join(lines), content_type=TEXT))
