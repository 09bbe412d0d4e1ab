"""Who may do what to a quest at which point of its life. Screens and services ask the same table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import may
from core.accounts.user import User
from core.dynamo.errors import DataError, Text
from quests import flags
from quests.errors import NotForYou, Overtaken, WrongState
from quests.models import (
    CANCELLED,
    CLAIMED,
    COMPLETE,
    DISPUTED,
    EXPIRED,
    OPEN,
    REQUESTOR,
    SUBMITTED,
    Quest,
)

STARTING_POINTS = 10
COST_OF_A_QUEST = 1
POINTS_FOR_COMPLETING = 2
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
    """From which status, by whom, and what else must hold; the first check that objects is told."""

    status: str
    checks: tuple[Check, ...]


def _is_somebody_else(user: User, quest: Quest) -> DataError | None:
    if quest.creator_id == user.sub:
        return WrongState(_("This is your own quest: somebody else has to take it on."))
    return None


def _is_creator(user: User, quest: Quest) -> DataError | None:
    if quest.creator_id != user.sub:
        return NotForYou(_("Only the person who offers this quest can do that."))
    return None


def _is_performer(user: User, quest: Quest) -> DataError | None:
    if quest.performer_id != user.sub:
        return NotForYou(_("Only the person who has taken on this quest can do that."))
    return None


def _is_involved(user: User, quest: Quest) -> DataError | None:
    if quest.role_of(user.sub) is None:
        return NotForYou(_("Only the two people of this quest can do that."))
    return None


def _is_steward(user: User, quest: Quest) -> DataError | None:
    if not may(user, "quests.quest.decide"):
        return NotForYou(_("Only a steward can do that."))
    return None


def _is_neutral(user: User, quest: Quest) -> DataError | None:
    if quest.role_of(user.sub) is not None:
        return NotForYou(_("You are part of this quest: another steward has to decide."))
    return None


def _has_not_attested(user: User, quest: Quest) -> DataError | None:
    role = quest.role_of(user.sub)
    if role is not None and quest.has_attested(role):
        return Overtaken(_("You have confirmed this quest already."))
    return None


def _creator_has_not_attested(user: User, quest: Quest) -> DataError | None:
    """That the performer confirms the own work keeps nobody from asking for more."""
    if quest.has_attested(REQUESTOR):
        return WrongState(_("You have confirmed this work already, so it can no longer be changed."))
    return None


def _may_ask_again(user: User, quest: Quest) -> DataError | None:
    if (quest.changes_requested or 0) >= MOST_CHANGE_REQUESTS:
        return WrongState(
            _("Changes were asked for %(most)d times. Confirm the work, or dispute it.")
            % {"most": MOST_CHANGE_REQUESTS}
        )
    return None


def _did_not_dispute(user: User, quest: Quest) -> DataError | None:
    if quest.disputed_by == user.sub:
        return WrongState(_("You disputed it: the other side can answer."))
    return None


def _has_not_answered(user: User, quest: Quest) -> DataError | None:
    if quest.dispute_answer:
        return WrongState(_("The dispute was answered already."))
    return None


def _may_dispute(user: User, quest: Quest) -> DataError | None:
    if not flags.is_on(flags.DISPUTES, user):
        return NotForYou(_("Disputes are switched off at the moment. Please talk to a steward."))
    return None


def _is_in_time(user: User, quest: Quest) -> DataError | None:
    if quest.has_expired():
        return Overtaken(_("The time for this quest is over."))
    return None


def _has_time_left(user: User, quest: Quest) -> DataError | None:
    """Claiming a quest again does not reset its 14 days."""
    earlier = quest.earlier_claim_of(user.sub)
    if earlier is not None and earlier["seconds"] <= 0:
        return WrongState(_("You had this quest before, and your time for it is over. Now others may do it."))
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

# What is said when the quest is not at the point where something can be done.
TOO_EARLY_OR_LATE: Mapping[str, Text] = {
    OPEN: _("Nobody has taken on this quest."),
    CLAIMED: _("Somebody has taken on this quest."),
    SUBMITTED: _("This quest waits for its two sides to confirm it."),
    COMPLETE: _("This quest is completed."),
    DISPUTED: _("This quest is disputed: a steward decides."),
    EXPIRED: _("The time for this quest is over."),
    CANCELLED: _("This quest was cancelled."),
}


def objection(verb: str, user: User, quest: Quest) -> DataError | None:
    """Why this person cannot do this to the quest now, or None."""
    rule = RULES[verb]
    if quest.status != rule.status:
        # The page offered it a moment ago: somebody else was faster.
        return Overtaken(TOO_EARLY_OR_LATE.get(quest.status))
    return next(filter(None, (check(user, quest) for check in rule.checks)), None)


def may_read_dispute(user: User, quest: Quest) -> bool:
    """Why a quest is disputed and how it ended is between its two sides and the stewards."""
    sides = {*quest.sides(), *(quest.decided_for or ())}
    return user.sub in sides or may(user, "quests.quest.decide")


def possible(user: User, quest: Quest) -> list[str]:
    """What this person may do to the quest now: its buttons."""
    return [verb for verb in RULES if objection(verb, user, quest) is None]
