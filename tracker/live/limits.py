"""The rate limit of the live page."""

from django.utils.translation import gettext_lazy as _

from core.accounts.limits import by_network
from core.stores.limits import Limiter

# A page polls four times a minute, and everybody at a ballpark may share one IP address.
WATCHING = Limiter(
    "tracker-live",
    limit=1200,
    seconds=60,
    about=_("Shared game views per IP address"),
    normalize=by_network,
)
