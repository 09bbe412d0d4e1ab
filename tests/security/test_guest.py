"""No answer to a guest has a name, an address or a date that is not of their own team or of the website."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts import directory
from core.accounts.user import User
from core.dynamo.items import new_id
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from tests.cast import CAST, sign_in
from tests.cms.articles import article
from tests.cms.club import MAKER, make_location, make_member, make_sponsor, make_team
from tests.cms.occasions import booking, event
from tests.cms.public import make_picture
from tests.quests import board
from tests.scouting import field
from tests.tracker import club
from tracker import repository
from tracker.games.models import Game
from tracker.people import services as people
from tracker.teams.services import teams

GUEST = CAST["guest"]
# Every name and address of the club begins like this, so that one search looks for all of them.
MARK = "Quen"
CLUB_DAY, OWN_DAY = date(2031, 3, 17), date(2033, 5, 19)
SCOUTED = "2026quen"
OWN_TEAM, OWN_PLAYER, OWN_OPPONENT = "Gastfalken", "Wiltrud", "Nordlichter"


def written(day: date) -> list[str]:
    """A day in every form in which pages, feeds and files write one."""
    return [
        day.isoformat(),
        day.strftime("%Y%m%d"),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%B %Y}",
    ]


CLUB = re.compile("|".join([rf"{MARK}\w+", *map(re.escape, written(CLUB_DAY))]), re.IGNORECASE)


class Team(NamedTuple):
    team: str
    player: str
    game: str


class Filled(NamedTuple):
    """The keys of what the club has, the team of the guest, and one of others."""

    keys: dict[str, str]
    own: Team
    foreign: Team


def softball(owner: User, name: str, player: str, opponent: str, day: date) -> Team:
    team = club.team_of(owner, name)
    ghost = club.ghost(team, player, 7, actor=owner)
    start = datetime(day.year, day.month, day.day, 16, tzinfo=UTC)
    planned = Game.about(
        new_id(), team_id=team.id, opponent_name=opponent, location=opponent, scheduled_start=start
    )
    game = repository.games.create(planned, actor=owner.actor)
    return Team(team.id, ghost.id, game.id)


def scouted() -> StandForm:
    """A form of the event at which the club is."""
    event_infos.create(EventInfo.about(SCOUTED, name="Quenevent", is_own=True), actor=MAKER)
    field.be_at(SCOUTED)
    form = field.form("4711", 1, key=SCOUTED, comments="Quenkommentar", scout_name="Quenscout")
    return stand_forms.create(form, actor=MAKER)


@pytest.fixture
def filled(db: Any, settings: Settings) -> Filled:
    settings.COGNITO_ENDPOINT = settings.COGNITO_DOMAIN = "http://127.0.0.1:9"
    settings.COGNITO_DOCUMENTS = "http://127.0.0.1:9/pool"
    quen = User.of(sub="quen-sub", name="Quenzel Quendler", email="quenzel@quenmail.example", groups=())
    directory.enter(quen.sub, name=quen.name, email=quen.email, actor=quen.actor)
    people.open_profile(quen)
    board.open_accounts(quen)
    moment = datetime(CLUB_DAY.year, CLUB_DAY.month, CLUB_DAY.day, 12, tzinfo=UTC)
    keys = {
        "/cms/members": make_member("Quentina", email="quentina@quenmail.example", phone="Quen 4711").id,
        # The website knows them as the guest: the same address.
        "/cms/roles": roles.create(Role(name="Quenwart"), actor=MAKER).id,
        "/cms/locations": make_location("Quenhalle", street="Quengasse").id,
        "/cms/sponsors": make_sponsor("Quenbank").id,
        "/cms/teams": make_team("Quenteam").id,
        "/cms/news": article("Quennachricht", published=False).id,
        "/cms/events": event("Quenfest", published=False, start_date=moment).id,
        "/cms/bus": booking(CLUB_DAY, driver="Quenfahrerin", comment="Quenfahrt").id,
        "/quests": board.offered(quen, title="Quenquest", expires_at=moment).id,
        "/quests/people": quen.sub,
        "/people": quen.sub,
        "/cms/media": make_picture("quenbild.jpg").id,
        "/cms/pages": pages.create(Page(title="Quenseite", slug="quenseite"), actor=MAKER).id,
        "/cms/posts": posts.create(
            Post(url="https://posts.example/1", caption="Quenpost", timestamp=moment, type="Image"),
            actor=MAKER,
        ).id,
        "/scouting/events": SCOUTED,
        "/scouting/forms": quote(stand_forms.key_of(scouted()), safe=""),
    }
    make_member("Quendoline", email=GUEST.email)
    people.open_profile(GUEST)
    owner = club.person("Olivia")
    own = softball(owner, OWN_TEAM, OWN_PLAYER, OWN_OPPONENT, OWN_DAY)
    club.join(GUEST, repository.teams.of(own.team), "scorekeeper", actor=owner)
    # What the club knows of somebody in the own team is not the team's.
    make_member("Quenolivia", email=owner.email, phone="Quen 4712")
    return Filled(keys, own, softball(quen, "Quensocken", "Quentin", "Quengegner", CLUB_DAY))


def patterns(resolver: Any = None, prefix: str = "/") -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern, address)
        elif isinstance(pattern, URLPattern):
            yield address


def addresses(filled: Filled) -> Iterator[str]:
    """Every route with keys that lead somewhere: to what the club has, and to both teams."""
    for pattern in patterns():
        prefix = pattern.partition("<")[0].rstrip("/")
        for team in (filled.own, filled.foreign):
            known = {
                **team._asdict(),
                "person": "quen-sub" if team is filled.foreign else GUEST.sub,
                "key": filled.keys.get(prefix, "no-such-record"),
                "sub": filled.keys["/people"],
                "kind": "stand",
                "number": "4711",
                "slug": "quenseite",
            }
            yield re.sub(r"<(?:\w+:)?(\w+)>", lambda found, known=known: known.get(found[1], "none"), pattern)
    yield from (f"/search?q={MARK}", f"/search?q={OWN_PLAYER[:4]}", "/desk/later", "/desk/activity")
    recent = [f"{kind}:{filled.keys[f'/cms/{kind}s']}" for kind in ("member", "role", "location", "event")]
    yield f"/search?recent={','.join(recent)},quest:{filled.keys['/quests']}"


def text_of(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers)
    content = b"".join(response.streaming_content) if response.streaming else response.content
    assert response.status_code != 500, address
    return content.decode(errors="replace")


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("query", "headers"),
    [("", {}), ("", {"HX-Request": "true"}), ("as=csv", {})],
    ids=["page", "part", "file"],
)
def test_no_answer_tells_a_guest_of_the_club_and_those_of_the_own_team_do(
    filled: Filled, query: str, headers: dict[str, str]
) -> None:
    guest, stranger, member = sign_in(Client(), "guest"), Client(), sign_in(Client(), "member")
    asked = [
        f"{address}{'&' if '?' in address else '?'}{query}" if query else address
        for address in dict.fromkeys(addresses(filled))
    ]
    texts = {address: text_of(guest, address, **headers) for address in asked}
    told = {address: set(CLUB.findall(text)) for address, text in texts.items() if CLUB.search(text)}
    # What the website shows to everybody is no secret, and neither is what was asked for.
    told = {a: t - set(CLUB.findall(text_of(stranger, a, **headers))) - {MARK} for a, t in told.items()}

    assert {address: found for address, found in told.items() if found} == {}
    everything = " ".join(texts.values())
    assert [name for name in (OWN_TEAM, OWN_PLAYER, OWN_OPPONENT) if name not in everything] == []
    assert any(form in everything for form in written(OWN_DAY))
    # A member finds it: the names are where a guest was looking for them.
    seen = " ".join(text_of(member, address) for address in ("/cms/calendar/", "/cms/bus/", "/quests/"))
    assert {"Quenfahrerin", "Quenquest"} <= set(CLUB.findall(seen))
    moderator, lead = sign_in(Client(), "moderator"), sign_in(Client(), "scout-lead")
    seen = " ".join(text_of(moderator, f"/cms/{kind}/") for kind in ("media", "pages", "posts", "members"))
    seen += text_of(lead, f"/scouting/forms/stand/{filled.keys['/scouting/forms']}/")
    seen += text_of(lead, "/scouting/events/")
    wanted = {"quenbild", "Quenseite", "Quenpost", "Quenolivia", "Quenkommentar", "Quenscout", "Quenevent"}
    assert wanted <= set(CLUB.findall(seen))


@pytest.mark.usefixtures("db")
def test_home_and_the_menu_of_a_guest_are_about_their_team_only(filled: Filled) -> None:
    client = sign_in(Client(), "guest")
    page = client.get("/desk/").content.decode()
    menu = re.findall(r'<a href="(/[^"]*)"', page.partition("<main")[0])

    assert [entry for entry in menu if entry.startswith(("/cms", "/quests", "/scouting", "/people"))] == []
    assert "Recent activity" not in page
    for address in ("/desk/", "/desk/later", "/desk/activity"):
        main = client.get(address).content.decode().partition("<main")[2].partition("</main>")[0]
        links = re.findall(r'<a [^>]*href="(/[^"]*)"', main)
        assert [each for each in links if not each.startswith(("/tracker/", "/desk/"))] == []


@pytest.mark.usefixtures("db")
def test_a_guest_makes_no_team_and_is_not_offered_one(filled: Filled) -> None:
    guest = sign_in(Client(), "guest")

    assert guest.get("/tracker/teams/new/").status_code == 403
    assert guest.post("/tracker/teams/new/", {"name": "Meine", "team_type": "MANAGED"}).status_code == 403
    with pytest.raises(PermissionDenied):
        teams.create(GUEST, repository.profiles.of(GUEST.sub), {"name": "Meine"})
    assert "/tracker/teams/new/" not in guest.get("/tracker/").content.decode()
    assert "/tracker/teams/new/" in sign_in(Client(), "member").get("/tracker/").content.decode()


@pytest.mark.usefixtures("db")
def test_a_new_guest_is_not_offered_a_team_either() -> None:
    people.open_profile(GUEST)

    assert "/tracker/teams/new/" not in sign_in(Client(), "guest").get("/tracker/").content.decode()
