"""Example content of a fictitious club, for a new site."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils.timezone import localdate

from cms.bus.models import Booking
from cms.bus.repository import bookings
from cms.demo import pictures, sams
from cms.demo.documents import document
from cms.events.models import Event
from cms.events.repository import events
from cms.locations.models import Location
from cms.locations.repository import locations
from cms.members.models import Member
from cms.members.repository import members as members_repository
from cms.news.models import News
from cms.news.repository import news
from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.roles.models import Role
from cms.roles.repository import roles as roles_repository
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from cms.teams.models import Team
from cms.teams.repository import teams as teams_repository
from cms.teams.rules import team_slug
from core.accounts.cast import CAST
from core.accounts.repository import people
from core.content.richtext import excerpt
from core.content.slugs import slugify
from core.content.status import PUBLISHED
from core.dynamo.attributes import now
from core.dynamo.example_data import create, fixed_id, moment, read


def load() -> None:
    """Load the example content. Idempotent, because names and slugs are unique."""
    for stored_in, items in (
        (roles_repository, _roles),
        (news, _news),
        (locations, _locations),
        (members_repository, _members),
        (teams_repository, _teams),
        (sponsors, _sponsors),
        (posts, _posts),
        (pages, _pages),
        (events, _events),
        (bookings, _bookings),
    ):
        for item in items():
            create(stored_in, item)
    sams.load()
    pictures.load()


def _authors() -> dict[str, list[str]]:
    """The subs of the demo accounts that are in the directory, by given name."""
    by_email = {person.email: person.sub for person in people.by_name(limit=100).items}
    return {person.given_name: [by_email[person.email]] for person in CAST if person.email in by_email}


def _roles() -> Iterator[Role]:
    return (Role(**entry) for entry in read(__file__, "roles"))


def _news() -> Iterator[News]:
    authors, loaded_at = _authors(), now()
    for entry in read(__file__, "news"):
        content = document("\n".join(entry["text"]))
        chosen = loaded_at.replace(minute=0, second=0, microsecond=0) + timedelta(days=entry["days"])
        yield News(
            title=entry["title"],
            slug=slugify(entry["title"]),
            content=content,
            excerpt=excerpt(content),
            status=entry["status"],
            publish_at=chosen if entry["status"] == PUBLISHED or entry["days"] < 0 else None,
            created_at=min(chosen, loaded_at) - timedelta(days=2),
            author_ids=authors.get(entry["author"], []),
            tags=entry["tags"],
        )


def _locations() -> Iterator[Location]:
    known = {location.name for location in locations.by_name(limit=100).items}
    return (Location(**entry) for entry in read(__file__, "locations") if entry["name"] not in known)


def _members() -> Iterator[Member]:
    """Some have the e-mail of a demo account: Maya may change the team that she coaches."""
    roles = {role.name: role.id for role in roles_repository.by_name(limit=100).items}
    for entry in read(__file__, "members"):
        named = entry.pop("roles")
        yield Member(role_ids=[roles[name] for name in named if name in roles], **entry)


def _teams() -> Iterator[Team]:
    members = {member.name: member.id for member in members_repository.by_name(limit=100).items}
    places = {location.name: location.id for location in locations.by_name(limit=100).items}
    for entry in read(__file__, "teams"):
        trainings = entry.pop("trainings", [])
        yield Team(
            slug=team_slug(entry["name"]),
            sbvv_team_id=sams.team_uuid(entry["name"]),
            coach_ids=[members[name] for name in entry.pop("coaches", [])],
            contact_person_ids=[members[name] for name in entry.pop("contacts", [])],
            schedules=[each | {"locationId": places[each.pop("location")]} for each in trainings],
            **entry,
        )


def _sponsors() -> Iterator[Sponsor]:
    for entry in read(__file__, "sponsors"):
        days = entry.pop("expires_in_days", None)
        yield Sponsor(expiry_timestamp=None if days is None else moment(days, "00:00"), **entry)


def _posts() -> Iterator[Post]:
    teams = {team.slug: team.id for team in teams_repository.by_name(limit=100).items}
    for entry in read(__file__, "posts"):
        posted_at = now().replace(minute=30, second=0, microsecond=0) - timedelta(days=entry.pop("days_ago"))
        yield Post(timestamp=posted_at, team_id=teams.get(entry.pop("team", "")), **entry)


def _pages() -> Iterator[Page]:
    for entry in read(__file__, "pages"):
        yield Page(content=document("\n".join(entry.pop("text"))), **entry)


def _events() -> Iterator[Event]:
    authors = _authors()
    teams = {team.name: team.id for team in teams_repository.by_name(limit=100).items}
    for entry in read(__file__, "events"):
        begins, hours, text = (entry.pop(name, None) for name in ("start", "hours", "text"))
        start = moment(begins["days"], begins["time"]) if begins else None
        yield Event(
            slug=slugify(entry["title"]),
            start_date=start,
            end_date=start + timedelta(hours=hours) if start and hours else None,
            team_ids=[teams[name] for name in entry.pop("teams", []) if name in teams],
            author_ids=authors.get(entry.pop("author"), []),
            description=document("\n".join(text)) if text else None,
            **entry,
        )


def _bookings() -> Iterator[Booking]:
    bookers, today = _authors(), localdate()
    for entry in read(__file__, "bookings"):
        driver, comment = entry["driver"], entry.get("comment")
        yield Booking(
            # A fixed id: the days depend on when it is loaded, so they cannot prevent duplicates.
            id=fixed_id("booking", driver, comment),
            driver=driver,
            comment=comment,
            from_day=today + timedelta(days=entry["first_day"]),
            to_day=today + timedelta(days=entry["last_day"]),
            booker_id=next(iter(bookers.get(entry["booker"], [])), None),
        )
