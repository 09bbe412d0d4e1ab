"""How often a scout may send something."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

# Six robots in a match of three minutes, and what waited while there was no connection.
SENDING = Limiter("scouting-form", 120, 60, about=_("Sending scouting forms, by person"))
