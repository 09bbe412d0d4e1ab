"""What the website shows, for everybody: exactly that, read as its pages read it, and cached as they are."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Annotated, Any, Literal, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import Query
from pydantic import ConfigDict, Field

from api import answers
from api.cms import documents, schemas
from api.fields import Day
from api.lists import FieldsQuery, PageOf, PageQuery, ReadPage, listing
from api.operations import InvalidFields, Operations
from api.problems import FieldError
from cms.base.models import SluggedItem
from cms.base.queries import public_at_any_slug, public_with_id
from cms.calendar.queries import midnight
from cms.events import presenters as of_events
from cms.events.models import Event
from cms.events.repository import events
from cms.media.models import MediaFile
from cms.media.queries import cover_id, with_pictures
from cms.news import presenters as of_news
from cms.news.repository import news
from cms.site.queries import first_expiry
from cms.site.responses import cache_seconds, cacheable
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from cms.teams import presenters as of_teams
from cms.teams.repository import teams
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.dynamo.registry import RecordRef

part = Operations("Website")
T = TypeVar("T", bound=Item)
S = TypeVar("S", bound=SluggedItem)
# What a record shows, with the records that it refers to.
Document = Callable[[HttpRequest, S, Mapping[RecordRef, Item]], dict[str, Any]]
# No event is outside of these, and beyond them there is no room to compute with.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9000, 1, 1)


class PublicListQuery(FieldsQuery, PageQuery):
    """What every list of the website takes."""

    pictures: Annotated[
        bool, Field(description="Also the cover or logo of each; only with limit or nextToken.")
    ] = False


class PublicEventQuery(PublicListQuery):
    """The upcoming events, the past ones, or with `from` and `to` those that overlap these days."""

    model_config = ConfigDict(populate_by_name=True)

    when: Annotated[
        Literal["upcoming", "past"] | None, Field(description="upcoming unless there are days.")
    ] = None
    first: Annotated[Day | None, Field(alias="from", description="The first day.")] = None
    last: Annotated[Day | None, Field(alias="to", description="The last day, which is one of them.")] = None


# --- News -------------------------------------------------------------------------------------------------


@part.get_public("/news", answer=list[schemas.ArticleRow] | PageOf[schemas.ArticleRow])
def list_published_news(request: HttpRequest, query: Query[PublicListQuery]) -> HttpResponse:
    """The published news, the newest first."""

    def read(**page: Any) -> Any:
        return news.public(newest_first=True, **page)

    return _list(request, query, read, documents.article_row, picture_of=cover_id)


@part.get_public("/news/{id}", answer=schemas.Article)
def get_published_article(request: HttpRequest, id: str, query: Query[FieldsQuery]) -> HttpResponse:
    """A published article by its id."""
    return _one(request, query, documents.article, *public_with_id(news, id, of_news.related))


@part.get_public("/news/by-slug/{slug}", answer=schemas.Article)
def get_published_article_at(request: HttpRequest, slug: str, query: Query[FieldsQuery]) -> HttpResponse:
    """A published article by its slug, or by one that it had."""
    return _one(request, query, documents.article, *public_at_any_slug(news, slug, of_news.related))


# --- Events -----------------------------------------------------------------------------------------------


@part.get_public("/events", answer=list[schemas.EventRow] | PageOf[schemas.EventRow])
def list_published_events(request: HttpRequest, query: Query[PublicEventQuery]) -> HttpResponse:
    """The published events: upcoming ones and those of some days in their order, past ones the last first."""
    return _list(request, query, _events(query), documents.event_row, picture_of=cover_id)


@part.get_public("/events/{id}", answer=schemas.Event)
def get_published_event(request: HttpRequest, id: str, query: Query[FieldsQuery]) -> HttpResponse:
    """A published event by its id."""
    return _one(request, query, documents.event, *public_with_id(events, id, of_events.related))


@part.get_public("/events/by-slug/{slug}", answer=schemas.Event)
def get_published_event_at(request: HttpRequest, slug: str, query: Query[FieldsQuery]) -> HttpResponse:
    """A published event by its slug, or by one that it had."""
    return _one(request, query, documents.event, *public_at_any_slug(events, slug, of_events.related))


# --- Teams ------------------------------------------------------------------------------------------------


@part.get_public("/teams", answer=list[schemas.TeamRow] | PageOf[schemas.TeamRow])
def list_published_teams(request: HttpRequest, query: Query[PublicListQuery]) -> HttpResponse:
    """The published teams, by name."""
    return _list(request, query, teams.public, documents.team_row, picture_of=cover_id)


@part.get_public("/teams/{id}", answer=schemas.Team)
def get_published_team(request: HttpRequest, id: str, query: Query[FieldsQuery]) -> HttpResponse:
    """A published team by its id, with its training and the places of it."""
    return _one(request, query, documents.team, *public_with_id(teams, id, of_teams.related))


@part.get_public("/teams/by-slug/{slug}", answer=schemas.Team)
def get_published_team_at(request: HttpRequest, slug: str, query: Query[FieldsQuery]) -> HttpResponse:
    """A published team by its slug, or by one that it had."""
    return _one(request, query, documents.team, *public_at_any_slug(teams, slug, of_teams.related))


# --- Sponsors ---------------------------------------------------------------------------------------------


@part.get_public("/sponsors", answer=list[schemas.Sponsor] | PageOf[schemas.Sponsor])
def list_shown_sponsors(request: HttpRequest, query: Query[PublicListQuery]) -> HttpResponse:
    """The sponsors that have not expired, by name."""
    every: list[Sponsor] = []

    def read(**page: Any) -> Page[Sponsor]:
        found = sponsors.shown(**page)
        every.extend(found.items)
        return found

    def logo_id(sponsor: Sponsor) -> str | None:
        return sponsor.logo_id

    answer = _list(request, query, read, documents.sponsor, picture_of=logo_id)
    return cacheable(answer, cache_seconds(first_expiry(every)))


# --- All of them ------------------------------------------------------------------------------------------


def _list(
    request: HttpRequest,
    query: PublicListQuery,
    read: ReadPage[T],
    document: Callable[[HttpRequest, T], dict[str, Any]],
    *,
    picture_of: Callable[[T], str | None],
) -> HttpResponse:
    if query.pictures and query.limit is None and query.next_token is None:
        # A bare array may have a thousand records, and a batch read has a hundred.
        raise InvalidFields([FieldError("/query/limit", _("Send a limit to get pictures."))])

    def read_with_pictures(**page: Any) -> Page[tuple[T, MediaFile | None]]:
        found = read(**page)
        pairs = with_pictures(found.items, picture_of if query.pictures else lambda _record: None)
        return Page(pairs, found.next_key)

    def row(pair: tuple[T, MediaFile | None]) -> dict[str, Any]:
        record, media = pair
        fields = document(request, record)
        if query.pictures:
            fields["picture"] = documents.picture(media) if media else None
        return answers.chosen(fields, query.only)

    return cacheable(listing(request, query, read_with_pictures, row, for_everybody=True))


def _one(
    request: HttpRequest,
    query: FieldsQuery,
    document: Document[S],
    record: S,
    records: Mapping[RecordRef, Item],
) -> HttpResponse:
    # Its ETag is made of the answer: names and pictures change without a new version of the record.
    return cacheable(answers.answer(answers.chosen(document(request, record, records), query.only)))


def _events(query: PublicEventQuery) -> ReadPage[Event]:
    if query.when and (query.first or query.last):
        raise InvalidFields([FieldError("/query/when", _("Send either this or days."))])
    if not (query.first or query.last):
        return _past if query.when == "past" else events.upcoming
    first, last = _day(query.first, FIRST_DAY), _day(query.last, LAST_DAY)

    def read(**page: Any) -> Page[Event]:
        return events.overlapping(midnight(first), midnight(last + timedelta(days=1)), **page)

    return read


def _past(**page: Any) -> Page[Event]:
    return events.past(newest_first=True, **page)


def _day(text: str | None, otherwise: date) -> date:
    return min(max(date.fromisoformat(text), FIRST_DAY), LAST_DAY) if text else otherwise
