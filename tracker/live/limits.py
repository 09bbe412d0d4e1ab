"""How often a shared game may be looked at."""

from django.utils.translation import gettext_lazy as _

from core.accounts.limits import by_network
from core.stores.limits import Limiter

# A page asks four times a minute, and everybody at a ballpark may have the same address.
WATCHING = Limiter(
    "tracker-live", 1200, 60, about=_("Watching shared games, by internet address"), usual=by_network
)
