"""Who may do what with a quest in which status. Screens and services use the same table.

How many quests somebody holds at once is no rule of one quest: `services/lifecycle.py` enforces it.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.accounts.rights import may
from core.accounts.user import User
from core.dynamo.errors import DataError, Text
from quests import flags
from quests.errors import NotAllowed, StatusChanged, WrongStatus
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, EXPIRED, OPEN, REQUESTOR, SUBMITTED, Quest

INITIAL_POINTS = 10
QUEST_COST = 1
COMPLETION_POINTS = 2
MOST_CHANGE_REQUESTS = 3
CLAIM_LASTS = timedelta(days=14)
QUEST_LASTS = timedelta(days=30)

STATUSES: Mapping[str, Text] = {
    OPEN: pgettext_lazy("quest", "Open"),
    CLAIMED: _("Claimed"),
    SUBMITTED: _("Waiting for confirmation"),
    COMPLETE: _("Completed"),
    DISPUTED: _("Disputed"),
    EXPIRED: _("Expired"),
    CANCELLED: _("Cancelled"),
}
CATEGORIES: Mapping[str, Text] = {
    "civic": _("Club life"),
    "environmental": _("Environment"),
    "social": _("Social"),
    "educational": _("Learning"),
    "technical": _("Technical"),
    "general": _("General"),
}


class Check(NamedTuple):
    """What must hold for an action, and the error if it does not."""

    holds: Callable[[User, Quest], bool]
    error: Callable[[], DataError]


class Rule(NamedTuple):
    """The status that an action needs, and its checks; the first error is the one that is shown."""

    status: str
    checks: tuple[Check, ...]


def _has_time_left(user: User, quest: Quest) -> bool:
    """Claiming a quest again does not restart its 14 days."""
    earlier = quest.earlier_claim_of(user.sub)
    return earlier is None or earlier["seconds"] > 0


IS_SOMEBODY_ELSE = Check(
    lambda user, quest: quest.creator_id != user.sub,
    lambda: WrongStatus(_("This is your own quest. Someone else has to claim it.")),
)
IS_CREATOR = Check(
    lambda user, quest: quest.creator_id == user.sub,
    lambda: NotAllowed(_("Only the person who offers this quest can do that.")),
)
IS_PERFORMER = Check(
    lambda user, quest: quest.performer_id == user.sub,
    lambda: NotAllowed(_("Only the person who claimed this quest can do that.")),
)
IS_INVOLVED = Check(
    lambda user, quest: quest.role_of(user.sub) is not None,
    lambda: NotAllowed(_("Only the two people of this quest can do that.")),
)
IS_STEWARD = Check(
    lambda user, _quest: may(user, "quests.quest.decide"),
    lambda: NotAllowed(_("Only a steward can do that.")),
)
IS_NEUTRAL = Check(
    lambda user, quest: quest.role_of(user.sub) is None,
    lambda: NotAllowed(_("You are part of this quest. Another steward has to decide.")),
)
HAS_NOT_ATTESTED = Check(
    lambda user, quest: not quest.has_attested(quest.role_of(user.sub)),
    lambda: StatusChanged(_("You have already confirmed this quest.")),
)
# The performer's own confirmation does not prevent a request for changes.
CREATOR_HAS_NOT_ATTESTED = Check(
    lambda _user, quest: not quest.has_attested(REQUESTOR),
    lambda: WrongStatus(_("You have already confirmed this work, so you can no longer request changes.")),
)
MAY_ASK_AGAIN = Check(
    lambda _user, quest: (quest.changes_requested or 0) < MOST_CHANGE_REQUESTS,
    lambda: WrongStatus(
        _("Changes were already requested %(most)d times. Confirm the work, or dispute it.")
        % {"most": MOST_CHANGE_REQUESTS}
    ),
)
DID_NOT_DISPUTE = Check(
    lambda user, quest: quest.disputed_by != user.sub,
    lambda: WrongStatus(_("You disputed it. Only the other side can answer.")),
)
HAS_NOT_ANSWERED = Check(
    lambda _user, quest: not quest.dispute_answer,
    lambda: WrongStatus(_("The dispute has already been answered.")),
)
MAY_DISPUTE = Check(
    lambda user, _quest: flags.is_on(flags.DISPUTES, user),
    lambda: NotAllowed(_("Disputes are switched off. Talk to a steward.")),
)
IS_IN_TIME = Check(
    lambda _user, quest: not quest.has_expired(),
    lambda: StatusChanged(_("This quest has expired.")),
)
HAS_TIME_LEFT = Check(
    _has_time_left,
    lambda: WrongStatus(_("You claimed this quest before and your time is up. Now it is open for others.")),
)
RULES: Mapping[str, Rule] = {
    "edit": Rule(OPEN, (IS_CREATOR,)),
    "delete": Rule(OPEN, (IS_CREATOR,)),
    "claim": Rule(OPEN, (IS_SOMEBODY_ELSE, IS_IN_TIME, HAS_TIME_LEFT)),
    "take_down": Rule(OPEN, (IS_STEWARD, IS_NEUTRAL)),
    "release": Rule(CLAIMED, (IS_PERFORMER,)),
    "recall": Rule(CLAIMED, (IS_STEWARD,)),
    "submit": Rule(CLAIMED, (IS_PERFORMER,)),
    "request_changes": Rule(SUBMITTED, (IS_CREATOR, CREATOR_HAS_NOT_ATTESTED, MAY_ASK_AGAIN)),
    "attest": Rule(SUBMITTED, (IS_INVOLVED, HAS_NOT_ATTESTED)),
    "dispute": Rule(SUBMITTED, (IS_INVOLVED, MAY_DISPUTE)),
    "answer": Rule(DISPUTED, (IS_INVOLVED, DID_NOT_DISPUTE, HAS_NOT_ANSWERED)),
    "decide": Rule(DISPUTED, (IS_STEWARD, IS_NEUTRAL)),
}
# The messages for an action that needs another status than this one.
WRONG_STATUS_MESSAGES: Mapping[str, Text] = {
    OPEN: _("Nobody has claimed this quest."),
    CLAIMED: _("Someone has claimed this quest."),
    SUBMITTED: _("This quest is waiting for both sides to confirm it."),
    COMPLETE: _("This quest is completed."),
    DISPUTED: _("This quest is disputed. A steward will decide."),
    EXPIRED: _("This quest has expired."),
    CANCELLED: _("This quest was cancelled."),
}


def objection(action: str, user: User, quest: Quest) -> DataError | None:
    """The error that the action would raise for this user now, or None."""
    rule = RULES[action]
    if quest.status != rule.status:
        # The page offered the action, so somebody else changed the status.
        return StatusChanged(WRONG_STATUS_MESSAGES.get(quest.status))
    return next((check.error() for check in rule.checks if not check.holds(user, quest)), None)


def may_read_dispute(user: User, quest: Quest) -> bool:
    """The texts of a dispute are only for its two sides and for stewards."""
    sides = {*quest.sides(), *(quest.decided_for or ())}
    return user.sub in sides or may(user, "quests.quest.decide")


def may_see_points(user: User, account_id: str) -> bool:
    return account_id == user.sub or may(user, "quests.account.adjust")


def available_actions(user: User, quest: Quest) -> list[str]:
    """The names of the actions that are open to the user now."""
    return [action for action in RULES if objection(action, user, quest) is None]
