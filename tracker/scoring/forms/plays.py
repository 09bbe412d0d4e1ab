"""Forms of a plate appearance: the result, and entries where it differs from the usual moves."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext_lazy as _

from core.common.http import small_number
from core.crud.forms import RefusableForm
from core.dynamo.errors import Text
from tracker.rules import batting, plays, results, runners, season_rules
from tracker.rules.replay import Appearance
from tracker.rules.runners import BASES, BATTER, HOME, OUTS_OF_AN_INNING, Move
from tracker.scoring import presenters
from tracker.scoring.models import AtBat
from tracker.scoring.presenters import Situation

# Width and height of the field's image in pixels. Without JavaScript an image button sends pixels.
FIELD_SIZE = 320
MOST_BATTED_IN = 4
LONGEST_ID = 64
# Fields about the batter, which a play between turns does not have.
OF_THE_BATTER = ("player", "rbis", "hit_type", "hit_x", "hit_y", "charged_to", f"runner_{BATTER}")
OUT = "out"
AS_USUAL = ("", _("as usual"))
ENDS = [(str(base), title) for base, title in results.BASES.items()]
IMPOSSIBLE: Mapping[str, Text] = {
    runners.NO_SACRIFICE: _(
        "A sacrifice needs fewer than two outs and a runner who advances. Choose another kind of out."
    ),
    runners.NO_DOUBLE_PLAY: _("A double play puts out two. Say which runner, or choose another kind of out."),
    runners.NO_CHOICE: _("Without a runner there is no fielder's choice. Choose a hit, an error or an out."),
    runners.NOBODY_MOVED: _("Say which runner moved or was put out."),
}
NO_RUN_COUNTS = _(
    "No run counts: the third out was made before first base or on a forced runner. If the run came "
    "home before that, record it first with Runners."
)
TOO_MANY_BATTED_IN = _("There cannot be more RBI than runs. Only a home run bats in the batter's own run.")
BATS_IN_ONE = _("A home run or a sacrifice fly has at least one RBI.")
CANNOT_BAT_IN = _("This result cannot have that many RBI.")
NOBODY_ELSE = _("Choose someone who is neither batting nor on base.")
SCORED = [{"from": BATTER, "to": HOME}]


class TurnForm(RefusableForm):
    """The fields of every plate appearance."""

    result = forms.ChoiceField(
        choices=list(results.AT_BAT.items()),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a result."), "invalid_choice": _("Choose a result.")},
    )
    rbis = forms.TypedChoiceField(
        label=_("Runs batted in"),
        choices=[AS_USUAL, *((str(count), str(count)) for count in range(MOST_BATTED_IN + 1))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    hit_type = forms.ChoiceField(
        label=_("Kind of ball"), choices=[("", "\N{EN DASH}"), *results.HIT_TYPES.items()], required=False
    )
    hit_x = forms.FloatField(min_value=0, max_value=1, required=False, widget=forms.HiddenInput)
    hit_y = forms.FloatField(min_value=0, max_value=1, required=False, widget=forms.HiddenInput)

    use_required_attribute = False

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        return cleaned | {"hit_location": self._location(cleaned)}

    def fields_of(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "result": cleaned["result"],
            "player_id": cleaned["player"],
            "hit_location": cleaned["hit_location"],
            "hit_type": cleaned["hit_type"] or None,
            "rbis": cleaned["rbis"],
            "runners": cleaned["runners"],
            "charged_to": cleaned.get("charged_to") or None,
        }

    def has_special_choices(self) -> bool:
        """Whether more is entered than the result and the hit location."""
        return False

    def ensure_can_bat_in(self, result: str, rbis: int | None, *, to_bat_in: int = MOST_BATTED_IN) -> None:
        """Add an error if the result cannot bat in so many runs; `to_bat_in` is how many come home."""
        if rbis is None:
            return
        possible = runners.batted_in_by(result)
        if rbis > to_bat_in and to_bat_in < possible[-1]:
            self.add_error("rbis", TOO_MANY_BATTED_IN)
        elif rbis not in possible:
            self.add_error("rbis", BATS_IN_ONE if rbis < possible.start else CANNOT_BAT_IN)

    def _location(self, cleaned: Mapping[str, Any]) -> dict[str, float] | None:
        if cleaned.get("result") in results.NOT_IN_PLAY:
            return None
        x, y = cleaned.get("hit_x"), cleaned.get("hit_y")
        if x is None or y is None:
            x, y = (_share_of_field(self.data.get(f"at.{axis}")) for axis in "xy")
        return None if x is None or y is None else {"x": round(x, 3), "y": round(y, 3)}


class RunnerField(forms.ChoiceField):
    """Accepts every id, because only pages read the roster; the write refuses players who are not on it."""

    def valid_value(self, value: str) -> bool:
        return super().valid_value(value) or len(value) <= LONGEST_ID


class PlayForm(TurnForm):
    """The form for a team with a line-up; runners are entered only if they differ from the usual moves."""

    player = forms.ChoiceField(label=_("Batter"))
    charged_to = forms.ChoiceField(label=_("A strikeout belongs to"), required=False)

    def __init__(
        self,
        situation: Situation,
        data: Mapping[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        self.situation = situation
        super().__init__(data, initial={"player": situation.batter, **(initial or {})})
        self.fields["player"].choices = self._named(situation.slots)  # type: ignore[attr-defined]
        if situation.box.on_base:
            self.fields["result"].choices = list(results.WITH_RUNNERS.items())  # type: ignore[attr-defined]
        for start in self.starts:
            self.fields[f"runner_{start}"] = forms.ChoiceField(
                label=self.runner_name(start),
                choices=[AS_USUAL, *ENDS[max(start - 1, 0) :], (OUT, _("Out"))],
                required=False,
            )
            if start != BATTER:
                self.fields[f"ran_{start}"] = RunnerField(
                    label=_("Who ran"),
                    choices=[("", "\N{EN DASH}"), *self._named(self._off_base())],
                    required=False,
                    error_messages={"invalid_choice": NOBODY_ELSE},
                )
        if situation.struck_out_for:
            whom: Any = [("", _("the batter")), *self._named(situation.struck_out_for)]
            self.fields["charged_to"].choices = whom  # type: ignore[attr-defined]
        else:
            del self.fields["charged_to"]

    @property
    def starts(self) -> list[int]:
        """The starts of possible moves: the bases of runners, the lead runner first, and BATTER."""
        return [*(base for base in reversed(BASES) if base in self.situation.box.on_base), BATTER]

    @property
    def runners(self) -> list[tuple[forms.BoundField, forms.BoundField | None, int]]:
        return [
            (self[f"runner_{start}"], self[f"ran_{start}"] if start != BATTER else None, start)
            for start in self.starts
        ]

    def script_data(self) -> str:
        """JSON with which the script computes the usual moves."""
        box, league = self.situation.box, self.situation.rules
        return json.dumps(
            {
                "bases": sorted(box.on_base),
                "outs": box.outs,
                "runsLeft": self.situation.runs_left,
                "homeRuns": sum(play.appearance.result == batting.HOME_RUN for play in box.plays),
                "rules": season_rules.stored(league),
                "words": {
                    "usual": str(AS_USUAL[1]),
                    "rbi": str(_("RBI")),
                    "bases": {base: str(title) for base, title in results.BASES.items()},
                },
            }
        )

    def runner_name(self, start: int) -> str:
        if start == BATTER:
            return str(_("Batter"))
        name = self.situation.name_of(self.situation.box.on_base[start])
        return str(_("%(name)s on %(base)s")) % {"name": name, "base": results.BASES[start]}

    def has_special_choices(self) -> bool:
        special = ("runner_", "ran_", "rbis", "charged_to")
        is_entered = any(value for name, value in self.cleaned_data.items() if name.startswith(special))
        return is_entered or self.cleaned_data.get("player") != self.situation.batter

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("result") == batting.BETWEEN_TURNS:
            cleaned |= self._without_batter()
        return cleaned | {"runners": self._moves(cleaned) if cleaned.get("result") else None}

    @classmethod
    def initial_of(cls, at_bat: AtBat, situation: Situation) -> dict[str, Any]:
        """The initial values of a correction."""
        place = at_bat.hit_location or {}
        initial = {
            "result": at_bat.result,
            "player": at_bat.player_id,
            "hit_type": at_bat.hit_type or "",
            "rbis": "" if at_bat.rbis is None else str(int(at_bat.rbis)),
            "charged_to": at_bat.charged_to or "",
            "hit_x": place.get("x"),
            "hit_y": place.get("y"),
            "scored": any(move.get("to") == HOME for move in at_bat.runners or ()),
        }
        for move in _stored_moves(at_bat, situation):
            initial[f"runner_{move['from']}"] = OUT if move.get("out") else str(move["to"])
            initial[f"ran_{move['from']}"] = move.get("playerId") or ""
        return initial

    def _moves(self, cleaned: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        """All moves, as stored; None if they are the usual ones."""
        result, situation = cleaned["result"], self.situation
        outs = {start: end == OUT for start in self.starts if (end := cleaned.get(f"runner_{start}"))}
        assumed = {move.start: move for move in situation.assumed(result, outs)}
        entered = [_entered_move(start, cleaned, assumed.get(start)) for start in self.starts]
        moves = [*(assumed | {move.start: move for move in entered if move}).values()]
        self._ensure_somebody_else_ran(cleaned.get("player"), moves)
        field, text = self._refusal(result, moves)
        if text:
            raise ValidationError({field or NON_FIELD_ERRORS: text})
        counted = situation.counted_as(result)
        to_bat_in = runners.runs_to_bat_in(counted, moves)
        if situation.runs_left is not None:
            to_bat_in = min(to_bat_in, situation.runs_left)
        self.ensure_can_bat_in(counted, cleaned.get("rbis"), to_bat_in=to_bat_in)
        unusual = self._unusual(result, moves)
        return None if unusual is None else plays.stored_moves(unusual)

    def _unusual(self, result: str, moves: Iterable[Move]) -> tuple[Move, ...] | None:
        """The moves, the lead runner first; None if they are the usual ones."""
        in_order = sorted(moves, key=lambda move: move.start, reverse=True)
        return None if set(in_order) == set(self.situation.usual(result)) else tuple(in_order)

    def summaries(self) -> list[tuple[str, str]]:
        """Each result with a one-line summary of what would be stored by default, or why it is impossible."""
        situation = self.situation
        lines: dict[str, str] = {}
        possible: list[Appearance] = []
        for result, _title in self.fields["result"].choices:  # type: ignore[attr-defined]
            moves = situation.assumed(result, {})
            lines[result] = str(self._refusal(result, moves)[1])
            if not lines[result]:
                possible.append(situation.next_appearance(result, self._unusual(result, moves)))
        for play, box in situation.next_plays(possible):
            lines[play.appearance.result] = presenters.summary(play, box, situation.name_of)
        return [*lines.items()]

    def _without_batter(self) -> dict[str, Any]:
        """Clear the fields about the batter, with their errors; the player is the one at bat."""
        for name in OF_THE_BATTER:
            self.errors.pop(name, None)
        return {**dict.fromkeys(OF_THE_BATTER), "hit_location": None, "player": self.situation.batter}

    def _off_base(self) -> list[str]:
        """The possible substitute runners: players in the game who are not on base, then the bench."""
        game, on_base = self.situation.game, self.situation.box.on_base.values()
        entries = sorted((*(game.lineup or ()), *(game.substitutions or ())), key=itemgetter("battingOrder"))
        bench = (player.id for player in self.situation.players or () if player.plays)
        everybody = dict.fromkeys((*(each["playerId"] for each in entries), *bench))
        return [player for player in everybody if player not in on_base]

    def _ensure_somebody_else_ran(self, batter: str | None, moves: Iterable[Move]) -> None:
        running_already = {batter, *self.situation.box.on_base.values()}
        for move in moves:
            if move.player and move.player in running_already:
                self.add_error(f"ran_{move.start}", NOBODY_ELSE)
            running_already.add(move.player)

    def _refusal(self, result: str, moves: Sequence[Move]) -> tuple[str | None, Text]:
        """Why the moves are impossible, with the field concerned; an empty text if they are possible."""
        box = self.situation.box
        moved = {move.start for move in moves}
        staying = [base for base in box.on_base if base not in moved]
        ends = [*staying, *(move.end for move in moves if not move.out and move.end != HOME)]
        if len(ends) != len(set(ends)):
            return None, _("Two runners cannot be on the same base.")
        if box.outs + sum(move.out for move in moves) > OUTS_OF_AN_INNING:
            return None, _("An inning has only three outs.")
        counted = self.situation.counted_as(result)
        problem = runners.impossible(counted, moves, box.on_base, box.outs)
        if problem is not None:
            return "result", IMPOSSIBLE[problem]
        scores = any(move.scores for move in moves)
        if scores and runners.no_run_counts(counted, moves, box.on_base, box.outs):
            return None, NO_RUN_COUNTS
        return None, ""

    def _named(self, player_ids: Any) -> list[tuple[str, str]]:
        return [(player_id, self.situation.name_of(player_id)) for player_id in player_ids]


class OwnPlayForm(TurnForm):
    """The form of a personal team, whose owner records their own turns only: no runners, no innings."""

    player = forms.CharField(max_length=64, widget=forms.HiddenInput)
    scored = forms.BooleanField(label=_("I scored"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        # A home run implies the batter's own run.
        result = cleaned.get("result", "")
        has_scored = cleaned.get("scored") and result != batting.HOME_RUN
        self.ensure_can_bat_in(result, cleaned.get("rbis"))
        return cleaned | {"runners": SCORED if has_scored else None}


def form_for(
    situation: Situation, data: Mapping[str, Any] | None = None, initial: Mapping[str, Any] | None = None
) -> TurnForm:
    if situation.has_lineup:
        return PlayForm(situation, data, initial=initial)
    # Whoever has a personal team is its only player.
    owner = situation.players[0].id if situation.players else ""
    return OwnPlayForm(data, initial={**(initial or {}), "player": owner})


class OpponentForm(RefusableForm):
    """The opponent's runs in one inning; `was` is the value that the page showed."""

    inning = forms.IntegerField(min_value=1, max_value=99)
    runs = forms.IntegerField(min_value=0, max_value=999, required=False)
    was = forms.IntegerField(min_value=0, max_value=999, required=False)


def _stored_moves(at_bat: AtBat, situation: Situation) -> Sequence[Mapping[str, Any]]:
    """The moves to prefill: also the usual ones, if the form would assume others now."""
    if at_bat.runners is not None or not situation.has_lineup:
        return at_bat.runners or ()
    usual = situation.usual(at_bat.result)
    return () if set(usual) == set(situation.assumed(at_bat.result, {})) else plays.stored_moves(usual)


def _entered_move(start: int, cleaned: Mapping[str, Any], assumed: Move | None) -> Move | None:
    """The move of one runner as entered, based on the assumed one; None without an entry."""
    end, ran = cleaned.get(f"runner_{start}") or "", cleaned.get(f"ran_{start}") or None
    if not end and not ran:
        return None
    move = assumed or Move(start, start)
    if end:
        move = Move(start, out=True) if end == OUT else Move(start, int(end))
    stays = move.end == start and not move.out and not ran and assumed is None
    return None if stays else replace(move, player=ran)


def _share_of_field(pixels: Any) -> float | None:
    """A coordinate of an image button as a share of the field; 0 means that the keyboard was used."""
    place = small_number(str(pixels or ""))
    return min(place / FIELD_SIZE, 1.0) if place else None
