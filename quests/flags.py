"""Parts of the board that are switched on for everybody, for nobody, for staff or for a share of people."""

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Text

REWARDS = "FF_REWARD_DISTRIBUTION"
DISPUTES = "FF_DISPUTE_RESOLUTION"
ON, OFF, INTERNAL = "true", "false", "internal"
SHARE = re.compile(r"(\d{1,2}|100)%")
BUCKETS = 100

ABOUT: Mapping[str, Text] = {
    REWARDS: _("Completed quests earn their reward"),
    DISPUTES: _("The two people of a quest may dispute it"),
}


class Flag(NamedTuple):
    name: str
    about: Text
    value: Text
    is_on_for_you: bool


def is_on(name: str, user: User) -> bool:
    """Whether somebody has it; as long as a share only grows, nobody loses it again."""
    if settings.QUEST_FLAGS[name] == INTERNAL:
        return bool(user.groups)
    return _is_on_for(name, user.sub)


def earns_rewards(sub: str) -> bool:
    """Asked of who did the quest, whose groups nobody knows when it is completed: it is never `internal`."""
    return _is_on_for(REWARDS, sub)


def _is_on_for(name: str, sub: str) -> bool:
    value = settings.QUEST_FLAGS[name]
    share = SHARE.fullmatch(value)
    return _bucket(name, sub) < int(share[1]) if share else value == ON


def shown(user: User) -> list[Flag]:
    return [
        Flag(name, about, _words(settings.QUEST_FLAGS[name]), is_on(name, user))
        for name, about in ABOUT.items()
    ]


def _bucket(name: str, sub: str) -> int:
    """Each flag begins with other people."""
    return int.from_bytes(hashlib.sha256(f"{name}:{sub}".encode()).digest()[:4], "big") % BUCKETS


def _words(value: str) -> Text:
    words: Mapping[str, Text] = {
        ON: _("for everybody"),
        OFF: _("for nobody"),
        INTERNAL: _("for everybody in a group"),
    }
    return words.get(value) or _("for %(share)s of the people") % {"share": value}
