"""Feature flags: on for everybody, nobody, people in a group, or a percentage of people."""

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
PERCENTAGE = re.compile(r"(\d{1,2}|100)%")
BUCKETS = 100

DESCRIPTIONS: Mapping[str, Text] = {
    REWARDS: _("Rewards for completed quests"),
    DISPUTES: _("Disputes"),
}
VALUES: Mapping[str, Text] = {
    ON: _("for everyone"),
    OFF: _("for nobody"),
    INTERNAL: _("for everyone in a group"),
}


class FlagState(NamedTuple):
    name: str
    description: Text
    value: Text
    is_on_for_you: bool


def is_on(name: str, user: User) -> bool:
    """Whether a flag is on for a user. While a percentage only grows, nobody loses the feature."""
    if settings.QUEST_FLAGS[name] == INTERNAL:
        return bool(user.groups)
    return _is_on_for(name, user.sub)


def earns_rewards(sub: str) -> bool:
    """Whether the performer earns rewards. Their groups are unknown here, so `internal` means no."""
    return _is_on_for(REWARDS, sub)


def _is_on_for(name: str, sub: str) -> bool:
    value = settings.QUEST_FLAGS[name]
    percentage = PERCENTAGE.fullmatch(value)
    return _bucket(name, sub) < int(percentage[1]) if percentage else value == ON


def flag_states(user: User) -> list[FlagState]:
    states: list[FlagState] = []
    for name, description in DESCRIPTIONS.items():
        value = settings.QUEST_FLAGS[name]
        label = VALUES.get(value) or _("for %(share)s of people") % {"share": value}
        states.append(FlagState(name, description, label, is_on(name, user)))
    return states


def _bucket(name: str, sub: str) -> int:
    """A stable number from 0 to 99; hashing the flag's name too makes flags start with different people."""
    return int.from_bytes(hashlib.sha256(f"{name}:{sub}".encode()).digest()[:4], "big") % BUCKETS
