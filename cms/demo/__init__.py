"""Example content of a fictitious club, for a new site."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils.timezone import localdate

from cms.base.repository import NamedRepository
from cms.bus.repository import bookings
from cms.demo import pictures, sams
from cms.demo.documents import document
from cms.events.repository import events
from cms.locations.repository import locations
from cms.members.repository import members as members_repository
from cms.news.repository import news
from cms.pages.repository import pages
from cms.posts.repository import posts
from cms.roles.repository import roles as roles_repository
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams as teams_repository
from cms.teams.rules import team_slug
from core.accounts.cast import CAST
from core.accounts.repository import people
from core.content.richtext import excerpt
from core.content.slugs import slugify
from core.content.status import PUBLISHED
from core.dynamo.attributes import now
from core.dynamo.example_data import create, fixed_id, moment, read

Fields = dict[str, Any]


def load() -> None:
    """Load the example content. Idempotent, because names and slugs are unique."""
    for repository, records in (
        (roles_repository, partial(read, __file__, "roles")),
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
        for fields in records():
            create(repository, repository.model(**fields))
    sams.load()
    pictures.load()


def _authors() -> dict[str, list[str]]:
    """The subs of the demo accounts that are in the directory, by given name."""
    by_email = {person.email: person.sub for person in people.by_name(limit=100).items}
    return {person.given_name: [by_email[person.email]] for person in CAST if person.email in by_email}


def _news() -> Iterator[Fields]:
    authors, loaded_at = _authors(), now()
    for entry in read(__file__, "news"):
        content = document("\n".join(entry["text"]))
        chosen = loaded_at.replace(minute=0, second=0, microsecond=0) + timedelta(days=entry["days"])
        yield {
            "title": entry["title"],
            "slug": slugify(entry["title"]),
            "content": content,
            "excerpt": excerpt(content),
            "status": entry["status"],
            "publish_at": chosen if entry["status"] == PUBLISHED or entry["days"] < 0 else None,
            "created_at": min(chosen, loaded_at) - timedelta(days=2),
            "author_ids": authors.get(entry["author"], []),
            "tags": entry["tags"],
        }


def _locations() -> Iterator[Fields]:
    names = _ids(locations)
    return (entry for entry in read(__file__, "locations") if entry["name"] not in names)


def _members() -> Iterator[Fields]:
    """Some have the e-mail of a demo account: Maya may change the team that she coaches."""
    roles = _ids(roles_repository)
    for entry in read(__file__, "members"):
        yield {"role_ids": [roles[name] for name in entry.pop("roles") if name in roles], **entry}


def _teams() -> Iterator[Fields]:
    members, places = _ids(members_repository), _ids(locations)
    for entry in read(__file__, "teams"):
        trainings = entry.pop("trainings", [])
        yield {
            "slug": team_slug(entry["name"]),
            "sbvv_team_id": sams.team_uuid(entry["name"]),
            "coach_ids": [members[name] for name in entry.pop("coaches", [])],
            "contact_person_ids": [members[name] for name in entry.pop("contacts", [])],
            "schedules": [each | {"locationId": places[each.pop("location")]} for each in trainings],
            **entry,
        }


def _sponsors() -> Iterator[Fields]:
    for entry in read(__file__, "sponsors"):
        days = entry.pop("expires_in_days", None)
        yield {"expiry_timestamp": None if days is None else moment(days, "00:00"), **entry}


def _posts() -> Iterator[Fields]:
    teams = {team.slug: team.id for team in teams_repository.by_name(limit=100).items}
    for entry in read(__file__, "posts"):
        posted_at = now().replace(minute=30, second=0, microsecond=0) - timedelta(days=entry.pop("days_ago"))
        yield {"timestamp": posted_at, "team_id": teams.get(entry.pop("team", "")), **entry}


def _pages() -> Iterator[Fields]:
    for entry in read(__file__, "pages"):
        yield {"content": document("\n".join(entry.pop("text"))), **entry}


def _events() -> Iterator[Fields]:
    authors, teams = _authors(), _ids(teams_repository)
    for entry in read(__file__, "events"):
        begins, hours, text = (entry.pop(name, None) for name in ("start", "hours", "text"))
        start = moment(begins["days"], begins["time"]) if begins else None
        yield {
            "slug": slugify(entry["title"]),
            "start_date": start,
            "end_date": start + timedelta(hours=hours) if start and hours else None,
            "team_ids": [teams[name] for name in entry.pop("teams", []) if name in teams],
            "author_ids": authors.get(entry.pop("author"), []),
            "description": document("\n".join(text)) if text else None,
            **entry,
        }


def _bookings() -> Iterator[Fields]:
    bookers, today = _authors(), localdate()
    for entry in read(__file__, "bookings"):
        driver, comment = entry["driver"], entry.get("comment")
        yield {
            # A fixed id: the days depend on when it is loaded, so they cannot prevent duplicates.
            "id": fixed_id("booking", driver, comment),
            "driver": driver,
            "comment": comment,
            "from_day": today + timedelta(days=entry["first_day"]),
            "to_day": today + timedelta(days=entry["last_day"]),
            "booker_id": next(iter(bookers.get(entry["booker"], [])), None),
        }


def _ids(repository: NamedRepository[Any]) -> dict[str, str]:
    """The ids of the records that are there, by name."""
    return {record.name: record.id for record in repository.by_name(limit=100).items}
