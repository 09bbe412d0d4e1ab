"""Values for templates: cards, badges, the timeline, confirmations, and why actions are unavailable."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.accounts.user import User
from core.crud import verbs
from core.crud.listing import Badge
from core.dynamo.attributes import from_iso, now
from core.dynamo.errors import Text
from core.dynamo.history import HistoryEntry
from quests import rules
from quests.models import CLAIMED, COMPLETE, DISPUTED, OPEN, REQUESTOR, SUBMITTED, Quest
from quests.queries import Participants, QuestDetails

A_DAY = timedelta(days=1)
BADGES: Mapping[str, str] = {
    OPEN: "active",
    CLAIMED: "scheduled",
    SUBMITTED: "changed",
    COMPLETE: "published",
    DISPUTED: "failed",
}


class Card(NamedTuple):
    """A quest in a list."""

    quest: Quest
    status: Badge
    category: Text
    creator: str
    performer: str
    time_left: str


class TimelineEntry(NamedTuple):
    sentence: SafeString
    at: datetime


class Confirmation(NamedTuple):
    name: str
    role: Text
    at: datetime
    notes: str


def badge_of(quest: Quest) -> Badge:
    status = quest.current_status
    return Badge(BADGES.get(status, "archived"), rules.STATUSES.get(status, status))


def category_of(quest: Quest) -> Text:
    return rules.CATEGORIES.get(quest.category, quest.category)


def card(quest: Quest, people: Participants) -> Card:
    return Card(
        quest=quest,
        status=badge_of(quest),
        category=category_of(quest),
        creator=people.name(quest.creator_id),
        performer=people.name(quest.performer_id) if quest.performer_id else "",
        time_left=time_left(quest),
    )


def time_left(quest: Quest) -> str:
    """The time left to claim an open quest or to do a claimed one; empty for every other status."""
    until = {OPEN: quest.expires_at, CLAIMED: quest.claim_expires_at}.get(quest.current_status)
    if until is None:
        return ""
    if until <= now():
        return _("Time is up")
    left = until - now()
    if left < A_DAY:
        return _("%(time)s left") % {"time": timeuntil(until, depth=1)}
    days = round(left / A_DAY)
    return ngettext("%d day left", "%d days left", days) % days


def timeline(details: QuestDetails) -> list[TimelineEntry]:
    """The history as sentences, the oldest first; the outcome of an action gets an entry of its own."""
    lines: list[TimelineEntry] = []
    for entry in reversed(details.history):
        who = format_html("<strong>{}</strong>", details.participants.name(entry.actor))
        lines.append(TimelineEntry(verbs.sentence(entry.verb, who=who), entry.at))
        lines.extend(TimelineEntry(outcome, entry.at) for outcome in _outcomes(entry))
    return lines


def _outcomes(entry: HistoryEntry) -> Iterator[SafeString]:
    if "completedAt" in entry.fields:
        yield format_html("{}", _("The quest is completed."))
    elif entry.verb == "decide":
        reopened = "performerId" in entry.fields
        yield format_html("{}", _("Quest reopened.") if reopened else _("The quest is cancelled."))


def confirmations(details: QuestDetails) -> list[Confirmation]:
    return [
        Confirmation(
            name=details.participants.name(each["user_id"]),
            role=_role_label(each),
            at=from_iso(each["attested_at"]),
            notes=each.get("notes", ""),
        )
        for each in details.quest.attestations or ()
    ]


def attestation_text(stored: Mapping[str, Any]) -> str:
    """The text of a confirmation in the history, without the name, which the history entry has."""
    return ": ".join(filter(None, (_role_label(stored), stored.get("notes", ""))))


def _role_label(stored: Mapping[str, Any]) -> str:
    return _("who offers it") if stored["role"] == REQUESTOR else _("who did it")


def unavailable_actions(
    user: User, quest: Quest, titles: Mapping[str, Text]
) -> list[tuple[str, Sequence[str]]]:
    """Each reason why actions of the quest's status are not available, with the titles of these actions."""
    titles_by_reason: dict[str, list[str]] = {}
    for action, rule in rules.RULES.items():
        objection = rules.objection(action, user, quest)
        belongs_here = rule.status == quest.status or (action == "claim" and quest.role_of(user.sub) is None)
        if objection is not None and belongs_here:
            titles_by_reason.setdefault(str(objection), []).append(str(titles[action]))
    return list(titles_by_reason.items())
