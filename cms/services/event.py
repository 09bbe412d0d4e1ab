"""Events."""

from cms import repository
from cms.models import Event, Team
from crud.fields.picker import is_possible
from crud.publication import PUBLISHED
from dynamo.errors import NotFound
from dynamo.registry import Place, records_at


def public_event(slug: str) -> tuple[Event, list[Team]]:
    """What readers find at an address, with its teams; at an earlier address the new slug only."""
    found = repository.events.at_slug(slug) or repository.events.formerly_at_slug(slug)
    if not found.slug or not found.is_public():
        raise NotFound
    if found.slug != slug:
        return found, []
    place = ("event", repository.events.key_of(found))
    records = records_at([place, *_places_of_teams(found)])
    event = records.get(place)
    # An index may lag: what counts is the record.
    if not isinstance(event, Event) or not event.is_public():
        raise NotFound
    return event, _public_teams(list(records.values()))


def teams_of(event: Event) -> list[Team]:
    """Its teams, as far as readers see them."""
    return _public_teams(list(records_at(_places_of_teams(event)).values()))


def _places_of_teams(event: Event) -> list[Place]:
    return [("team", key) for key in event.team_ids or () if is_possible("team", key)]


def _public_teams(records: list[object]) -> list[Team]:
    teams = (each for each in records if isinstance(each, Team) and each.status == PUBLISHED)
    return sorted(teams, key=lambda team: str(team.sort_name))
