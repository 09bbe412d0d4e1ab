"""How often a person may invite, and an address gets a mail."""

from django.utils.translation import gettext_lazy as _

from core.stores.limits import Limiter

HOUR, DAY = 60 * 60, 24 * 60 * 60
# A whole roster is invited in one evening, but nobody gets mail after mail.
INVITING = Limiter("invitation", 40, HOUR, about=_("Inviting people to teams, by person"))
MAILING = Limiter("invitation-mail", 5, DAY, about=_("Mails with invitations, by address"))
