"""Who may do what with a quest in which status. Screens and services use the same table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import may
from core.accounts.user import User
from core.dynamo.errors import DataError, Text
from quests import flags
from quests.errors import NotAllowed, Overtaken, WrongStatus
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, EXPIRED, OPEN, REQUESTOR, SUBMITTED, Quest

INITIAL_POINTS = 10
QUEST_COST = 1
COMPLETION_POINTS = 2
MOST_CHANGE_REQUESTS = 3
CLAIM_LASTS = timedelta(days=14)
QUEST_LASTS = timedelta(days=30)

STATUSES: Mapping[str, Text] = {
    OPEN: _("Open"),
    CLAIMED: _("Taken on"),
    SUBMITTED: _("Waits for both sides"),
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

Check = Callable[[User, Quest], DataError | None]


@dataclass(frozen=True)
class Rule:
    """The status that an action needs, and its checks; the first error is the one that is shown."""

    status: str
    checks: tuple[Check, ...]


def _is_somebody_else(user: User, quest: Quest) -> DataError | None:
    if quest.creator_id == user.sub:
        return WrongStatus(_("This is your own quest: somebody else has to take it on."))
    return None


def _is_creator(user: User, quest: Quest) -> DataError | None:
    if quest.creator_id != user.sub:
        return NotAllowed(_("Only the person who offers this quest can do that."))
    return None


def _is_performer(user: User, quest: Quest) -> DataError | None:
    if quest.performer_id != user.sub:
        return NotAllowed(_("Only the person who has taken on this quest can do that."))
    return None


def _is_involved(user: User, quest: Quest) -> DataError | None:
    if quest.role_of(user.sub) is None:
        return NotAllowed(_("Only the two people of this quest can do that."))
    return None


def _is_steward(user: User, quest: Quest) -> DataError | None:
    if not may(user, "quests.quest.decide"):
        return NotAllowed(_("Only a steward can do that."))
    return None


def _is_neutral(user: User, quest: Quest) -> DataError | None:
    if quest.role_of(user.sub) is not None:
        return NotAllowed(_("You are part of this quest: another steward has to decide."))
    return None


def _has_not_attested(user: User, quest: Quest) -> DataError | None:
    role = quest.role_of(user.sub)
    if role is not None and quest.has_attested(role):
        return Overtaken(_("You have confirmed this quest already."))
    return None


def _creator_has_not_attested(user: User, quest: Quest) -> DataError | None:
    """The performer's own confirmation does not prevent a request for changes."""
    if quest.has_attested(REQUESTOR):
        return WrongStatus(_("You have confirmed this work already, so it can no longer be changed."))
    return None


def _may_ask_again(user: User, quest: Quest) -> DataError | None:
    if (quest.changes_requested or 0) >= MOST_CHANGE_REQUESTS:
        return WrongStatus(
            _("Changes were asked for %(most)d times. Confirm the work, or dispute it.")
            % {"most": MOST_CHANGE_REQUESTS}
        )
    return None


def _did_not_dispute(user: User, quest: Quest) -> DataError | None:
    if quest.disputed_by == user.sub:
        return WrongStatus(_("You disputed it: the other side can answer."))
    return None


def _has_not_answered(user: User, quest: Quest) -> DataError | None:
    if quest.dispute_answer:
        return WrongStatus(_("The dispute was answered already."))
    return None


def _may_dispute(user: User, quest: Quest) -> DataError | None:
    if not flags.is_on(flags.DISPUTES, user):
        return NotAllowed(_("Disputes are switched off at the moment. Please talk to a steward."))
    return None


def _is_in_time(user: User, quest: Quest) -> DataError | None:
    if quest.has_expired():
        return Overtaken(_("The time for this quest is over."))
    return None


def _has_time_left(user: User, quest: Quest) -> DataError | None:
    """Claiming a quest again does not restart its 14 days."""
    earlier = quest.earlier_claim_of(user.sub)
    if earlier is not None and earlier["seconds"] <= 0:
        return WrongStatus(
            _("You had this quest before, and your time for it is over. Now others may do it.")
        )
    return None


RULES: Mapping[str, Rule] = {
    "edit": Rule(OPEN, (_is_creator,)),
    "delete": Rule(OPEN, (_is_creator,)),
    "claim": Rule(OPEN, (_is_somebody_else, _is_in_time, _has_time_left)),
    "take_down": Rule(OPEN, (_is_steward, _is_neutral)),
    "release": Rule(CLAIMED, (_is_performer,)),
    "recall": Rule(CLAIMED, (_is_steward,)),
    "submit": Rule(CLAIMED, (_is_performer,)),
    "request_changes": Rule(SUBMITTED, (_is_creator, _creator_has_not_attested, _may_ask_again)),
    "attest": Rule(SUBMITTED, (_is_involved, _has_not_attested)),
    "dispute": Rule(SUBMITTED, (_is_involved, _may_dispute)),
    "answer": Rule(DISPUTED, (_is_involved, _did_not_dispute, _has_not_answered)),
    "decide": Rule(DISPUTED, (_is_steward, _is_neutral)),
}

# The messages for an action that needs another status than this one.
WRONG_STATUS_MESSAGES: Mapping[str, Text] = {
    OPEN: _("Nobody has taken on this quest."),
    CLAIMED: _("Somebody has taken on this quest."),
    SUBMITTED: _("This quest waits for its two sides to confirm it."),
    COMPLETE: _("This quest is completed."),
    DISPUTED: _("This quest is disputed: a steward decides."),
    EXPIRED: _("The time for this quest is over."),
    CANCELLED: _("This quest was cancelled."),
}


def objection(action: str, user: User, quest: Quest) -> DataError | None:
    """The error that the action would raise for this user now, or None."""
    rule = RULES[action]
    if quest.status != rule.status:
        # The page offered the action, so somebody else changed the status.
        return Overtaken(WRONG_STATUS_MESSAGES.get(quest.status))
    return next(filter(None, (check(user, quest) for check in rule.checks)), None)


def may_read_dispute(user: User, quest: Quest) -> bool:
    """The texts of a dispute are only for its two sides and for stewards."""
    sides = {*quest.sides(), *(quest.decided_for or ())}
    return user.sub in sides or may(user, "quests.quest.decide")


def available_actions(user: User, quest: Quest) -> list[str]:
    """The names of the actions that are open to the user now."""
    return [action for action in RULES if objection(action, user, quest) is None]
