"""Rate limits for sending forms."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

# Six robots in a match of three minutes, and the backlog of a device that was offline.
SENDING = Limiter("scouting-form", limit=120, seconds=60, about=_("Scouting forms sent per person"))
