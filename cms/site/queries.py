"""Data of the public pages: cards of teams, people and sponsors, and the home page."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TypeVar

from django.core.paginator import InvalidPage, Paginator
from django.core.paginator import Page as Leaf
from django.utils.timezone import localdate

from cms.calendar.queries import WEEKDAYS, Fixture, fixtures, published_teams, team_records
from cms.events.models import Event
from cms.events.repository import events as events_repository
from cms.media.models import MediaFile
from cms.media.queries import (
    cover_id,
    media_refs,
    pictures_by_id,
    select_pictures,
    text_picture_ids,
    text_pictures,
)
from cms.members.models import Member
from cms.members.queries import all_roles, coached_by
from cms.members.repository import members as members_repository
from cms.members.rules import GROUPS, group_of
from cms.news.models import News
from cms.news.repository import news as news_repository
from cms.pages.models import FRONT, Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts as posts_repository
from cms.roles.models import Role
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors as sponsors_repository
from cms.teams.models import Team
from cms.teams.rules import DAYS, GENDERS
from core.content.richtext import Picture
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


@dataclass(frozen=True)
class NewsCard:
    news: News
    picture: MediaFile | None


@dataclass(frozen=True)
class TeamCard:
    team: Team
    picture: MediaFile | None
    gender: Text
    days: Sequence[Text]
    coaches: Sequence[str]


@dataclass(frozen=True)
class PersonCard:
    """A member in a list. Without contact data: only the page of a team shows that of its contacts."""

    name: str
    roles: Sequence[str]
    coached: Sequence[str]
    picture: MediaFile | None

    @property
    def initials(self) -> str:
        words = self.name.split()
        return "".join(word[0] for word in [*words[:1], *words[1:][-1:]]).upper()


@dataclass(frozen=True)
class SponsorCard:
    sponsor: Sponsor
    website: str
    picture: MediaFile | None


@dataclass(frozen=True)
class PeopleGroup:
    name: str
    title: Text
    people: Sequence[PersonCard]


def news_cards(news: Iterable[News], covers: Pictures) -> list[NewsCard]:
    return [NewsCard(each, covers.get(cover_id(each) or "")) for each in news]


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


def first_expiry(cards: Iterable[SponsorCard]) -> datetime | None:
    """The earliest expiry of these sponsors, at which a page with them must not be cached any more."""
    moments = (card.sponsor.expiry_timestamp for card in cards)
    return min((moment for moment in moments if moment), default=None)


def web_address(text: str | None) -> str:
    """The address if it is http(s), otherwise empty. Other programs may have stored unsafe ones."""
    return text if text and text.startswith(("https://", "http://")) else ""


# --- Whole pages --------------------------------------------------------------------------------------------


def load_team_cards(teams: Sequence[Team]) -> list[TeamCard]:
    return team_cards(teams, all_members(), pictures_by_id(map(cover_id, teams)))


def paginate(found: Sequence[T], number: str) -> Leaf[T]:
    """One page of a list, by default the first; raises NotFound if there is no such page."""
    try:
        return Paginator(found, PER_PAGE).page(number or 1)
    except InvalidPage as error:
        raise NotFound from error


def people_page(number: str) -> tuple[list[PeopleGroup], Leaf[Member]]:
    """One page of the list of members, in groups."""
    roles, coached = all_roles(), coached_by(published_teams())
    leaf = paginate(sorted_by_group(all_members(), roles, coached), number)
    avatars = pictures_by_id(member.avatar_id for member in leaf)
    return people_groups(leaf, roles, coached, avatars), leaf


@dataclass(frozen=True)
class PublicProfile:
    """Where the public website shows a member: the group, and the teams that name them."""

    group: Text
    coached: Sequence[str]
    # Teams whose pages show the e-mail address. No other page does, and none shows the phone number.
    contact_of: Sequence[Team]


def public_profile(member: Member) -> PublicProfile:
    """The public profile of a member; reads all roles and all published teams by two queries."""
    teams = published_teams()
    coached = coached_by(teams)
    return PublicProfile(
        dict(GROUPS)[group_of(member, all_roles(), coached)],
        coached.get(member.id, []),
        [team for team in teams if member.email and member.id in (team.contact_person_ids or ())],
    )


def sponsors_page(number: str) -> tuple[list[SponsorCard], Leaf[Sponsor]]:
    leaf = paginate(sponsors_repository.public(), number)
    return sponsor_cards(leaf, pictures_by_id(sponsor.logo_id for sponsor in leaf)), leaf


def all_members() -> Sequence[Member]:
    return every(members_repository.by_name)


@dataclass(frozen=True)
class HomeGames:
    """Home games of the club's teams on one day at one place."""

    day: date
    place: str
    games: Sequence[Fixture]


@dataclass(frozen=True)
class FrontPage:
    """Content of the home page: the first records of each kind; `genders` are those of all teams."""

    intro: Page | None
    in_intro: Mapping[str, Picture]
    news: Sequence[NewsCard]
    games: Sequence[HomeGames]
    events: Sequence[Event]
    teams: Sequence[TeamCard]
    sponsors: Sequence[SponsorCard]
    people: Sequence[PeopleGroup]
    posts: Sequence[Post]
    genders: Set[str]
    has_more_teams: bool
    has_more_people: bool
    has_more_sponsors: bool


def front_page() -> FrontPage:
    """Load the home page: a query for each kind of content, and one batch read for all pictures."""
    intro = pages.at_slug(FRONT)
    news = _fresh(news_repository.public(limit=FRONT_NEWS, newest_first=True).items)
    events = events_repository.upcoming(limit=FRONT_EVENTS).items
    all_teams, members, all_sponsors = published_teams(), all_members(), sponsors_repository.public()
    roles, coached = all_roles(), coached_by(all_teams)
    teams, sponsors = all_teams[:FRONT_TEAMS], all_sponsors[:FRONT_SPONSORS]
    people = sorted_by_group(members, roles, coached)[:FRONT_PEOPLE]
    posts = posts_repository.by_timestamp(limit=FRONT_POSTS, newest_first=True).items
    places = media_refs(
        [
            *map(cover_id, news),
            *(sponsor.logo_id for sponsor in sponsors),
            *map(cover_id, teams),
            *(member.avatar_id for member in people),
        ]
    )
    if intro:
        places = list(dict.fromkeys([("page", intro.id), *media_refs(text_picture_ids(intro)), *places]))
    records = records_at(places)
    found = {media.id: media for media in select_pictures((key for _entity, key in places), records)}
    page = records.get(("page", intro.id)) if intro else None
    return FrontPage(
        # A GSI is eventually consistent, so check the record.
        intro=page if isinstance(page, Page) and page.is_public() else None,
        in_intro=text_pictures(page, records) if isinstance(page, Page) else {},
        news=news_cards(news, found),
        games=home_games(all_teams),
        events=events,
        teams=team_cards(teams, members, found),
        sponsors=sponsor_cards(sponsors, found),
        people=people_groups(people, roles, coached, found),
        posts=[post for post in posts if web_address(post.url)],
        genders={team.gender for team in all_teams},
        has_more_teams=len(all_teams) > FRONT_TEAMS,
        has_more_people=len(members) > FRONT_PEOPLE,
        has_more_sponsors=len(all_sponsors) > FRONT_SPONSORS,
    )


def home_games(teams: Sequence[Team]) -> list[HomeGames]:
    """The next groups of home games within GAMES_AHEAD, at most MOST_GAME_GROUPS."""
    today = localdate()
    grouped: dict[tuple[date, str], list[Fixture]] = {}
    for game in fixtures(teams, today, today + GAMES_AHEAD, team_records(teams, ["match"])):
        if game.is_at_home and not game.match.is_played:
            grouped.setdefault((game.day, game.match.place or ""), []).append(game)
    groups = [HomeGames(day, place, _by_time(games)) for (day, place), games in grouped.items()]
    return sorted(groups, key=lambda group: (group.day, group.place))[:MOST_GAME_GROUPS]


def _by_time(games: Iterable[Fixture]) -> list[Fixture]:
    return sorted(games, key=lambda game: (game.match.clock is None, game.match.clock or time.min))


def _fresh(news: Sequence[News]) -> list[News]:
    """Drop news older than FRESH_FOR, but keep the first ALWAYS_SHOWN."""
    since = now() - FRESH_FOR
    return [each for number, each in enumerate(news) if number < ALWAYS_SHOWN or each.published_date >= since]
