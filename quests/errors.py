"""Errors of the quest board, with messages for people."""

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Conflict, DataError


class WrongStatus(DataError):
    """The quest's current state does not allow this action."""

    status_code = 400


class NotAllowed(DataError):
    status_code = 403


class StatusChanged(DataError):
    """The quest has left the status that the action needs: somebody else was faster."""

    status_code = 409


class NotEnoughPoints(DataError):
    """422, not 429: waiting does not help."""

    status_code = 422
    message = _("You have no quest points left. Complete someone else's quest to earn some.")


class TooManyClaims(DataError):
    status_code = 403
    message = _("You have claimed as many quests as one person can. Submit or release one first.")


class PairLimitReached(DataError):
    """Two people have reached the monthly limit of XP that they can earn with each other."""

    status_code = 403


class NoAccount(DataError):
    status_code = 404
    message = _("This person has no account on the quest board.")


class AlreadyBooked(DataError):
    status_code = 409
    message = _("This has already been booked.")


class RewardChanged(Conflict):
    """A failed reward has left the status that the action needs."""
