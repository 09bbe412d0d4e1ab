"""How events, teams and matches are written in keys, and how they sort."""

import re
from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid, NotFound

EVENT = re.compile(r"[0-9]{4}[a-z0-9]{2,12}")
# As other programs store it: the same code every year.
CODE = re.compile(r"[a-z][a-z0-9]{1,11}")
# Second robots at off-season events have a letter: 254B.
TEAM = re.compile(r"([1-9][0-9]{0,4})([A-Z]?)")
HIGHEST_TEAM = 25599
HIGHEST_MATCH = 1000
MATCH_DIGITS = 4


def whole(text: str) -> str:
    """The text with lone surrogates, which JSON may contain but DynamoDB cannot store, replaced by “?”."""
    return text.encode(errors="replace").decode()


def event_key(text: str) -> str:
    """The key of an event, such as 2026mndu; without a year where another program has stored it so."""
    key = text.strip().lower()
    return key if CODE.fullmatch(key) else full_event_key(key)


def full_event_key(text: str) -> str:
    """The key of an event with its year, since codes repeat every year."""
    key = text.strip().lower()
    if not EVENT.fullmatch(key):
        raise Invalid(_("Enter an event as year and code, such as 2026mndu."))
    return key


def year_of(event: str) -> int | None:
    return int(event[:4]) if EVENT.fullmatch(event) else None


def short_code(event: str) -> str:
    return event[4:] if EVENT.fullmatch(event) else event


def team_key(text: str) -> str:
    """The normalised team number, from 254, 254B, or frc254 as The Blue Alliance writes it."""
    key = text.strip().upper().removeprefix("FRC")
    found = TEAM.fullmatch(key)
    if not found or int(found[1]) > HIGHEST_TEAM:
        raise Invalid(_("Enter a team number up to 25599, with a letter if it has one, such as 254 or 254B."))
    return key


def in_address(key: Callable[[str], str], text: str) -> str:
    """The key of an event or a team in a URL; what cannot be one does not exist."""
    try:
        return key(text)
    except Invalid as error:
        raise NotFound from error


def year_in(text: str) -> int:
    """A year of four digits from a URL; else NotFound."""
    if not (text.isascii() and text.isdecimal() and len(text) == 4):
        raise NotFound
    return int(text)


def team_order(team: str) -> tuple[int, str]:
    """Sort key: by number, then by letter."""
    found = TEAM.fullmatch(team)
    return (int(found[1]), found[2]) if found else (HIGHEST_TEAM + 1, team)


def of_event(event: str) -> str:
    return f"EVENT#{event}"


def of_team(team: str) -> str:
    return f"TEAM#{team}"


def of_match(match: int) -> str:
    """The zero-padded match number, so that 10 sorts after 2."""
    return f"MATCH#{match:0{MATCH_DIGITS}d}"
