"""What the search finds of scouting: events by their words, and the teams that were at them."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from core.accounts.rights import may
from core.accounts.user import User
from core.crud import palette
from core.crud.addresses import address_of, address_of_record
from core.crud.palette import Hit, Source
from scouting import repository
from scouting.models import EventInfo


@palette.finds
def find_in_scouting(user: User) -> Source | None:
    """Events are one Query for each word; the teams are read once in half a minute by each process."""
    sees_events, sees_teams = may(user, "scouting.event.view"), may(user, "scouting.analysis.view")
    if not (sees_events or sees_teams):
        return None
    return Source(
        find=_teams if sees_teams else _nothing,
        scopes=[repository.event_infos.scope] if sees_events else (),
        shows={repository.event_infos.entity: _event} if sees_events else {},
    )


def _event(event: EventInfo) -> Hit:
    kind = " · ".join(filter(None, (_("Scouting event"), event.event, event.place)))
    return Hit(event.name, "calendar", address_of_record("scouting:event", event.event), kind=kind)


def _teams(wanted: Sequence[str]) -> Iterator[Hit]:
    for team in repository.team_directory.all():
        if all(any(word.startswith(beginning) for word in team.words) for beginning in wanted):
            address = f"{address_of('scouting:team', team.number)}?event={team.event}"
            kind = " · ".join((_("Scouting team"), team.event_name))
            yield Hit(f"{team.number} {team.name}".strip(), "robot", address, kind=kind)


def _nothing(_wanted: Sequence[str]) -> Iterator[Hit]:
    return iter(())
