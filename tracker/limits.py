"""How often a person may write down, invite, mail or watch."""

from django.utils.translation import gettext_lazy as _

from core.accounts.limits import by_network
from core.stores.limits import Limiter

HOUR, DAY = 60 * 60, 24 * 60 * 60
# Two taps each, and what waited while there was no connection.
RECORDING = Limiter("tracker-scoring", 120, 60, about=_("Writing down plate appearances, by person"))
# A whole roster is invited in one evening, but nobody gets mail after mail.
INVITING = Limiter("invitation", 40, HOUR, about=_("Inviting people to teams, by person"))
MAILING = Limiter("invitation-mail", 5, DAY, about=_("Mails with invitations, by address"))
# A page asks four times a minute, and everybody at a ballpark may have the same address.
WATCHING = Limiter(
    "tracker-live", 1200, 60, about=_("Watching shared games, by internet address"), usual=by_network
)
