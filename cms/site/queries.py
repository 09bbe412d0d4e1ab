"""Data of the public pages: cards of teams, people and sponsors, and the home page."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeVar

from django.core.paginator import InvalidPage, Paginator
from django.core.paginator import Page as PaginatorPage
from django.utils.timezone import localdate

from cms.calendar.queries import WEEKDAYS, Fixture, fixtures, published_teams, team_records
from cms.events.repository import events as events_repository
from cms.media.models import MediaFile
from cms.media.queries import cover_id, media_refs, pictures_by_id, select_pictures, text_html
from cms.members.models import Member
from cms.members.queries import all_roles, coached_by
from cms.members.repository import members as members_repository
from cms.members.rules import GROUPS, group_of
from cms.news.models import News
from cms.news.repository import news as news_repository
from cms.pages.models import FRONT, Page
from cms.pages.presenters import related
from cms.pages.repository import pages
from cms.posts.repository import posts as posts_repository
from cms.roles.models import Role
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors as sponsors_repository
from cms.teams.models import Team
from cms.teams.rules import DAYS, GENDERS
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound, Text
from core.dynamo.queries import every
from core.dynamo.registry import records_at

# Each may have a picture, and a batch read has at most a hundred records.
PER_PAGE = 60
FRONT_NEWS, FRONT_EVENTS, FRONT_POSTS = 4, 4, 4
# Their pictures, with those of the news and the intro, fit into one batch read; the lists have the others.
FRONT_TEAMS, FRONT_PEOPLE, FRONT_SPONSORS = 24, 30, 20
# The home page shows this many news however old they are.
ALWAYS_SHOWN = 2
FRESH_FOR = timedelta(days=91)
GAMES_AHEAD = timedelta(days=14)
MOST_GAME_GROUPS = 4
Pictures = Mapping[str, MediaFile]
Coached = Mapping[str, Sequence[str]]
T = TypeVar("T")


# --- Cards --------------------------------------------------------------------------------------------------


class TeamCard(NamedTuple):
    team: Team
    picture: MediaFile | None
    gender: Text
    days: Sequence[Text]
    coaches: Sequence[str]


class PersonCard(NamedTuple):
    """A member in a list. Without contact data: only the page of a team shows that of its contacts."""

    name: str
    roles: Sequence[str]
    coached: Sequence[str]
    picture: MediaFile | None

    @property
    def initials(self) -> str:
        words = self.name.split()
        return "".join(word[0] for word in [*words[:1], *words[1:][-1:]]).upper()


class SponsorCard(NamedTuple):
    sponsor: Sponsor
    website: str
    picture: MediaFile | None


class PeopleGroup(NamedTuple):
    name: str
    title: Text
    people: Sequence[PersonCard]


def team_cards(teams: Iterable[Team], members: Iterable[Member], covers: Pictures) -> list[TeamCard]:
    names = {member.id: member.name for member in members}
    genders = dict(GENDERS)
    return [
        TeamCard(
            team,
            covers.get(cover_id(team) or ""),
            genders.get(team.gender, ""),
            _days(team),
            [names[key] for key in team.coach_ids or () if key in names],
        )
        for team in teams
    ]


def _days(team: Team) -> list[Text]:
    """The weekdays of training, in order."""
    named = {day for row in team.schedules or () for day in row.get("day") or ()}
    titles = dict(DAYS)
    return [titles[day] for day in sorted(named & titles.keys(), key=lambda day: WEEKDAYS[day])]


def sorted_by_group(members: Iterable[Member], roles: dict[str, Role], coached: Coached) -> list[Member]:
    """Sort by group: board, coaches, others. The sort is stable, so the order within a group stays."""
    order = [name for name, _title in GROUPS]
    return sorted(members, key=lambda member: order.index(group_of(member, roles, coached)))


def people_groups(
    members: Iterable[Member], roles: dict[str, Role], coached: Coached, avatars: Pictures
) -> list[PeopleGroup]:
    grouped: dict[str, list[PersonCard]] = {}
    for member in members:
        own = [roles[key].name for key in member.role_ids or () if key in roles]
        card = PersonCard(
            member.name, own, coached.get(member.id, []), avatars.get(str(member.avatar_id or ""))
        )
        grouped.setdefault(group_of(member, roles, coached), []).append(card)
    return [PeopleGroup(name, title, grouped[name]) for name, title in GROUPS if name in grouped]


def sponsor_cards(sponsors: Iterable[Sponsor], logos: Pictures) -> list[SponsorCard]:
    return [
        SponsorCard(sponsor, web_address(sponsor.website), logos.get(str(sponsor.logo_id or "")))
        for sponsor in sponsors
    ]


def first_expiry(sponsors: Iterable[Sponsor]) -> datetime | None:
    """The earliest expiry of these sponsors, at which a page with them must not be cached any more."""
    moments = (sponsor.expiry_timestamp for sponsor in sponsors)
    return min((moment for moment in moments if moment), default=None)


def web_address(text: str | None) -> str:
    """The address if it is http(s), otherwise empty. Other programs may have stored unsafe ones."""
    return text if text and text.startswith(("https://", "http://")) else ""


# --- Whole pages --------------------------------------------------------------------------------------------


def load_team_cards(teams: Sequence[Team]) -> list[TeamCard]:
    return team_cards(teams, every(members_repository.by_name), pictures_by_id(map(cover_id, teams)))


def paginate(found: Sequence[T], number: str) -> PaginatorPage[T]:
    """One page of a list, by default the first; raises NotFound if there is no such page."""
    try:
        return Paginator(found, PER_PAGE).page(number or 1)
    except InvalidPage as error:
        raise NotFound from error


def people_page(number: str) -> tuple[list[PeopleGroup], PaginatorPage[Member]]:
    """One page of the list of members, in groups."""
    roles, coached = all_roles(), coached_by(published_teams())
    members = every(members_repository.by_name)
    page = paginate(sorted_by_group(members, roles, coached), number)
    avatars = pictures_by_id(member.avatar_id for member in page)
    return people_groups(page, roles, coached, avatars), page


def public_profile(member: Member) -> dict[str, Any]:
    """Where the public website shows a member; reads all roles and all published teams by two queries."""
    teams = published_teams()
    coached = coached_by(teams)
    return {
        "group": dict(GROUPS)[group_of(member, all_roles(), coached)],
        "coached": coached.get(member.id, []),
        # Teams whose pages show the e-mail address. No other page does, and none shows the phone number.
        "contact_of": [
            team for team in teams if member.email and member.id in (team.contact_person_ids or ())
        ],
    }


def sponsors_page(number: str) -> tuple[list[SponsorCard], PaginatorPage[Sponsor]]:
    page = paginate(sponsors_repository.public(), number)
    return sponsor_cards(page, pictures_by_id(sponsor.logo_id for sponsor in page)), page


class HomeGames(NamedTuple):
    """Home games of the club's teams on one day at one place."""

    day: date
    place: str
    games: Sequence[Fixture]


def front_page() -> dict[str, Any]:
    """The home page: a query for the first records of each kind, and one batch read for all pictures."""
    intro = pages.at_slug(FRONT)
    news = _fresh(news_repository.public(limit=FRONT_NEWS, newest_first=True).items)
    events = events_repository.upcoming(limit=FRONT_EVENTS).items
    all_teams, members = published_teams(), every(members_repository.by_name)
    all_sponsors = sponsors_repository.public()
    roles, coached = all_roles(), coached_by(all_teams)
    teams, sponsors = all_teams[:FRONT_TEAMS], all_sponsors[:FRONT_SPONSORS]
    people = sorted_by_group(members, roles, coached)[:FRONT_PEOPLE]
    posts = posts_repository.by_timestamp(limit=FRONT_POSTS, newest_first=True).items
    refs = media_refs(
        [
            *map(cover_id, news),
            *(sponsor.logo_id for sponsor in sponsors),
            *map(cover_id, teams),
            *(member.avatar_id for member in people),
        ]
    )
    if intro:
        refs = list(dict.fromkeys([("page", intro.id), *related(intro), *refs]))
    records = records_at(refs)
    pictures = {media.id: media for media in select_pictures((key for _entity, key in refs), records)}
    page = records.get(("page", intro.id)) if intro else None
    # A GSI is eventually consistent, so check the record.
    public_intro = page if isinstance(page, Page) and page.is_public() else None
    return {
        "intro": public_intro,
        "text": text_html(public_intro, records) if public_intro else "",
        "news": [(each, pictures.get(cover_id(each) or "")) for each in news],
        "games": home_games(all_teams),
        "events": events,
        "teams": team_cards(teams, members, pictures),
        "sponsors": sponsor_cards(sponsors, pictures),
        "people": people_groups(people, roles, coached, pictures),
        "posts": [post for post in posts if web_address(post.url)],
        # Of all teams, also of those that are not on the home page.
        "genders": {team.gender for team in all_teams},
        "has_more_teams": len(all_teams) > FRONT_TEAMS,
        "has_more_people": len(members) > FRONT_PEOPLE,
        "has_more_sponsors": len(all_sponsors) > FRONT_SPONSORS,
    }


def home_games(teams: Sequence[Team]) -> list[HomeGames]:
    """The next groups of home games within GAMES_AHEAD, at most MOST_GAME_GROUPS."""
    today = localdate()
    grouped: dict[tuple[date, str], list[Fixture]] = {}
    for game in fixtures(teams, today, today + GAMES_AHEAD, team_records(teams, ["match"])):
        if game.is_at_home and not game.match.is_played:
            grouped.setdefault((game.day, game.match.place or ""), []).append(game)
    return [
        HomeGames(day, place, sorted(grouped[day, place], key=_time_of))
        for day, place in sorted(grouped)[:MOST_GAME_GROUPS]
    ]


def _time_of(game: Fixture) -> tuple[bool, time]:
    return game.match.clock is None, game.match.clock or time.min


def _fresh(news: Sequence[News]) -> list[News]:
    """Drop news older than FRESH_FOR, but keep the first ALWAYS_SHOWN."""
    since = now() - FRESH_FOR
    return [each for number, each in enumerate(news) if number < ALWAYS_SHOWN or each.published_date >= since]
