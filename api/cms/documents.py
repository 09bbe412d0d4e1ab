"""Published records as the website shows them: each document names what there is on its page, and no more."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from cms.base.models import SluggedItem
from cms.events.models import Event
from cms.events.presenters import event_context
from cms.locations.models import Location
from cms.media.models import MediaFile
from cms.media.queries import select_pictures
from cms.news.models import News
from cms.news.presenters import news_context
from cms.site.queries import web_address
from cms.sponsors.models import Sponsor
from cms.teams.models import Team
from cms.teams.presenters import Training, members_at, trainings
from core.crud.cached_urls import address_of
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef

Json = dict[str, Any]
Records = Mapping[RecordRef, Item]


def article_row(request: HttpRequest, news: News) -> Json:
    return {
        **_listed(request, news, "public:article"),
        "title": news.title,
        "excerpt": news.excerpt,
        "publishedDate": news.published_date,
    }


def article(request: HttpRequest, news: News, records: Records) -> Json:
    context = news_context(news, records)
    return {
        **article_row(request, news),
        "html": context["text"],
        "tags": list(news.tags or ()),
        "authors": context["authors"],
        "pictures": [picture(media) for media in context["pictures"]],
    }


def event_row(request: HttpRequest, event: Event) -> Json:
    return {
        **_listed(request, event, "public:event"),
        "title": event.title,
        "variant": event.variant,
        "startDate": event.start_date,
        "endDate": event.end_date,
        "place": event.place,
    }


def event(request: HttpRequest, event: Event, records: Records) -> Json:
    context = event_context(event, records)
    return {
        **event_row(request, event),
        "html": context["text"],
        "teams": [{"name": team.name, "slug": team.slug} for team in context["teams"]],
        "pictures": [picture(media) for media in context["pictures"]],
    }


def team_row(request: HttpRequest, team: Team) -> Json:
    return {
        **_listed(request, team, "public:team"),
        "name": team.name,
        "gender": team.gender,
        "age": team.age,
        "league": team.league,
    }


def team(request: HttpRequest, team: Team, records: Records) -> Json:
    return {
        **team_row(request, team),
        "description": team.description,
        "instagram": team.instagram,
        "trainings": [_training(each) for each in trainings(team, records)],
        # Names only: e-mail addresses of contacts are on the page of the team, not for programs to collect.
        "coaches": [member.name for member in members_at(team.coach_ids, records)],
        "contacts": [member.name for member in members_at(team.contact_person_ids, records)],
        "pictures": [picture(media) for media in select_pictures(team.image_ids, records)],
    }


def sponsor(request: HttpRequest, sponsor: Sponsor) -> Json:
    return {
        "id": sponsor.id,
        "name": sponsor.name,
        "website": web_address(sponsor.website) or None,
        "description": sponsor.description,
    }


def picture(media: MediaFile) -> Json:
    return {
        "address": media.address,
        "thumbnail": media.thumbnail,
        "srcset": media.srcset,
        "webpSrcset": media.webp_srcset,
        "alt": media.alt or "",
        "caption": media.caption or "",
        "width": int(media.width) if media.width else None,
        "height": int(media.height) if media.height else None,
    }


def _listed(request: HttpRequest, record: SluggedItem, route: str) -> Json:
    page = request.build_absolute_uri(address_of(route, record.slug)) if record.slug else None
    return {"id": record.id, "slug": record.slug, "page": page}


def _training(training: Training) -> Json:
    place: Location | None = training.location
    return {
        "days": [str(day) for day in training.days],
        "startTime": training.start,
        "endTime": training.end,
        "location": place and {"name": place.name, "address": place.address},
    }
