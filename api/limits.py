"""How often one person or address may ask: far above what a phone app or a website needs."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

# Counted by each process for itself: a request to DynamoDB for each read would cost more than most reads.
READS = Limiter(
    "api-read", limit=600, seconds=60, about=_("API reads per person and process"), in_process=True
)
# Public reads have no user, so they are counted by IP address.
VISITORS = Limiter(
    "api-website",
    limit=300,
    seconds=60,
    about=_("API reads of the website per IP address and process"),
    in_process=True,
)
WRITES = Limiter("api-write", limit=120, seconds=60, about=_("API writes per person"))
