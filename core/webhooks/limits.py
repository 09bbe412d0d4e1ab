"""Rate limits of what administrators send by hand."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

BY_HAND = Limiter("webhook", limit=60, seconds=3600, about=_("Manual webhook deliveries"))
