"""Views of the public website: the home page and the lists."""

from collections.abc import Iterable, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page as PaginatorPage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cms.calendar.queries import published_teams
from cms.events.models import Event
from cms.events.presenters import GOING_ON, when_badge
from cms.events.repository import events as events_repository
from cms.pages.models import FRONT
from cms.pages.repository import pages as pages_repository
from cms.sams.queries import league_tables
from cms.sams.repository import sams_teams
from cms.site.queries import first_expiry, front_page, load_team_cards, paginate, people_page, sponsors_page
from cms.site.responses import cached_in_memory, chosen_filters, render_page
from cms.teams.rules import GENDERS, LEAGUES
from core.accounts.rights import public
from core.club import queries as club
from core.crud.listing import Badge
from core.dynamo.errors import Text
from core.dynamo.paging import read_token
from core.dynamo.queries import every

DATES_PER_PAGE = 12
Choice = tuple[str, Text]
LEAGUE_TITLES = [(league, league) for league in LEAGUES]
NARROWED_BY = {"gender": [gender for gender, _title in GENDERS], "league": LEAGUES}
# More pages than any list has; a page beyond the last one is a 404.
PAGES = {"page": [str(number) for number in range(1, 1000)]}
TOKEN = "public dates"  # noqa: S105 - what the token is for, no secret


@public
@require_safe
@cached_in_memory()
def home(request: HttpRequest) -> HttpResponse:
    front = front_page()
    context = {
        "front": front,
        "events": _with_badges(front["events"]),
        "genders": _choices(front["genders"], GENDERS),
    }
    description = _("%(club)s: news, teams, dates and people.") % {"club": club.current().name}
    until = first_expiry(card.sponsor for card in front["sponsors"])
    return render_page(request, "cms/site/home.html", context, description=description, until=until)


@public
@require_safe
@cached_in_memory(**NARROWED_BY, **PAGES)
def teams(request: HttpRequest) -> HttpResponse:
    found = published_teams()
    chosen = chosen_filters(request, NARROWED_BY)
    fitting = [
        team
        for team in found
        if all(getattr(team, field) == value for field, value in chosen.items() if value)
    ]
    page = paginate(fitting, _page_number(request))
    genders = _choices({team.gender for team in found}, GENDERS)
    leagues = _choices({team.league for team in found}, LEAGUE_TITLES)
    context = {
        "cards": load_team_cards(page),
        "genders": _chips(chosen, "gender", _("All"), genders),
        "leagues": _chips(chosen, "league", _("All leagues"), leagues),
        "is_narrowed": any(chosen.values()),
        **_pager(page, chosen),
    }
    description = _("Our teams, where they play and when they train.")
    return render_page(request, "cms/site/teams.html", context, title=_("Teams"), description=description)


@public
@require_safe
def dates(request: HttpRequest) -> HttpResponse:
    description = _("Upcoming dates of the club.")
    return _dates(request, "later", "upcoming", title=_("Dates"), description=description)


@public
@require_safe
def past_dates(request: HttpRequest) -> HttpResponse:
    description = _("Past dates of the club.")
    return _dates(request, "earlier", "past", title=_("Past dates"), description=description)


def _dates(request: HttpRequest, parameter: str, kind: str, *, title: str, description: str) -> HttpResponse:
    """A page of events; `parameter` has the token of the next page."""
    is_past = kind == "past"
    read = events_repository.past if is_past else events_repository.upcoming
    start = read_token(request.GET.get(parameter), TOKEN, kind)
    found = read(limit=DATES_PER_PAGE, start=start, newest_first=is_past)
    token = found.next_token(TOKEN, kind)
    context = {
        "events": _with_badges(found.items),
        "is_first_page": start is None,
        "more_address": f"?{urlencode({parameter: token})}" if token else "",
        "is_past": is_past,
    }
    return render_page(request, "cms/site/dates.html", context, title=title, description=description)


@public
@require_safe
@cached_in_memory()
def tables(request: HttpRequest) -> HttpResponse:
    ours = sams_teams.all()
    context = {"leagues": league_tables(ours), "ours": {team.uuid for team in ours}}
    description = _("League tables and latest results of our teams.")
    return render_page(request, "cms/site/tables.html", context, title=_("Tables"), description=description)


@public
@require_safe
@cached_in_memory(**PAGES)
def people(request: HttpRequest) -> HttpResponse:
    groups, page = people_page(_page_number(request))
    description = _("The board, the coaches and everyone else who helps.")
    context = {"groups": groups, **_pager(page)}
    return render_page(request, "cms/site/people.html", context, title=_("People"), description=description)


@public
@require_safe
def sponsors(request: HttpRequest) -> HttpResponse:
    cards, page = sponsors_page(_page_number(request))
    return render_page(
        request,
        "cms/site/sponsors.html",
        {"sponsors": cards, **_pager(page)},
        title=_("Sponsors"),
        description=_("The sponsors of the club."),
        until=first_expiry(card.sponsor for card in cards),
    )


@public
@require_safe
def pages(request: HttpRequest) -> HttpResponse:
    # The one at FRONT is part of the home page.
    own = [page for page in every(pages_repository.public) if page.slug and page.slug != FRONT]
    context = {"pages": sorted(own, key=lambda each: str(each.title).lower())}
    description = _("Imprint, privacy policy and more.")
    return render_page(
        request, "cms/site/pages.html", context, title=_("About the club"), description=description
    )


def _page_number(request: HttpRequest) -> str:
    return chosen_filters(request, PAGES)["page"]


def _pager(page: PaginatorPage[Any], chosen: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Addresses of the previous and the next page, with the same filters."""
    query = {name: value for name, value in chosen.items() if value}

    def address(number: int) -> str:
        return f"?{urlencode({**query, 'page': number})}"

    return {
        "back_address": address(page.previous_page_number()) if page.has_previous() else "",
        "more_address": address(page.next_page_number()) if page.has_next() else "",
    }


def _choices(there: Set[str | None], titles: Iterable[Choice]) -> list[Choice]:
    """The filter's choices that occur; empty if there is only one, which would filter nothing out."""
    return [choice for choice in titles if choice[0] in there] if len(there) > 1 else []


def _chips(
    chosen: Mapping[str, str], field: str, everything: Text, choices: list[Choice]
) -> list[tuple[str, Text, bool]]:
    """Address, title and whether it is chosen, for each choice and for no filter."""
    if not choices:
        return []
    return [
        (_narrowed({**chosen, field: value}), title, chosen[field] == value)
        for value, title in [("", everything), *choices]
    ]


def _narrowed(chosen: Mapping[str, str]) -> str:
    """The address with these filters; empty ones are left out, so that each list has one address."""
    query = urlencode({name: value for name, value in chosen.items() if value})
    return f"?{query}" if query else reverse("public:teams")


def _with_badges(events: Sequence[Event]) -> list[tuple[Event, Badge | None]]:
    """Events with a badge only if going on now; the list itself says whether they are upcoming or past."""
    return [(event, GOING_ON if when_badge(event) == GOING_ON else None) for event in events]
