"""All content, for those who write it: drafts and what is scheduled too, as the tables hold it."""

from typing import Annotated, Any, Literal

from django.http import HttpResponse
from ninja import Query
from pydantic import Field

from api import answers
from api.cms.records import ContentDocument
from api.lists import FieldsQuery, ItemQuery, PageQuery, listing
from api.operations import Operations
from cms.events.models import EVENT_COLUMNS
from cms.events.resource import events
from cms.locations.models import LOCATION_COLUMNS
from cms.locations.resource import locations
from cms.news.models import NEWS_COLUMNS
from cms.news.resource import news
from cms.sponsors.models import SPONSOR_COLUMNS
from cms.sponsors.resource import sponsors
from cms.teams.models import TEAM_COLUMNS
from cms.teams.resource import teams
from core.accounts.rights import SignedInRequest
from core.crud.listing import Listing

part = Operations("Content")
NEWS = ContentDocument(news, NEWS_COLUMNS)
EVENTS = ContentDocument(events, EVENT_COLUMNS)
TEAMS = ContentDocument(teams, TEAM_COLUMNS)
SPONSORS = ContentDocument(sponsors, SPONSOR_COLUMNS)
LOCATIONS = ContentDocument(locations, LOCATION_COLUMNS)


class ContentListQuery(FieldsQuery, PageQuery):
    """What every list of content takes; indexes cannot be read consistently."""


class ArticleListQuery(ContentListQuery):
    status: Annotated[
        Literal["draft", "scheduled", "published", "archived"] | None,
        Field(description="Scheduled ones are published later."),
    ] = None


class EventListQuery(ContentListQuery):
    status: Annotated[
        Literal["upcoming", "past", "draft", "archived"] | None,
        Field(description="Upcoming and past ones are published."),
    ] = None


class TeamListQuery(ContentListQuery):
    status: Literal["draft", "published", "archived"] | None = None


@part.get("/news", right="cms.news.view", answer=NEWS.list_schema)
def list_articles(request: SignedInRequest, query: Query[ArticleListQuery]) -> HttpResponse:
    """The articles, the newest first."""
    return _list(request, NEWS, query, query.status)


@part.get("/news/{id}", right="cms.news.view", answer=NEWS.schema, etag=True)
def get_article(request: SignedInRequest, id: str, query: Query[ItemQuery]) -> HttpResponse:
    """An article as it is stored, without changes that are kept and not published."""
    return _get(request, NEWS, id, query)


@part.get("/events", right="cms.event.view", answer=EVENTS.list_schema)
def list_all_events(request: SignedInRequest, query: Query[EventListQuery]) -> HttpResponse:
    """The events: upcoming ones the earliest first, past ones the latest, others the newest."""
    return _list(request, EVENTS, query, query.status)


@part.get("/events/{id}", right="cms.event.view", answer=EVENTS.schema, etag=True)
def get_club_event(request: SignedInRequest, id: str, query: Query[ItemQuery]) -> HttpResponse:
    """An event as it is stored, without changes that are kept and not published."""
    return _get(request, EVENTS, id, query)


@part.get("/teams", right="cms.team.view", answer=TEAMS.list_schema)
def list_club_teams(request: SignedInRequest, query: Query[TeamListQuery]) -> HttpResponse:
    """The teams, by name."""
    return _list(request, TEAMS, query, query.status)


@part.get("/teams/{id}", right="cms.team.view", answer=TEAMS.schema, etag=True)
def get_club_team(request: SignedInRequest, id: str, query: Query[ItemQuery]) -> HttpResponse:
    """A team as it is stored, without changes that are kept and not published."""
    return _get(request, TEAMS, id, query)


@part.get("/sponsors", right="cms.sponsor.view", answer=SPONSORS.list_schema)
def list_sponsors(request: SignedInRequest, query: Query[ContentListQuery]) -> HttpResponse:
    """The sponsors, by name, also those that have expired."""
    return _list(request, SPONSORS, query)


@part.get("/sponsors/{id}", right="cms.sponsor.view", answer=SPONSORS.schema, etag=True)
def get_sponsor(request: SignedInRequest, id: str, query: Query[ItemQuery]) -> HttpResponse:
    """A sponsor."""
    return _get(request, SPONSORS, id, query)


@part.get("/locations", right="cms.location.view", answer=LOCATIONS.list_schema)
def list_locations(request: SignedInRequest, query: Query[ContentListQuery]) -> HttpResponse:
    """The locations, by name."""
    return _list(request, LOCATIONS, query)


@part.get("/locations/{id}", right="cms.location.view", answer=LOCATIONS.schema, etag=True)
def get_location(request: SignedInRequest, id: str, query: Query[ItemQuery]) -> HttpResponse:
    """A location."""
    return _get(request, LOCATIONS, id, query)


def _list(
    request: SignedInRequest, document: ContentDocument, query: ContentListQuery, status: str | None = None
) -> HttpResponse:
    """The list of the pages with its default order."""
    resource, wanted = document.resource, Listing(filters={"status": status} if status else {})
    sorts = resource.sorts(wanted.filters)
    newest_first = bool(sorts) and sorts[0].newest_first

    def read(**page: Any) -> Any:
        return resource.page(wanted, newest_first=newest_first, **page)

    return listing(request, query, read, lambda record: answers.chosen(document.row(record), query.only))


def _get(request: SignedInRequest, document: ContentDocument, key: str, query: ItemQuery) -> HttpResponse:
    fields = document.attributes(query.only)
    record = document.resource.repository.get(key, fields=fields, strong=query.strong)
    document.resource.ensure(request.user, "view", record)
    return answers.answer(answers.chosen(document.of(record), query.only), version=record.seen_version)
