"""Why something cannot be done to a quest, in words a person may read."""

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import DataError


class WrongState(DataError):
    """What the quest is does not allow this, and did not a moment ago either."""

    status_code = 400


class NotForYou(DataError):
    status_code = 403


class Overtaken(DataError):
    """The quest is no longer, or not yet, at the point where this can be done: somebody else was faster."""

    status_code = 409


class NotEnoughPoints(DataError):
    """Waiting does not help, so it is no 429."""

    status_code = 422
    message = _("You have no quest points left. Complete a quest of somebody else to earn some.")


class TooManyClaims(DataError):
    status_code = 403
    message = _("You have taken on as many quests as one person can. Submit or give back one of them first.")


class TooMuchBetweenTwo(DataError):
    """The same two people have earned as much XP with each other this month as they can."""

    status_code = 403


class NoAccount(DataError):
    status_code = 404
    message = _("This person has no account on the quest board.")


class AlreadyBooked(DataError):
    status_code = 409
    message = _("This was booked before.")
