"""What webhooks are told about scouting: which form was sent, and where the API has it; not its answers."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext_lazy as _

from core.webhooks.registry import Kind, declare
from scouting.forms.models import PitForm, RobotForm, StandForm
from scouting.forms.repository import pit_forms, stand_forms

# An older one was imported, or is back from the trash.
NEW_WITHIN = timedelta(days=1)


def is_sent(before: RobotForm | None, after: RobotForm, at: datetime) -> datetime | None:
    """When a form was sent that is new; one that was moved to another robot is not."""
    sent_at: datetime = after.created_at or at
    is_new = before is None and not after.moved_from and sent_at > at - NEW_WITHIN
    return sent_at if is_new else None


def stand_form(form: StandForm) -> Mapping[str, Any]:
    return _place(form, stand_forms.key_of(form), "stand-forms") | {"matchNumber": int(form.match)}


def pit_form(form: PitForm) -> Mapping[str, Any]:
    return _place(form, pit_forms.key_of(form), "pit-forms")


def _place(form: RobotForm, key: str, kind: str) -> dict[str, Any]:
    return {
        "id": form.id,
        "key": key,
        "address": f"/api/v1/scouting/{kind}/{quote(key, safe='')}",
        "event": form.event,
        "teamNumber": form.team,
    }


declare(Kind("scouting.stand-form.sent", _("Stand form sent"), stand_forms.entity, is_sent, stand_form))
declare(Kind("scouting.pit-form.sent", _("Pit form sent"), pit_forms.entity, is_sent, pit_form))
