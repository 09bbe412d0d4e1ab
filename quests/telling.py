"""A quest as its pages tell of it: cards, the steps of its life, who has confirmed it, and why not more."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

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
from quests.models import CLAIMED, OPEN, REQUESTOR, Quest
from quests.reading import People, Story
from quests.showing import badge_of, category_of

A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Card:
    """A quest as lists show it."""

    quest: Quest
    status: Badge
    category: Text
    creator: str
    performer: str
    time_left: str


@dataclass(frozen=True)
class Step:
    sentence: SafeString
    at: datetime


@dataclass(frozen=True)
class Confirmation:
    name: str
    role: Text
    at: datetime
    notes: str


def cards(quests: Iterable[Quest], people: People) -> list[Card]:
    return [card(quest, people) for quest in quests]


def card(quest: Quest, people: People) -> Card:
    return Card(
        quest=quest,
        status=badge_of(quest),
        category=category_of(quest),
        creator=people.name(quest.creator_id),
        performer=people.name(quest.performer_id) if quest.performer_id else "",
        time_left=time_left(quest),
    )


def time_left(quest: Quest) -> str:
    """Until when it can be taken on, or is to be done; what is past that has no clock."""
    until = {OPEN: quest.expires_at, CLAIMED: quest.claim_expires_at}.get(quest.current_status)
    if until is None:
        return ""
    if until <= now():
        return _("Time is over")
    left = until - now()
    if left < A_DAY:
        return _("%(time)s left") % {"time": timeuntil(until, depth=1)}
    days = round(left / A_DAY)
    return ngettext("%d day left", "%d days left", days) % days


def steps(story: Story) -> list[Step]:
    """The whole story from its beginning; what a step led to is a step of its own."""
    told: list[Step] = []
    for entry in reversed(story.steps):
        who = format_html("<strong>{}</strong>", story.people.name(entry.actor))
        told.append(Step(verbs.sentence(entry.verb, who=who, what=_("this quest")), entry.at))
        told.extend(Step(outcome, entry.at) for outcome in _outcomes(entry))
    return told


def _outcomes(entry: HistoryEntry) -> Iterator[SafeString]:
    if "completedAt" in entry.fields:
        yield format_html("{}", _("The quest is completed."))
    elif entry.verb == "decide":
        reopened = "performerId" in entry.fields
        yield format_html("{}", _("The quest is open again.") if reopened else _("The quest is cancelled."))


def confirmations(story: Story) -> list[Confirmation]:
    return [_confirmation(each, story.people) for each in story.quest.attestations or ()]


def confirmed(stored: Mapping[str, Any]) -> str:
    """A confirmation where a history shows it: who did something is said beside it."""
    return ": ".join(filter(None, (_side(stored), stored.get("notes", ""))))


def _side(stored: Mapping[str, Any]) -> str:
    return _("who offers it") if stored["role"] == REQUESTOR else _("who did it")


def _confirmation(stored: Mapping[str, Any], people: People) -> Confirmation:
    return Confirmation(
        name=people.name(stored["user_id"]),
        role=_side(stored),
        at=from_iso(stored["attested_at"]),
        notes=stored.get("notes", ""),
    )


def reasons(user: User, quest: Quest, titles: Mapping[str, Text]) -> list[tuple[str, Sequence[str]]]:
    """Why somebody cannot do what could be done at this point: each reason with what it keeps them from."""
    told: dict[str, list[str]] = {}
    for verb, rule in rules.RULES.items():
        objection = rules.objection(verb, user, quest)
        belongs_here = rule.status == quest.status or (verb == "claim" and quest.role_of(user.sub) is None)
        if objection is not None and belongs_here:
            told.setdefault(str(objection), []).append(str(titles[verb]))
    return list(told.items())
