"""What webhooks are told about softball: which game of which team is final, and where it is read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.webhooks.registry import Kind, declare
from tracker.games.models import FINAL, Game
from tracker.games.repository import games


def is_final(before: Game | None, after: Game, at: datetime) -> datetime | None:
    has_changed = before is not None and before.status != FINAL
    return at if has_changed and after.status == FINAL else None


def document(game: Game) -> Mapping[str, Any]:
    return {
        "id": game.id,
        "teamId": game.team_id,
        "address": f"/api/v1/tracker/games/{quote(game.id, safe='')}",
        "page": reverse("tracker:game", args=[game.id]),
    }


declare(Kind("game.final", _("Game final"), games.entity, is_final, document))
