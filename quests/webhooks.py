"""What webhooks are told about quests: which one was completed, and where the API has it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.webhooks.registry import Kind, declare
from quests.models import COMPLETE, Quest
from quests.repository import quests


def is_completed(before: Quest | None, after: Quest, at: datetime) -> datetime | None:
    has_changed = before is not None and before.status != COMPLETE
    return at if has_changed and after.status == COMPLETE else None


def document(quest: Quest) -> Mapping[str, Any]:
    return {"id": quest.id, "address": f"/api/v1/quests/{quest.id}"}


declare(Kind("quest.completed", _("Quest completed"), quests.entity, is_completed, document))
