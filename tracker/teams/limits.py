"""Rate limits of invitations by person, and of their mails by address."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

HOUR, DAY = 60 * 60, 24 * 60 * 60
# Enough to invite a whole roster in one evening, without flooding one address with mails.
INVITING = Limiter("invitation", limit=40, seconds=HOUR, about=_("Team invitations per person"))
MAILING = Limiter("invitation-mail", limit=5, seconds=DAY, about=_("Invitation e-mails per address"))
