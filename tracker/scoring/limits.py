"""How often a person may write down plate appearances."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

# Two taps each, and what waited while there was no connection.
RECORDING = Limiter("tracker-scoring", 120, 60, about=_("Writing down plate appearances, by person"))
