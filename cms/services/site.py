"""What the pages of the club's website show: cards of teams, people and sponsors, and the first page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils.timezone import localdate

from cms import repository
from cms.models import Event, MediaFile, Member, News, Page, Post, Role, Sponsor, Team
from cms.models.page import FRONT
from cms.sams.parsing import Match
from cms.services.calendar import WEEKDAYS, published_teams
from cms.services.member import GROUPS, all_roles, coached_by, group_of
from cms.services.pictures import (
    MOST_AT_ONCE,
    cover_id,
    in_text,
    keys_in_text,
    pictures,
    pictures_among,
    places_of,
)
from cms.services.sams_results import matches_of
from cms.services.team import DAYS, GENDERS
from crud.richtext import Picture
from dynamo.attributes import now
from dynamo.errors import Text
from dynamo.paging import MOST
from dynamo.registry import records_at

# More than a club names; one request.
MOST_MEMBERS = 300
FRONT_NEWS, FRONT_EVENTS, FRONT_POSTS = 4, 4, 4
# Of the news on the first page, the first two are shown however old they are.
ALWAYS_SHOWN = 2
FRESH_FOR = timedelta(days=91)
GAMES_AHEAD = timedelta(days=14)
MOST_GAME_GROUPS = 4
Pictures = Mapping[str, MediaFile]


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
    """Somebody in a list. How to reach them is not told there: only a team's contacts are for that."""

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
    """The days on which it trains, in the order of the week."""
    named = {day for row in team.schedules or () for day in row.get("day") or ()}
    titles = dict(DAYS)
    return [titles[day] for day in sorted(named & titles.keys(), key=lambda day: WEEKDAYS[day])]


def people_groups(
    members: Iterable[Member], roles: dict[str, Role], teams: Sequence[Team], avatars: Pictures
) -> list[PeopleGroup]:
    """The board, those who train a team that readers see, and the others; by name."""
    coached = coached_by(teams)
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
    """The moment from which a page that shows them all is no longer true."""
    moments = (card.sponsor.expiry_timestamp for card in cards)
    return min((moment for moment in moments if moment), default=None)


def web_address(text: str | None) -> str:
    """What a reader may click. Our forms accept nothing else; another program may have written anything."""
    return text if text and text.startswith(("https://", "http://")) else ""


# --- Whole pages --------------------------------------------------------------------------------------------


def all_team_cards() -> list[TeamCard]:
    teams, members = published_teams(), all_members()
    return team_cards(teams, members, pictures(map(cover_id, teams)))


def all_people() -> list[PeopleGroup]:
    members = all_members()
    avatars = pictures(member.avatar_id for member in members)
    return people_groups(members, all_roles(), published_teams(), avatars)


def all_sponsors() -> list[SponsorCard]:
    sponsors = repository.sponsors.public(limit=MOST).items
    return sponsor_cards(sponsors, pictures(sponsor.logo_id for sponsor in sponsors))


def all_members() -> Sequence[Member]:
    return repository.members.by_name(limit=MOST_MEMBERS).items


@dataclass(frozen=True)
class HomeGames:
    """What our teams play at home on one day in one place."""

    day: date
    place: str
    matches: Sequence[Match]


@dataclass(frozen=True)
class FrontPage:
    intro: Page | None
    in_intro: Mapping[str, Picture]
    news: Sequence[NewsCard]
    games: Sequence[HomeGames]
    events: Sequence[Event]
    teams: Sequence[TeamCard]
    sponsors: Sequence[SponsorCard]
    people: Sequence[PeopleGroup]
    posts: Sequence[Post]


def front_page() -> FrontPage:
    """A request for each kind of content, and one for all pictures together."""
    intro = repository.pages.at_slug(FRONT)
    news = _fresh(repository.news.public(limit=FRONT_NEWS, newest_first=True).items)
    events = repository.events.upcoming(limit=FRONT_EVENTS).items
    teams, members = published_teams(), all_members()
    sponsors = repository.sponsors.public(limit=MOST).items
    posts = repository.posts.by_timestamp(limit=FRONT_POSTS, newest_first=True).items
    places = places_of(
        [
            *map(cover_id, news),
            *(sponsor.logo_id for sponsor in sponsors),
            *map(cover_id, teams),
            *(member.avatar_id for member in members),
        ]
    )
    if intro:
        places = list(dict.fromkeys([("page", intro.id), *places_of(keys_in_text(intro)), *places]))
    records = records_at(places[:MOST_AT_ONCE])
    found = {media.id: media for media in pictures_among((key for _entity, key in places), records)}
    page = records.get(("page", intro.id)) if intro else None
    return FrontPage(
        # An index may lag: what counts is the record.
        intro=page if isinstance(page, Page) and page.is_public() else None,
        in_intro=in_text(page, records) if isinstance(page, Page) else {},
        news=news_cards(news, found),
        games=home_games(teams),
        events=events,
        teams=team_cards(teams, members, found),
        sponsors=sponsor_cards(sponsors, found),
        people=people_groups(members, all_roles(), teams, found),
        posts=[post for post in posts if web_address(post.url)],
    )


def home_games(teams: Iterable[Team]) -> list[HomeGames]:
    """The next days with games at home."""
    today = localdate()
    grouped: dict[tuple[date, str], dict[str, Match]] = {}
    for each in matches_of(teams, today, today + GAMES_AHEAD):
        match = each.match
        if each.is_at_home and match.day and not match.is_played:
            # Two teams of ours that meet play one match.
            grouped.setdefault((match.day, match.place or ""), {})[match.uuid] = match
    groups = [HomeGames(day, place, _by_time(matches.values())) for (day, place), matches in grouped.items()]
    return sorted(groups, key=lambda group: (group.day, group.place))[:MOST_GAME_GROUPS]


def _by_time(matches: Iterable[Match]) -> list[Match]:
    return sorted(matches, key=lambda match: (match.clock is None, match.clock or time.min))


def _fresh(news: Sequence[News]) -> list[News]:
    """Old news fill no page: of the last ones only those of a quarter of a year."""
    since = now() - FRESH_FOR
    return [each for number, each in enumerate(news) if number < ALWAYS_SHOWN or each.published_date >= since]
