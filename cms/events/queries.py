"""The page of an event: the record with everything its template shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cms.base.queries import public_at
from cms.events.models import Event
from cms.events.repository import events
from cms.media.models import MediaFile
from cms.media.queries import media_refs, select_pictures, text_picture_ids, text_pictures
from cms.teams.models import Team
from core.content.richtext import Picture
from core.content.status import PUBLISHED
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at


@dataclass(frozen=True)
class EventPage:
    """An event with its published teams and its pictures."""

    event: Event
    teams: Sequence[Team] = ()
    pictures: Sequence[MediaFile] = ()
    text_pictures: Mapping[str, Picture] = field(default_factory=dict)


def public_event(slug: str) -> EventPage:
    """The public page at a slug; at a former slug only the record, for the redirect."""
    return _assemble(*public_at(events, slug, _related))


def event_page(event: Event) -> EventPage:
    """The page of a record that may be unpublished, for a preview."""
    return _assemble(event, records_at(_related(event)))


def _assemble(event: Event, records: Mapping[RecordRef, Item]) -> EventPage:
    pictures = select_pictures(event.image_ids, records)
    return EventPage(event, _public_teams(records.values()), pictures, text_pictures(event, records))


def _related(event: Event) -> list[RecordRef]:
    teams = [("team", key) for key in event.team_ids or () if is_possible("team", key)]
    return [*teams, *media_refs([*(event.image_ids or ()), *text_picture_ids(event)])]


def _public_teams(records: Iterable[Item]) -> list[Team]:
    teams = (each for each in records if isinstance(each, Team) and each.status == PUBLISHED)
    return sorted(teams, key=lambda team: str(team.sort_name))
