"""Deleting an unused event with its teams and matches, and restoring it within 30 days."""

from collections.abc import Iterator
from datetime import timedelta
from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo import trash
from core.dynamo.errors import InUse, NotFound, Text
from core.dynamo.transactions import Transaction
from core.dynamo.trash import TrashedItem
from scouting import keys
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.models import ScoutedItem
from scouting.repository import ScoutingRepository
from scouting.selection.models import TeamSelection
from scouting.selection.repository import selections
from scouting.settings.repository import stored_settings

S = TypeVar("S", bound=ScoutedItem)

# Trash images of the three items belong to the same delete if they are no further apart than this.
AT_ONCE = timedelta(minutes=1)


def delete(user: User, key: str, *, seen_version: int) -> EventInfo:
    """Delete the three items in one transaction. Raises `InUse` if anything refers to the event."""
    ensure(user, "scouting.event.update")
    parts = event_infos.parts(key, strong=True)
    for use in _uses(key):
        raise InUse(use, current=parts.info)
    transaction = Transaction()
    event_infos.delete(parts.info, actor=user.actor, seen_version=seen_version, transaction=transaction)
    if parts.teams.version is not None:
        event_teams.delete(parts.teams, actor=user.actor, transaction=transaction)
    if parts.schedule.version is not None:
        schedules.delete(parts.schedule, actor=user.actor, transaction=transaction)
    transaction.commit()
    return parts.info


def _uses(key: str) -> Iterator[Text]:
    """Why the event cannot be deleted. A record written after this check is caught by its reference count."""
    if any(item.active_event == key for item in stored_settings.all()):
        yield _("We are at this event: choose another one in the scouting settings first.")
    place = keys.of_event(key)
    selection = selections.key_of(TeamSelection.about(key))
    if (
        stand_forms.page(place, limit=1, strong=True).items
        or pit_forms.page(place, limit=1, strong=True).items
        or comment_forms.page(key, index="EventIndex", limit=1).items
        or selections.get_many([selection], strong=True)
    ):
        yield _("There are forms or a team selection of this event, so it stays.")


def restore(user: User, *, trash_id: str = "", key: str = "") -> EventInfo:
    """Restore an event with the teams and matches that were deleted with it. `key` finds its last delete."""
    ensure(user, "scouting.event.update")
    entity = event_infos.entity
    trashed = trash.of_record(entity, key) if key else trash.find(entity, trash_id)
    if trashed is None:
        raise NotFound(_("This is no longer in the trash. Perhaps it was restored already."))
    transaction = Transaction()
    info = event_infos.restore(trashed.trash_id, actor=user.actor, transaction=transaction)
    _with_it(event_teams, EventTeams.about(info.event), trashed, user, transaction)
    _with_it(schedules, Schedule.about(info.event), trashed, user, transaction)
    transaction.commit()
    return info


def _with_it(
    stored: ScoutingRepository[S], item: S, event: TrashedItem, user: User, transaction: Transaction
) -> None:
    """Add the restore of the item to the transaction, if it was deleted together with the event."""
    image = trash.of_record(stored.entity, stored.key_of(item))
    if image is not None and abs(image.at - event.at) < AT_ONCE:
        stored.restore(image.trash_id, actor=user.actor, transaction=transaction)
