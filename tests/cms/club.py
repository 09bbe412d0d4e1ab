"""Members, places and teams as tests need them, and people of the cast who are members."""

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.test import Client

from cms.locations.models import Location
from cms.locations.repository import locations
from cms.members.models import Member
from cms.members.repository import members
from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.roles.models import Role
from cms.roles.repository import roles
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from cms.teams.models import Team
from cms.teams.repository import teams
from cms.teams.rules import team_slug
from core.accounts.user import User
from core.content.slugs import slugify
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from tests.cast import CAST, session_of

MAKER = Actor(sub="maker-sub", name="Maren Maker")


def make_member(name: str = "Maya Rosenthal", **fields: Any) -> Member:
    return members.create(Member(name=name, **fields), actor=MAKER)


def make_location(name: str = "Mühlenhalle", **fields: Any) -> Location:
    return locations.create(Location(name=name, **fields), actor=MAKER)


def make_team(name: str = "Herren 1", **fields: Any) -> Team:
    return teams.create(Team(name=name, **{"slug": team_slug(name), "gender": "men", **fields}), actor=MAKER)


def make_sponsor(name: str = "Bäckerei Kornblum", **fields: Any) -> Sponsor:
    return sponsors.create(Sponsor(name=name, **fields), actor=MAKER)


def make_role(name: str = "Trainer", **fields: Any) -> Role:
    return roles.create(Role(name=name, **fields), actor=MAKER)


def make_post(caption: str = "Won!", **fields: Any) -> Post:
    known = {"url": f"https://social.example/{caption}", "timestamp": now(), "type": "Image"}
    return posts.create(Post(caption=caption, **known | fields), actor=MAKER)


def make_page(title: str = "Imprint", **fields: Any) -> Page:
    return pages.create(Page(title=title, **{"slug": slugify(title), **fields}), actor=MAKER)


def training(location: Location, *days: str, start: str = "18:00", end: str = "20:00") -> dict[str, Any]:
    return {"day": list(days), "startTime": start, "endTime": end, "locationId": location.id}


def as_member(role: str, *own: Member) -> User:
    """One of the cast who is these members of the club: what signing in has found out."""
    return replace(CAST[role], member_ids=frozenset(member.id for member in own))


def signed_in(user: User) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(user).session_key)
    return client
