"""Rate limits of changes, per person and minute. Reads are not limited."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from core.stores.limits import Limiter

MINUTE = 60


def _per_minute(name: str, limit: int, about: Text) -> Limiter:
    return Limiter(f"quest-{name}", limit=limit, seconds=MINUTE, about=about)


LIMITS: Mapping[str, Limiter] = {
    "create": _per_minute("create", 5, _("New quests per person")),
    "claim": _per_minute("claim", 20, _("Claims per person")),
    "submit": _per_minute("submit", 10, _("Submissions per person")),
    "attest": _per_minute("attest", 10, _("Confirmations per person")),
    "dispute": _per_minute("dispute", 5, _("Disputes per person")),
    "wallet": _per_minute("wallet", 3, _("Wallet address changes per person")),
}
OTHERS = _per_minute("other", 100, _("Other quest board changes per person"))


def enforce_limit(action: str, sub: str) -> None:
    """Count one request for an action, or raise TooManyRequests."""
    LIMITS.get(action, OTHERS).ensure(sub)
