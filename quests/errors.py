"""Why something cannot be done to a quest, in words a person may read."""

from django.utils.translation import gettext_lazy as _

from dynamo.errors import DataError


class WrongState(DataError):
    """The quest is past, or not yet at, the point where this can be done."""

    status_code = 400


class NotForYou(DataError):
    status_code = 403


class Overtaken(DataError):
    """It could have been done a moment ago: somebody else was faster."""

    status_code = 409


class NotEnoughPoints(DataError):
    status_code = 429
    message = _("You have no quest points left. Complete a quest of somebody else to earn some.")


class NoAccount(DataError):
    status_code = 404
    message = _("This person has no account on the quest board.")


class AlreadyBooked(DataError):
    status_code = 409
    message = _("This was booked before.")
