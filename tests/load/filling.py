"""What the club has before the day begins, and the plan of the day."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from cms.media.models import MediaFile
from core.accounts import directory
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.media import storage
from quests.models import Quest as StoredQuest
from tests.bench.contestants import SECONDS_SIGNED_IN
from tests.cast import CAST, session_of
from tests.cms import filling as articles
from tests.cms.articles import article
from tests.cms.club import make_location, make_member, make_sponsor, make_team
from tests.cms.public import make_picture
from tests.load.people import Plan, Quest
from tests.load.settings import CONTESTED_EVERY, Club
from tests.quests.board import offered, open_accounts
from tests.scouting import field
from tests.tracker.scorebook import Played
from tracker.games.services import games

ARTICLES = 60
# Whoever offers quests has ten points, and holds five claims at most.
QUESTS_OF_ONE = 5
TEAMS = 60
ROBOTS_OF_A_MATCH = 6
PAGES = ("/", "/news/", "/dates/", "/teams/", "/tables/", "/sponsors/", "/club/", "/club/people/")
# Files whose records are deleted for ever during the day, and logos of sponsors that expire.
FILES = 6


@dataclass
class Filled:
    plan: Plan
    played: Played
    quests: list[StoredQuest]
    files: list[MediaFile]
    # Of sponsors that are made and expire during the day.
    logos: list[MediaFile]
    newcomers: list[dict[str, Any]]


def fill(club: Club) -> Filled:
    for user in CAST.values():
        directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    articles.fill(0, ARTICLES)
    for number in range(5):
        make_team(name=f"Mannschaft {number}", slug=f"mannschaft-{number}", status="published")
        make_member(name=f"Mitglied {number}", email=f"mitglied-{number}@fieldhouse.example")
        make_sponsor(f"Sponsor {number}")
        make_location(f"Halle {number}")
    quests = _quests(club)
    played = Played()
    newcomers = [_newcomer(number) for number in range(club.sign_ins)]
    plan = Plan(
        port=0,
        issuer=0,
        seconds=club.seconds,
        event=field.KEY,
        scouts=_scouts(club),
        viewers=club.viewers,
        live=f"/tracker/live/{games.live_token(games.share(played.owner, played.id, shared=True))}/",
        scorer=_session(played.owner),
        game=f"/tracker/games/{played.id}/",
        batters=[player.id for player in played.players],
        editors={_session(_person("moderator", number)): _articles(number) for number in range(club.editors)},
        readers=club.readers,
        pages=[*PAGES, *(f"/news/spielbericht-{number:08}/" for number in range(4))],
        quests=[quest for quest, _stored in quests],
        sign_ins=[str(each["sub"]) for each in newcomers],
    )
    return Filled(
        plan,
        played,
        quests=[stored for _quest, stored in quests],
        files=[_file(f"datei-{number}.txt") for number in range(FILES)],
        logos=[_file(f"logo-{number}.txt") for number in range(FILES)],
        newcomers=newcomers,
    )


def _person(role: str, number: int) -> User:
    name, sub = f"{role.capitalize()} {number}", f"{role}-{number}"
    user = User.of(sub=sub, name=name, email=f"{sub}@fieldhouse.example", groups=[role])
    directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    return user


def _session(user: User) -> str:
    return str(session_of(user, renew_in=SECONDS_SIGNED_IN).session_key)


def _scouts(club: Club) -> dict[str, list[tuple[int, str]]]:
    """Each scout has robots of their own."""
    needed = club.scouts * club.forms_of_a_scout
    matches = -(-needed // ROBOTS_OF_A_MATCH)
    event = field.event(teams=[str(number) for number in range(1, TEAMS + 1)], matches=matches)
    robots = [(match.number, team) for match in event.matches for team in match.teams]
    return {
        _session(_person("scout", number)): robots[number : needed : club.scouts]
        for number in range(club.scouts)
    }


def _articles(number: int) -> list[str]:
    """One that is a draft, and one that readers see."""
    made = [article(f"Bericht {number} {kind}", published=kind == "neu") for kind in ("alt", "neu")]
    return [each.id for each in made]


def _quests(club: Club) -> list[tuple[Quest, StoredQuest]]:
    count = -(-club.claims // QUESTS_OF_ONE)
    creators = [_person("member", number) for number in range(count)]
    # One more, so that nobody takes on the same quest twice.
    performers = [_person("member", 1000 + number) for number in range(count + 1)]
    open_accounts(*creators, *performers)
    sessions = {each.sub: _session(each) for each in (*creators, *performers)}
    found = []
    for number in range(club.claims):
        creator = creators[number % count]
        stored = offered(creator, title=f"Netz {number} flicken")
        who = [performers[number % len(performers)]]
        if number % CONTESTED_EVERY == 0:
            who.append(performers[(number + 1) % len(performers)])
        taking = {each.sub: sessions[each.sub] for each in who}
        found.append((Quest(key=stored.id, creator=sessions[creator.sub], performers=taking), stored))
    return found


def _newcomer(number: int) -> dict[str, Any]:
    sub = f"newcomer-{number}"
    return {
        "sub": sub,
        "email": f"{sub}@fieldhouse.example",
        "email_verified": True,
        "name": f"Neu {number}",
        "cognito:username": sub,
        "cognito:groups": ["official"],
    }


def _file(name: str) -> MediaFile:
    key = f"documents/{name}"
    storage.write(key, name.encode(), mime_type="text/plain")
    return make_picture(name, s3_key=key, s3_bucket=settings.MEDIA_BUCKET, mime_type="text/plain")
