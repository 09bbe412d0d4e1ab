"""Presenters of scoring: the situation, the line score and the plays. No requests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.dynamo.errors import Text
from tracker.games.models import FINAL, IN_PROGRESS, Game
from tracker.roster.models import Player
from tracker.rules import batting, box_scores, game_end, plays, replay, results
from tracker.rules import season_rules as rules
from tracker.rules.box_scores import box_of
from tracker.rules.replay import Appearance, Box, Play, Rules
from tracker.rules.runners import BASES, BATTER, HOME, OUTS_OF_AN_INNING, Move, assumed_moves, usual_moves
from tracker.scoring.models import AtBat

Names = Callable[[str], str]


@dataclass(frozen=True)
class Situation:
    """The state of the game before the plate appearance at `index`."""

    game: Game
    at_bats: Sequence[AtBat]
    index: int
    # The players of the team, if a page has read the roster; without them names are ids.
    players: Sequence[Player] | None = None

    @cached_property
    def name_of(self) -> Names:
        return str if self.players is None else names_of(self.players)

    @cached_property
    def slots(self) -> Mapping[str, int]:
        """Slots by player id of those who can bat now; of a recorded play with its batter."""
        is_recorded = self.index < len(self.at_bats)
        return plays.slots_for_entry(self.game, self.at_bats, self.index, is_recorded)

    @cached_property
    def box(self) -> Box:
        return box_of(self.game, self.at_bats, until=self.index)

    @property
    def rules(self) -> Rules:
        return rules.from_stored(self.game.rules)

    @property
    def has_lineup(self) -> bool:
        return bool(self.game.lineup)

    @property
    def batter(self) -> str | None:
        """The player whose turn it is."""
        return box_scores.batter_of(self.game, self.box.next_slot, self.at_bats, self.index)

    @cached_property
    def empty_slots(self) -> set[int]:
        return box_scores.empty_slots(self.game, self.at_bats, self.index)

    @property
    def is_place_empty(self) -> bool:
        """Whether it is the turn of an empty slot."""
        return self.box.next_slot in self.empty_slots

    @property
    def batters_left(self) -> int:
        return len(self.game.lineup or ()) - len(self.empty_slots)

    @property
    def on_deck(self) -> str | None:
        """The batter after the current one."""
        count, slot = len(self.game.lineup or ()), self.box.next_slot
        after = [(slot + step) % count + 1 for step in range(count)]
        slot = next((each for each in after if each not in self.empty_slots), 0)
        return box_scores.batter_of(self.game, slot, self.at_bats, self.index)

    def usual(self, result: str) -> tuple[Move, ...]:
        """The moves that a play with this result has if none are stored."""
        return usual_moves(self.counted_as(result), self.box.on_base, self.box.outs)

    def assumed(self, result: str, entered: Mapping[int, bool]) -> tuple[Move, ...]:
        """The moves that the form assumes, see `runners.assumed_moves`."""
        return assumed_moves(self.counted_as(result), self.box.on_base, self.box.outs, entered)

    @property
    def runs_left(self) -> int | None:
        """How many runs can still score in this half-inning; None without a limit."""
        limit = self.rules.run_limit
        return None if limit is None else limit - self.box.runs_by_inning[-1]

    def counted_as(self, result: str) -> str:
        return replay.counted_as(result, self.box.plays, self.rules)

    def next_appearance(self, result: str, moves: tuple[Move, ...] | None = None) -> Appearance:
        """A play of the batter that is not stored yet."""
        number = plays.number_after(self.at_bats[: self.index])
        slot = self.box.next_slot
        return Appearance(number, slot, self.batter or "", result, moves)

    def next_plays(self, candidates: Iterable[Appearance]) -> list[tuple[Play, Box]]:
        """For each candidate: its play here, and the box score right after it."""
        return box_scores.next_plays_of(self.game, self.at_bats, self.index, candidates)

    @cached_property
    def struck_out_for(self) -> list[str]:
        """The earlier batters of slots with a substitute, to whom a strikeout may be charged."""
        return [
            earlier
            for player, slot in self.slots.items()
            for earlier in plays.batters_before(self.game, self.at_bats, self.index, slot, player)
        ]


@dataclass(frozen=True)
class Base:
    number: int
    title: Text
    runner: str = ""


@dataclass(frozen=True)
class Inning:
    """Runs of both sides; None if not recorded."""

    number: int
    ours: int | None
    theirs: int | None


@dataclass(frozen=True)
class PlayRow:
    """A play in the list of plays."""

    at_bat: AtBat
    batter: str
    title: Text
    details: str


def board(game: Game, at_bats: Sequence[AtBat], box: Box, name_of: Names) -> dict[str, Any]:
    """The context that the scoring screen and the live page share."""
    return {
        "game": game,
        "box": box,
        "half": half(game, box),
        "is_live": game.status == IN_PROGRESS,
        "bases": bases(game, box, name_of),
        "outs": range(box.outs),
        "line_score": line_score(game, box),
        "innings": by_inning(at_bats, box, name_of),
    }


def names_of(players: Iterable[Player], *, is_public: bool = False) -> Names:
    """A function from player id to number and name; on public pages private players have only the number."""
    known = {player.id: _label(player, is_public and player.is_private) for player in players}
    return lambda player_id: known.get(player_id, _("Someone"))


def _label(player: Player, is_nameless: bool) -> str:
    number = f"#{player.jersey_number}" if player.jersey_number else ""
    return number or _("A player") if is_nameless else f"{number} {player.name}".strip()


def bases(game: Game, box: Box, name_of: Names) -> list[Base]:
    """The bases with their runners; of a final game none in an inning without a play."""
    is_begun = box.innings_begun == box.inning
    on_base = box.on_base if is_begun or game.status != FINAL else {}
    return [
        Base(base, results.BASES[base], name_of(on_base[base]) if base in on_base else "") for base in BASES
    ]


def half(game: Game, box: Box) -> str:
    """The team's half-inning, such as "Top 3". Before its first batter the opponent may still be batting."""
    number, is_begun = box.inning, box.innings_begun == box.inning
    if game.is_home and game.status == FINAL and box.innings_begun:
        number, words = box.innings_begun, _("Bottom %(number)d")
    elif game.is_home:
        words = _("Bottom %(number)d") if is_begun else _("Inning %(number)d")
    elif is_begun or number == 1:
        words = _("Top %(number)d")
    else:
        number, words = number - 1, _("After top %(number)d")
    return words % {"number": number}


def line_score(game: Game, box: Box) -> list[Inning]:
    """At least as many innings as the rules have; innings without a play have no runs."""
    least = rules.from_stored(game.rules).innings
    ours: list[int | None] = [*box.runs_by_inning[: box.innings_begun]]
    theirs: list[int | None] = [int(runs) for runs in game.opponent_by_inning or ()]
    blank = [None] * least
    both = zip_longest(ours, theirs, blank)
    return [Inning(number, one, other) for number, (one, other, _none) in enumerate(both, start=1)]


def has_ended(game: Game, box: Box) -> bool:
    theirs = [int(runs) for runs in game.opponent_by_inning or ()]
    league = rules.from_stored(game.rules)
    return game_end.has_ended(box, theirs, league, is_home=bool(game.is_home))


def by_inning(at_bats: Sequence[AtBat], box: Box, name_of: Names) -> list[tuple[int, list[PlayRow]]]:
    """The plays of each inning, the newest first."""
    newest_first = reversed(list(zip(at_bats, box.plays, strict=True)))
    return [
        (inning, [_row(at_bat, play, name_of) for at_bat, play in group])
        for inning, group in groupby(newest_first, key=lambda pair: pair[1].inning)
    ]


def title_of(at_bat: AtBat, name_of: Names) -> str:
    """A play in a few words: Single, #7 Ada; Runners: 1st → 2nd."""
    if at_bat.result != batting.BETWEEN_TURNS:
        return play_title(at_bat.result, name_of(at_bat.player_id))
    moves = ", ".join(_move_title(each, name_of) for each in at_bat.runners or ())
    return f"{results.TITLES[at_bat.result]}: {moves}"


def _move_title(move: Mapping[str, Any], name_of: Names) -> str:
    base = results.BASES[move["from"]]
    if move.get("playerId") and move.get("to") == move["from"]:
        return f"{base}: {name_of(move['playerId'])}"
    return f"{base} \N{RIGHTWARDS ARROW} {_('Out') if move.get('out') else results.BASES[move['to']]}"


def play_title(result: str, name: str) -> str:
    title = str(results.TITLES.get(result, result))
    return title if result in batting.NOT_TURNS else f"{title}, {name}"


def between_turns(play: Play, name_of: Names) -> str:
    """A play that is no turn, as text: Ada home, Bea out from 1st."""
    if play.result != batting.BETWEEN_TURNS:
        return str(results.TITLES[play.result])
    return ", ".join(_moved(name_of(runner), move) for runner, move in play.moved)


def summary(play: Play, after: Box, name_of: Names) -> str:
    """A play in one line: Out: runner from 1st. Batter → 1st. 1 out."""
    moves = [move for _runner, move in play.moved]
    appearance = play.appearance
    parts = []
    if play.result != appearance.result:
        parts.append(_("Counts as %(result)s.") % {"result": results.TITLES[play.result]})
    if appearance.owner != appearance.player:
        parts.append(_("Charged to %(name)s.") % {"name": name_of(appearance.owner)})
    if play.result == batting.EMPTY_PLACE:
        parts.append(_("Out: nobody bats in place %(place)d.") % {"place": appearance.slot})
    out = [_who(move) for move in moves if move.out]
    if out:
        parts.append(_("Out: %(who)s.") % {"who": ", ".join(out)})
    home = [_who(move) for move in moves if move.scores]
    if home:
        parts.append(_("Home: %(who)s.") % {"who": ", ".join(home)})
    moved = [_arrow(move) for move in moves if not move.out and move.end not in (HOME, move.start)]
    if moved:
        parts.append(f"{capfirst(', '.join(moved))}.")
    for move in moves:
        if move.player:
            runner = {"name": name_of(move.player), "base": results.BASES[move.start]}
            parts.append(_("%(name)s runs from %(base)s.") % runner)
    if play.runs_batted_in:
        parts.append(_("%(count)d RBI.") % {"count": play.runs_batted_in})
    return " ".join([*parts, _outs_after(play, after)])


def _who(move: Move) -> str:
    if move.start == BATTER:
        return _("batter")
    return _("runner from %(base)s") % {"base": results.BASES[move.start]}


def _arrow(move: Move) -> str:
    start = _("batter") if move.start == BATTER else results.BASES[move.start]
    return f"{start} \N{RIGHTWARDS ARROW} {results.BASES[move.end]}"


def _outs_after(play: Play, after: Box) -> str:
    outs = play.outs_before + play.outs
    words = ngettext("%(count)d out.", "%(count)d outs.", outs) % {"count": outs}
    if after.inning == play.inning:
        return words
    if outs < OUTS_OF_AN_INNING and play.runs:
        return f"{words} {_('The run limit is reached: the half-inning is over.')}"
    return f"{words} {_('The half-inning is over.')}"


def _moved(name: str, move: Move) -> str:
    if move.out:
        return _("%(name)s out from %(base)s") % {"name": name, "base": results.BASES[move.start]}
    if move.scores:
        return _("%(name)s home") % {"name": name}
    if move.player and move.end == move.start:
        return _("%(name)s runs on %(base)s") % {"name": name, "base": results.BASES[move.end]}
    return _("%(name)s on %(base)s") % {"name": name, "base": results.BASES[move.end]}


def opponent_of(game: Game) -> str:
    return str(game.opponent_name or _("Opponent"))


def opponent_innings(game: Game) -> list[Inning]:
    theirs = enumerate(game.opponent_by_inning or (), start=1)
    return [Inning(number, None, int(runs)) for number, runs in theirs]


def _row(at_bat: AtBat, play: Play, name_of: Names) -> PlayRow:
    details = [_("between turns")] if at_bat.result == batting.BETWEEN_TURNS else []
    if play.runs:
        details.append(_("%(count)d in") % {"count": play.runs})
    if play.runs_batted_in:
        details.append(_("%(count)d RBI") % {"count": play.runs_batted_in})
    if play.outs:
        details.append(_("%(count)d out") % {"count": play.outs})
    if play.result != at_bat.result:
        # A home run above the limit of the league.
        details.append(_("counts as %(result)s") % {"result": results.TITLES[play.result]})
    if at_bat.result == batting.STRIKEOUT and at_bat.charged_to:
        details.append(_("charged to %(name)s") % {"name": name_of(at_bat.charged_to)})
    title = results.TITLES.get(at_bat.result, at_bat.result)
    who = name_of(at_bat.player_id) if at_bat.is_turn else between_turns(play, name_of)
    return PlayRow(at_bat, who, title, ", ".join(details))
