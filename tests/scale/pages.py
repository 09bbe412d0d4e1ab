"""What each main page asks for, warm and once, when the club has everything that lists show."""

from collections.abc import Iterator
from typing import NamedTuple

from django.test import Client
from django.urls import reverse

from cms.news.resource import news
from core.club import queries as club
from scouting.events.directory import team_directory
from scouting.settings import services as season
from tests.cms import filling, occasions
from tests.cms.club import make_location, make_member, make_sponsor, make_team
from tests.cms.public import make_picture
from tests.scale.crew import PICTURE, ROLE, Crew
from tests.scale.partition_meter import PartitionMeter, metered_partitions
from tests.scouting.field import KEY
from tests.tracker.club import browser_of

API = "/api/v1"
# More than a list shows at once.
MEMBERS, CLUB_TEAMS, PICTURES, PLACES, SPONSORS, EVENTS = 30, 21, 24, 21, 21, 21


class PageCost(NamedTuple):
    """As the document tells it."""

    page: str
    role: str
    requests: str
    read_units: str


class Screen(NamedTuple):
    name: str
    role: str
    address: str


def measured(crew: Crew) -> list[PageCost]:
    _fill()
    found = []
    for screen in _screens(crew):
        client = _client(crew, screen.role)
        # What a process asks for every half minute falls into the first time.
        season.forget()
        team_directory.forget()
        client.get(screen.address)
        club.remember(club.current())
        meter = _asked_for(client, screen)
        found.append(PageCost(screen.name, screen.role, f"{meter.requests}", f"{meter.told_reads:g}"))
    return found


def _asked_for(client: Client, screen: Screen) -> PartitionMeter:
    with metered_partitions() as meter:
        answer = client.get(screen.address)
    assert answer.status_code == 200, f"{screen.name} answers {answer.status_code}."
    return meter


def _fill() -> None:
    for number in range(MEMBERS):
        make_member(f"Mitglied {number:02}", email=f"m{number:02}@a.example", role_ids=[ROLE])
    for number in range(CLUB_TEAMS):
        make_team(f"Mannschaft {number:02}", status="published", image_ids=[PICTURE])
    for number in range(PICTURES):
        make_picture(f"bild-{number:02}.jpg")
    for number in range(PLACES):
        make_location(f"Halle {number:02}")
    for number in range(SPONSORS):
        make_sponsor(f"Firma {number:02}")
    for number in range(EVENTS):
        occasions.event(f"Turnier {number:02}", start_date=occasions.SUMMER)


def _client(crew: Crew, role: str) -> Client:
    """Nobody is a reader of the website; the owner is of a softball team."""
    if role == "nobody":
        return Client()
    return browser_of(crew.played.owner) if role == "owner" else crew.browser(role)


def _screens(crew: Crew) -> Iterator[Screen]:
    """Every main screen, under the names that `make bench` has for them."""
    yield Screen("Home", "admin", reverse("home"))
    yield Screen(
        "Home, right after it", "admin", _client(crew, "admin").get(reverse("home")).context["later"]
    )
    yield Screen("Home, recent activity", "admin", reverse("activity"))
    yield Screen("news list", "admin", news.list_address)
    yield Screen("search", "admin", f"{news.list_address}?q=spielb")
    yield Screen("edit form", "admin", news.record_address(filling.key_of(0)))
    yield Screen("new form", "admin", news.new_address)
    yield Screen("history", "admin", news.address("history", filling.key_of(1)))
    yield Screen("search everywhere", "admin", f"{reverse('search')}?q=spielb")
    yield Screen("calendar", "admin", f"{reverse('cms:calendar')}?month={occasions.SUMMER:%Y-%m}")
    for name, place in {"events": "event", "members": "member", "teams": "team", "media": "media"}.items():
        yield Screen(name, "admin", reverse(f"cms:{place}-list"))
    yield Screen("quest board", "member", reverse("quests:quest-list"))
    yield Screen("one quest", "member", reverse("quests:quest-record", args=[crew.quest.id]))
    yield Screen("own quests", "member", reverse("quests:mine"))
    yield Screen("leaders", "member", reverse("quests:leaders"))
    yield Screen("quest desk", "steward", reverse("quests:desk"))
    yield Screen("stand form", "scout", reverse("scouting:stand"))
    yield Screen("pit", "scout", reverse("scouting:pit"))
    yield Screen("own forms", "scout", reverse("scouting:mine"))
    yield Screen("coverage", "scout", reverse("scouting:coverage"))
    yield Screen("analysis", "scout-lead", reverse("scouting:analysis"))
    yield Screen("team of an event", "scout-lead", reverse("scouting:team", args=["1"]))
    yield Screen("compare", "scout-lead", f"{reverse('scouting:compare')}?team=1&team=2&team=3&team=4")
    yield Screen("selection", "scout-lead", reverse("scouting:selection"))
    team, game = crew.played.team.id, crew.played.id
    yield Screen("tracker home", "owner", reverse("tracker:home"))
    yield Screen("team", "owner", reverse("tracker:team", args=[team]))
    yield Screen("team statistics", "owner", reverse("tracker:statistics", args=[team]))
    yield Screen("games", "owner", reverse("tracker:games", args=[team]))
    yield Screen("scoring page", "owner", reverse("tracker:score", args=[game]))
    yield Screen("box score", "owner", reverse("tracker:box", args=[game]))
    yield Screen("live page", "nobody", crew.live_address)
    yield Screen("public article", "nobody", "/news/spielbericht-00000007/")
    yield Screen("public first page", "nobody", "/")
    yield Screen("access tokens", "member", reverse("accounts:tokens"))
    yield Screen("webhooks", "admin", reverse("webhooks:list"))
    yield Screen("a webhook with its log", "admin", reverse("webhooks:webhook", args=[crew.webhook.id]))
    yield Screen("API: forms of an event", "scout-lead", f"{API}/scouting/stand-forms?event={KEY}&limit=100")
    yield Screen("API: quest board", "member", f"{API}/quests?limit=20")
    yield Screen("API: games of a team", "owner", f"{API}/tracker/teams/{team}/games?limit=20")
    yield Screen("API: news list", "admin", f"{API}/cms/news?limit=20")
    yield Screen("API: news of the website", "nobody", f"{API}/website/news?limit=20")
