"""The posted line-up with the buttons that change its order, and the form of a substitution."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from tracker.roster.models import Player
from tracker.rules import lineups
from tracker.rules.lineups import Entry

# The most players that are read from a posted order; no line-up is longer.
MOST_SENT = 60
# The prefix of the names of position fields; the player's id follows.
POSITION = "position-"
NOT_CHOSEN = ("", _("Choose"))
NOBODY_COMES = ("nobody", _("Nobody: leaves without a substitute"))


@dataclass(frozen=True)
class TypedLineup:
    """The state of the form. `focus` is the id, after the press, of the button that was pressed."""

    order: tuple[str, ...]
    positions: dict[str, str]
    focus: str = ""

    @classmethod
    def of(cls, lineup: Sequence[Entry]) -> "TypedLineup":
        ordered = sorted(lineup, key=lambda entry: int(entry["battingOrder"]))
        positions = {entry["playerId"]: entry.get("position") or "" for entry in lineup}
        return cls(tuple(entry["playerId"] for entry in ordered), positions)

    @classmethod
    def posted(cls, data: QueryDict) -> "TypedLineup":
        order = tuple(data.getlist("order")[:MOST_SENT])
        # Also of players on the bench, who keep the position when they are put in.
        positions = {
            name.removeprefix(POSITION): data.get(name, "") for name in data if name.startswith(POSITION)
        }
        return cls(order, positions)

    def entries(self) -> list[Entry]:
        return lineups.entries(self.order, self.positions)

    def pressed(self, button: str) -> "TypedLineup":
        """The state after a button `verb:player`, where verb is up, down, out or in."""
        verb, _colon, player = button.partition(":")
        order = list(self.order)
        if verb == "in" and player not in order:
            return TypedLineup((*order, player), self.positions, focus=f"up-{player}")
        if player not in order:
            return self
        place = order.index(player)
        order.remove(player)
        if verb == "out":
            return TypedLineup(tuple(order), self.positions, focus=f"in-{player}")
        if verb in ("up", "down"):
            place = max(place - 1, 0) if verb == "up" else min(place + 1, len(order))
            order.insert(place, player)
            return TypedLineup(tuple(order), self.positions, focus=f"{verb}-{player}")
        return self


class LineupForm(RefusableForm):
    """The posted line-up, which the service validates. The buttons that change it only help to fill it in."""

    @property
    def typed(self) -> TypedLineup:
        posted = cast(QueryDict, self.data)
        return TypedLineup.posted(posted).pressed(posted.get("do", ""))

    def wants_help(self) -> bool:
        return "do" in self.data


class SubstituteForm(RefusableForm):
    slot = forms.TypedChoiceField(label=_("Place in the order"), coerce=int)
    player = forms.ChoiceField(label=_("Comes in"))

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        slots: Sequence[tuple[int, str]],
        bench: Sequence[Player],
    ) -> None:
        super().__init__(data, use_required_attribute=False)
        self.fields["slot"].choices = [NOT_CHOSEN, *slots]  # type: ignore[attr-defined]
        self.fields["player"].choices = [  # type: ignore[attr-defined]
            NOT_CHOSEN,
            *((each.id, each.name) for each in bench),
            NOBODY_COMES,
        ]

    def full_clean(self) -> None:
        if "take_back" in self.data:
            # The last substitution is taken back whatever is chosen.
            self.show_as_typed()
        else:
            super().full_clean()
