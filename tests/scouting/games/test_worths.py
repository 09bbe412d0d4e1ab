"""The worths of the shipped games: official counts entered exactly give the official score."""

import json

import pytest
from django.conf import settings

from scouting.analysis.ratings import missing_figures
from scouting.games import definition
from scouting.tba.parsing import matches_of
from tests.scouting.analysis.breakdowns import crescendo, forms, rebuilt, reefscape

DATA = settings.BASE_DIR.parent / "shared" / "data"
EVENTS = {"2024nytr": 186, "2025mndu2": 192, "2026marea": 182}
# The official parts of autonomous by the names of each year; the rest of the score is teleop.
AUTO = {2024: "autoPoints", 2025: "autoPoints", 2026: "totalAutoPoints"}


def scored(year, told):
    """Autonomous and teleop of three perfect forms together."""
    scores = [definition.shipped(year).score(answers) for answers in forms(year, told)]
    return sum(each.auto for each in scores), sum(each.tele for each in scores)


@pytest.mark.parametrize(
    ("told", "auto", "tele"),
    [
        (crescendo(lines="YNY"), 4, 0),
        (crescendo(autoAmpNoteCount=2, autoSpeakerNoteCount=3), 4 + 15, 0),
        (crescendo(teleopAmpNoteCount=4, teleopSpeakerNoteCount=3), 0, 4 + 6),
        (crescendo(teleopSpeakerNoteAmplifiedCount=2, trapStageLeft=True, trapCenterStage=True), 0, 10 + 10),
        (crescendo(stages=("Parked", "StageLeft", "None")), 0, 1 + 3),
        (crescendo(stages=("Parked", "StageLeft", "None"), spotlit="StageLeft"), 0, 1 + 4),
        # Two on one chain are a harmony of 2 points, three one of 4; two on two chains are none.
        (crescendo(stages=("StageLeft", "None", "StageLeft")), 0, 3 + 3 + 2),
        (crescendo(stages=("CenterStage",) * 3, spotlit="CenterStage"), 0, 12 + 4),
        (crescendo(stages=("StageLeft", "StageRight", "None")), 0, 3 + 3),
    ],
)
def test_2024(told, auto, tele):
    assert scored(2024, told) == (auto, tele)


@pytest.mark.parametrize(
    ("told", "auto", "tele"),
    [
        (reefscape(lines="YYY"), 9, 0),
        (reefscape(lines="NYN"), 3, 0),
        (reefscape(troughs=(2, 3)), 6, 6),
        # Coral of auto stays on the reef; what was placed on it later is paid as in teleop.
        (reefscape(auto={"botRow": "A"}, after={"botRow": "AB"}), 4, 3),
        (reefscape(auto={"midRow": "AL"}, after={"midRow": "AL"}), 12, 0),
        (reefscape(auto={"midRow": "C"}, after={"midRow": "D"}), 6, 4),
        (reefscape(auto={"topRow": "EF"}, after={"topRow": "EFGHI"}), 14, 15),
        (reefscape(wallAlgaeCount=2, netAlgaeCount=3), 0, 12 + 12),
        (reefscape(cages=("Parked", "ShallowCage", "DeepCage")), 0, 2 + 6 + 12),
    ],
)
def test_2025(told, auto, tele):
    assert scored(2025, told) == (auto, tele)


@pytest.mark.parametrize(
    ("told", "auto", "tele"),
    [
        (rebuilt(fuel=(21, 59)), 21, 59),
        (rebuilt(auto=("Level1", "None", "Level1")), 30, 0),
        (rebuilt(tower=("Level1", "Level2", "Level3")), 0, 10 + 20 + 30),
    ],
)
def test_2026(told, auto, tele):
    assert scored(2026, told) == (auto, tele)


def test_algae_is_worth_the_same_in_auto():
    scores = definition.shipped(2025).score({"autoAlgaeProcessor": 1, "autoAlgaeNet": 1})
    assert (scores.auto, scores.tele) == (10, 0)


def test_who_ticks_harmony_is_told_what_it_counts():
    assert definition.shipped(2024).question("harmony").help == (
        "Only if another robot was on the chain before it: 2 points for each robot after the first."
    )


@pytest.mark.skipif(not DATA.exists(), reason="The data of the real events is not here.")
@pytest.mark.parametrize("event", EVENTS)
def test_every_figure_of_the_ranking_is_told_by_a_real_event(event):
    matches = matches_of(json.loads((DATA / f"frc_tba_{event}" / "matches.json").read_text()))
    ranking = definition.shipped(int(event[:4])).ranking
    assert len(ranking) >= 4
    assert missing_figures(matches, ranking) == []


@pytest.mark.skipif(not DATA.exists(), reason="The data of the real events is not here.")
@pytest.mark.parametrize(("event", "alliances"), EVENTS.items())
def test_every_alliance_of_a_real_event_has_its_official_score_without_fouls(event, alliances):
    year, seen = int(event[:4]), 0
    for match in json.loads((DATA / f"frc_tba_{event}" / "matches.json").read_text()):
        for colour, told in match["score_breakdown"].items():
            official = told["totalPoints"] - told["foulPoints"] - told["adjustPoints"]
            auto = told[AUTO[year]]
            assert scored(year, told) == (auto, official - auto), (match["key"], colour)
            seen += 1
    assert seen == alliances
