"""Parses players from pasted text, one per line, such as "12 Lena Sommer SS 2B"."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.crud.forms import RefusableForm
from tracker.items import ACTIVE
from tracker.roster.forms import MOST_POSITIONS, PlayerForm
from tracker.roster.models import Player, jersey_number
from tracker.rules.positions import ON_A_ROSTER

# So many players, with history entries and unique guards, fit into one transaction.
MOST_LINES = 30
LONGEST_TEXT = 5000
SEPARATORS = re.compile(r"[\s,;|]+")
NUMBER = re.compile(r"#?(\d+)[.):]?")


@dataclass(frozen=True)
class PastedLine:
    """A parsed line: the player's fields and the problems."""

    place: int
    text: str
    fields: dict[str, Any]
    problems: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        return jersey_number(self.fields.get("number"), self.fields.get("is_double_zero"))

    @property
    def name(self) -> str:
        return f"{self.fields.get('first_name', '')} {self.fields.get('last_name') or ''}".strip()


class PasteForm(RefusableForm):
    text = forms.CharField(
        label=gettext_lazy("Players"),
        help_text=gettext_lazy("One in each line: number, first name, last name, positions."),
        error_messages={"required": gettext_lazy("Paste or type at least one player.")},
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if len(list(_lines(text))) > MOST_LINES:
            told = _("These are more than %(most)d players. Add them in two steps.")
            raise forms.ValidationError(told % {"most": MOST_LINES})
        return text


def read(text: str, roster: Iterable[Player]) -> list[PastedLine]:
    """The parsed lines; numbers and names that the roster or another line has already are problems too."""
    players = list(roster)
    numbers = {player.jersey_number for player in players if player.plays}
    names = {player.name.casefold() for player in players}
    lines = [_read_line(place, line) for place, line in _lines(text)]
    said_numbers = Counter(line.number for line in lines)
    said_names = Counter(line.name.casefold() for line in lines)
    return [_checked(line, numbers, names, said_numbers, said_names) for line in lines]


def _lines(text: str) -> Iterable[tuple[int, str]]:
    stripped = ((place, line.strip()) for place, line in enumerate(text.splitlines(), start=1))
    return ((place, line) for place, line in stripped if line)


def _read_line(place: int, text: str) -> PastedLine:
    words = [word for word in SEPARATORS.split(text) if word]
    number, words = _number_before(words)
    if not number and any(map(NUMBER.fullmatch, words)):
        told = _("The number comes first, then the name, then the positions: 12 Lena Sommer SS.")
        return PastedLine(place, text, {}, (told,))
    words, positions = _positions_after(words)
    form = PlayerForm(
        {
            "number": number,
            "first_name": words[0] if words else "",
            "last_name": " ".join(words[1:]),
            "position": positions[0] if positions else "",
            "second_position": positions[1] if len(positions) > 1 else "",
            "status": ACTIVE,
        }
    )
    problems = [str(message) for messages in form.errors.values() for message in messages]
    if len(positions) > MOST_POSITIONS:
        problems.append(_("A player has at most two positions."))
    return PastedLine(place, text, {} if problems else form.fields_of(), tuple(problems))


def _number_before(words: list[str]) -> tuple[str, list[str]]:
    found = NUMBER.fullmatch(words[0]) if words else None
    return (found[1], words[1:]) if found else ("", words)


def _positions_after(words: list[str]) -> tuple[list[str], list[str]]:
    """Split off the positions at the end; the first word is always part of the name."""
    positions: list[str] = []
    while len(words) > 1 and words[-1].upper() in ON_A_ROSTER:
        positions.insert(0, words[-1].upper())
        words = words[:-1]
    return words, positions


def _checked(
    line: PastedLine,
    numbers: set[str],
    names: set[str],
    said_numbers: Counter[str],
    said_names: Counter[str],
) -> PastedLine:
    if line.problems:
        return line
    number, name = line.number, line.name.casefold()
    problems = []
    if number and number in numbers:
        problems.append(_("Another player of this team has number %(number)s.") % {"number": number})
    if number and said_numbers[number] > 1:
        problems.append(_("Number %(number)s is given to more than one player here.") % {"number": number})
    if name in names:
        problems.append(_("%(name)s is on the roster already.") % {"name": line.name})
    if said_names[name] > 1:
        problems.append(_("%(name)s is named more than once here.") % {"name": line.name})
    return PastedLine(line.place, line.text, line.fields, tuple(problems))
