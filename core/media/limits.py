"""The limit of uploads per person."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

# More than the few hundred pictures of a tournament.
UPLOADS = Limiter("media-upload", limit=500, seconds=3600, about=_("Uploads per person"))
