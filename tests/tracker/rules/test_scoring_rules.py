"""The rules of the scoring screen, over the vectors that the browser's are tried with too."""

import json
from pathlib import Path

import pytest

from tracker.rules import results, season_rules
from tracker.rules.replay import Appearance, counted_as, replay
from tracker.rules.runners import Move, assumed_moves

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text())


def moves_of(play, before, league):
    if "said" in play:
        said = {int(start): is_out for start, is_out in play["said"].items()}
        return assumed_moves(
            counted_as(play["result"], before.plays, league), before.on_base, before.outs, said
        )
    if "moves" not in play:
        return None
    return tuple(Move(each["from"], each.get("to", 0), each.get("out", False)) for each in play["moves"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_inning_the_outs_the_bases_and_the_next_batter_follow_from_the_plays(vector):
    told, league = [], season_rules.from_stored(vector["rules"])
    box = replay(told, league, slots=vector["slots"])
    for number, play in enumerate(vector["plays"], start=1):
        player = f"batter {play['slot']}"
        told.append(Appearance(number, play["slot"], player, play["result"], moves_of(play, box, league)))
        box = replay(told, league, slots=vector["slots"])
        assert {
            "inning": box.inning,
            "outs": box.outs,
            "bases": sorted(box.on_base),
            "next": box.next_slot,
            "runs": box.runs,
        } == play["after"], number
        assert box.plays[-1].runs_batted_in == play.get("rbi", box.plays[-1].runs_batted_in), number


def test_every_result_is_in_the_vectors():
    assert {play["result"] for vector in VECTORS for play in vector["plays"]} == set(results.TITLES)
