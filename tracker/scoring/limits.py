"""The rate limit of recording plate appearances."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

# A plate appearance takes two taps; a queue from an offline phase is sent at once.
RECORDING = Limiter(
    "tracker-scoring", limit=120, seconds=60, about=_("Recorded plate appearances per person")
)
