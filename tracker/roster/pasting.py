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


@dataclass
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
        help_text=gettext_lazy("One player per line: number, first name, last name, positions."),
        error_messages={"required": gettext_lazy("Paste or type at least one player.")},
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if len(_lines(text)) > MOST_LINES:
            problem = _("Add at most %(most)d players at a time.")
            raise forms.ValidationError(problem % {"most": MOST_LINES})
        return text


def read(text: str, roster: Iterable[Player]) -> list[PastedLine]:
    """The parsed lines; numbers and names that the roster or another line has already are problems too."""
    players = list(roster)
    numbers = {player.jersey_number for player in players if player.plays}
    names = {player.name.casefold() for player in players}
    lines = [_read_line(place, line) for place, line in _lines(text)]
    given_numbers = Counter(line.number for line in lines if line.number)
    given_names = Counter(line.name.casefold() for line in lines)
    for line in lines:
        if line.problems:
            continue
        number, name = line.number, line.name.casefold()
        problems = {
            _("Another player on this team has number %(number)s."): number and number in numbers,
            _("Number %(number)s is used more than once."): number and given_numbers[number] > 1,
            _("%(name)s is already on the roster."): name in names,
            _("%(name)s is listed more than once."): given_names[name] > 1,
        }
        about = {"number": number, "name": line.name}
        line.problems = tuple(problem % about for problem, is_so in problems.items() if is_so)
    return lines


def _lines(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.splitlines(), start=1)
    return [(place, line.strip()) for place, line in lines if line.strip()]


def _read_line(place: int, text: str) -> PastedLine:
    words = [word for word in SEPARATORS.split(text) if word]
    found = NUMBER.fullmatch(words[0]) if words else None
    number, words = (found[1], words[1:]) if found else ("", words)
    if not number and any(map(NUMBER.fullmatch, words)):
        problem = _("The number comes first, then the name, then the positions: 12 Lena Sommer SS.")
        return PastedLine(place, text, {}, (problem,))
    words, positions = _positions_after(words)
    first, second = [*positions, "", ""][:2]
    form = PlayerForm(
        {
            "number": number,
            "first_name": words[0] if words else "",
            "last_name": " ".join(words[1:]),
            "position": first,
            "second_position": second,
            "status": ACTIVE,
        }
    )
    problems = [str(message) for messages in form.errors.values() for message in messages]
    if len(positions) > MOST_POSITIONS:
        problems.append(_("A player has at most two positions."))
    return PastedLine(place, text, {} if problems else form.fields_of(), tuple(problems))


def _positions_after(words: list[str]) -> tuple[list[str], list[str]]:
    """Split off the positions at the end; the first word is always part of the name."""
    positions: list[str] = []
    while len(words) > 1 and words[-1].upper() in ON_A_ROSTER:
        positions.insert(0, words[-1].upper())
        words = words[:-1]
    return words, positions
