"""What webhooks are told about softball: which game of which team is final, and where its page is."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.webhooks.registry import Kind, declare
from tracker.games.models import FINAL, Game
from tracker.games.repository import games


def is_final(before: Game | None, after: Game, at: datetime) -> datetime | None:
    has_changed = before is not None and before.status != FINAL
    return at if has_changed and after.status == FINAL else None


def document(game: Game) -> Mapping[str, Any]:
    return {"id": game.id, "teamId": game.team_id, "page": reverse("tracker:game", args=[game.id])}


declare(Kind("game.final", _("Game final"), games.entity, is_final, document))
