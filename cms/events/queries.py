"""Events."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cms.base.queries import public_at
from cms.events.models import Event
from cms.events.repository import events
from cms.media.models import MediaFile
from cms.media.queries import in_text, keys_in_text, pictures_among, places_of
from cms.teams.models import Team
from core.content.richtext import Picture
from core.content.status import PUBLISHED
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at


@dataclass(frozen=True)
class EventPage:
    """An event with what readers are told beside it: its teams, as far as they see them, and its pictures."""

    event: Event
    teams: Sequence[Team] = ()
    pictures: Sequence[MediaFile] = ()
    in_text: Mapping[str, Picture] = field(default_factory=dict)


def public_event(slug: str) -> EventPage:
    """What readers find at an address; at an earlier address the new slug only."""
    return _told(*public_at(events, slug, _beside))


def event_page(event: Event) -> EventPage:
    """The same for a preview."""
    return _told(event, records_at(_beside(event)))


def _told(event: Event, records: Mapping[RecordRef, Item]) -> EventPage:
    pictures = pictures_among(event.image_ids, records)
    return EventPage(event, _public_teams(records.values()), pictures, in_text(event, records))


def _beside(event: Event) -> list[RecordRef]:
    teams = [("team", key) for key in event.team_ids or () if is_possible("team", key)]
    return [*teams, *places_of([*(event.image_ids or ()), *keys_in_text(event)])]


def _public_teams(records: Iterable[Item]) -> list[Team]:
    teams = (each for each in records if isinstance(each, Team) and each.status == PUBLISHED)
    return sorted(teams, key=lambda team: str(team.sort_name))
