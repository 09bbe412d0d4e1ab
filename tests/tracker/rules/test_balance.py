"""Everybody who came to bat scored, was left on base or was put out, whatever was entered in which order."""

import random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dynamo.errors import Conflict, Invalid
from tests.tracker import season
from tests.tracker.club import ghost
from tests.tracker.scorebook import Played
from tracker.games.models import FINAL, IN_PROGRESS
from tracker.games.services import games
from tracker.rules import batting, box_scores, lineups, plays, results, season_rules
from tracker.rules.game_states import OPPONENT, OWN
from tracker.rules.replay import AN_OUT, LOST_RUNNER, SKIPPED, TAKEN_BASE, Rules
from tracker.scoring.models import AtBat
from tracker.scoring.services import lineup, scoring

NINE = [SimpleNamespace(id=f"player {number}") for number in range(1, 10)]
BENCH = [SimpleNamespace(id=f"bench {number}", name=f"bench {number}", plays=True) for number in range(1, 4)]
LEAGUES = [
    Rules(),
    Rules(run_limit=2, tie_breaker_from=3),
    Rules(run_limit=1, empty_place=AN_OUT, home_run_limit=2),
    Rules(empty_place=AN_OUT, tie_breaker_from=2),
    Rules(empty_place=SKIPPED, home_run_limit=0, home_run_above_limit=batting.SINGLE),
]
VERBS = (
    *("turn",) * 8,
    *("moved", "run", "courtesy", "end", "leave", "come in", "take back"),
    *("correct", "insert", "remove", "undo", "undo", "redo", "redo", "forfeit", "reopen"),
)
# Short games have no empty place whose turn comes, and no run above the limit.
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 10_000)), min_size=40, max_size=80)


class Ledger:
    """A game in memory, written by the rules that the services write with."""

    def __init__(self, league):
        team = SimpleNamespace(id="team")
        self.game, self.at_bats = season.told(team, NINE, [], game_id="game", status=IN_PROGRESS)
        self.game.rules = season_rules.stored(league)
        self.game.substitutions = []
        self.undone = []

    @property
    def box(self):
        return box_scores.box_of(self.game, self.at_bats)

    def play(self, result, moves=None, *, index=None):
        """At the end, or before the play at this place; of whoever bats there."""
        index = len(self.at_bats) if index is None else index
        box = box_scores.box_of(self.game, self.at_bats, until=index)
        batter = box_scores.batter_of(self.game, box.next_slot, self.at_bats, index)
        is_empty = box.next_slot in box_scores.empty_slots(self.game, self.at_bats, index)
        result = batting.EMPTY_PLACE if is_empty and result not in batting.NOT_TURNS else result
        at_end = index == len(self.at_bats)
        number = plays.number_after(self.at_bats) if at_end else plays.number_before(self.at_bats, index)
        return AtBat.in_game(
            self.game,
            number=number,
            player_id=batter,
            batting_order=box.next_slot,
            result=result,
            runners=None if result == batting.EMPTY_PLACE else moves,
        )

    def add(self, result, moves=None):
        self.at_bats.append(self.play(result, moves))
        self.undone = []

    def do(self, verb, chance):
        on_base = sorted(self.box.on_base)
        last = len(self.at_bats) - 1
        if verb == "turn":
            self.add(chance.choice(batting.RESULTS))
        elif verb == "moved":
            ends = [{"from": base, "to": chance.randint(base, 4)} for base in on_base]
            self.add("1B", [*ends, {"from": 0, "to": chance.randint(1, 4)}])
        elif verb == "run" and on_base:
            base = chance.choice(on_base)
            out = {"from": base, "out": True}
            self.add("RUN", [chance.choice([out, {"from": base, "to": base + 1}])])
        elif verb == "courtesy" and on_base:
            base, runner = chance.choice(on_base), chance.choice(BENCH).id
            self.add("RUN", [{"from": base, "to": base, "playerId": runner}])
        elif verb == "end":
            self.add("END")
        elif verb == "leave":
            self.game.substitutions = lineups.with_leaving(self.game, self.at_bats, chance.randint(1, 9))
        elif verb == "come in":
            who = chance.choice(BENCH)
            place = chance.randint(1, 9)
            self.game.substitutions = lineups.with_substitution(self.game, self.at_bats, place, who)
        elif verb == "take back" and lineups.can_take_back(self.game, self.at_bats):
            self.game.substitutions = self.game.substitutions[:-1]
        elif verb == "correct" and self.at_bats:
            self.at_bats[chance.randint(0, last)].result = chance.choice(batting.RESULTS)
        elif verb == "insert" and self.at_bats:
            index = chance.randint(0, last)
            self.at_bats.insert(index, self.play(chance.choice(batting.RESULTS), index=index))
        elif verb == "remove" and self.at_bats:
            del self.at_bats[chance.randint(0, last)]
        elif verb == "undo" and self.at_bats:
            self.undone.append(self.at_bats.pop())
        elif verb == "redo" and self.undone:
            self.at_bats = sorted([*self.at_bats, self.undone.pop()], key=lambda each: each.number)
        elif verb in ("forfeit", "reopen"):
            self.game.status = FINAL if verb == "forfeit" else IN_PROGRESS
            self.game.forfeited_to = OWN if verb == "forfeit" else None


@given(st.sampled_from(LEAGUES), STEPS)
def test_nobody_is_lost_unless_the_box_score_names_the_play(league, steps):
    ledger = Ledger(league)
    for verb, seed in steps:
        try:
            ledger.do(verb, random.Random(seed))
        except Invalid:
            continue
        box = ledger.box
        named = sum(problem.kind in (TAKEN_BASE, LOST_RUNNER) for problem in box.problems)
        assert box.imbalance == named
        assert (box.team.runs, sum(box.runs_by_inning)) == (box.runs, box.runs)
        turns = sum(at_bat.is_turn for at_bat in ledger.at_bats)
        assert box.team.plate_appearances == turns
        limit = league.run_limit
        assert limit is None or max(box.runs_by_inning) <= limit
        stored = box_scores.stored_box(ledger.game, ledger.at_bats, revision=1)
        came = turns + box.placed_runners + box.empty_outs
        standing = 0 if ledger.game.status == FINAL else int(stored.on_base)
        went = box.runs + int(stored.left_on_base) + standing + int(stored.putouts)
        assert came - went == named


@given(st.sampled_from(LEAGUES), STEPS)
def test_without_moves_that_contradict_each_other_everybody_is_accounted_for(league, steps):
    """What the rules assume fits whatever came before it."""
    ledger = Ledger(league)
    for verb, seed in steps:
        if verb in ("moved", "run", "courtesy"):
            continue
        try:
            ledger.do(verb, random.Random(seed))
        except Invalid:
            continue
        assert ledger.box.imbalance == 0


# --- As it is stored ----------------------------------------------------------------------------------------


def step_of(played, chance, bench):
    """One thing that somebody does with a game, by the services."""
    owner, game_id, story = played.owner, played.id, played.story()
    at_bats, game = story.at_bats, story.game
    box = box_scores.box_of(game, at_bats)
    batter = box_scores.batter_of(game, box.next_slot, at_bats, len(at_bats))
    any_play = chance.choice(at_bats) if at_bats else None
    turn = {"result": chance.choice([*results.AT_BAT]), "player_id": batter}
    base = chance.choice(sorted(box.on_base) or [1])
    moves = [{"from": base, "to": base, "playerId": chance.choice(bench).id}]
    correction = {"result": chance.choice([*results.AT_BAT]), "player_id": any_play and any_play.player_id}
    verbs = [
        *[lambda: scoring.record(owner, game_id, turn, seen=len(at_bats))] * 8,
        lambda: scoring.record(owner, game_id, {"result": "RUN", "runners": moves}, seen=len(at_bats)),
        lambda: scoring.record(owner, game_id, {"result": "END"}, seen=len(at_bats)),
        lambda: scoring.record(owner, game_id, {"result": "EP"}, seen=len(at_bats)),
        lambda: lineup.leave(owner, game_id, chance.randint(1, 9)),
        lambda: lineup.substitute(owner, game_id, chance.randint(1, 9), chance.choice(bench).id),
        lambda: lineup.take_back(owner, game_id),
        lambda: games.forfeit(owner, game_id, winner=chance.choice([OWN, OPPONENT])),
        lambda: games.move(owner, game_id, IN_PROGRESS),
    ]
    if at_bats:
        verbs += [
            *[lambda: scoring.undo(owner, game_id, at_bats[-1].id)] * 2,
            lambda: scoring.insert(owner, game_id, any_play.id, turn),
            lambda: scoring.remove(owner, game_id, any_play.id, seen_version=any_play.seen_version),
            lambda: scoring.correct(
                owner, game_id, any_play.id, correction, seen_version=any_play.seen_version
            ),
        ]
    if game.undone:
        verbs += [lambda: scoring.redo(owner, game_id, game.undone[-1]["atBatId"])] * 3
    return chance.choice(verbs)


@pytest.mark.parametrize("seed", range(3))
def test_the_stored_box_score_is_in_balance_after_every_write(db, seed):
    chance = random.Random(seed)
    league = Rules(run_limit=3, empty_place=AN_OUT, tie_breaker_from=3)
    played = Played(league=league)
    bench = [ghost(played.team, name, actor=played.owner) for name in ("Zoe", "Uli", "Max")]
    done = 0
    for _step in range(60):
        try:
            step_of(played, chance, bench)()
        except (Conflict, Invalid):
            continue
        done += 1
        # That the stored one is what the plate appearances come to, `box` proves itself.
        kept, story = played.box(), played.story()
        box = box_scores.box_of(story.game, story.at_bats)
        named = sum(problem.kind in (TAKEN_BASE, LOST_RUNNER) for problem in box.problems)
        assert box.imbalance == named
        if not story.game.forfeited_to:
            assert (int(kept.runs), int(story.game.team_score)) == (box.runs, box.runs)
        else:
            assert {int(story.game.team_score), int(story.game.opponent_score)} == {0, 7}
    assert done > 20
