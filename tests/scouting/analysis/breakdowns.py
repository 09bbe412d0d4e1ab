"""Official score breakdowns as perfect scouts would have filled in the forms of the three robots."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

Answers = dict[str, Any]
ROBOTS = (1, 2, 3)
STAGES = {"StageLeft": "micStageLeft", "CenterStage": "micCenterStage", "StageRight": "micStageRight"}
ROWS = {"L2": "botRow", "L3": "midRow", "L4": "topRow"}
CAGES = {"None": "none", "Parked": "park", "ShallowCage": "shallow", "DeepCage": "deep"}
LEVELS = {"None": "none", "Level1": "one", "Level2": "two", "Level3": "three"}


def forms(year: int, told: Mapping[str, Any]) -> list[Answers]:
    """The answers of three forms; what is counted for the alliance as a whole is in the first one."""
    first, *others = [OF_ROBOT[year](told, robot) for robot in ROBOTS]
    return [first | COUNTED[year](told), *others]


def _crescendo_robot(told: Mapping[str, Any], robot: int) -> Answers:
    place = told[f"endGameRobot{robot}"]
    before = [told[f"endGameRobot{other}"] for other in ROBOTS if other < robot]
    stage = {"Parked": "park"}.get(place, "none")
    if place in STAGES:
        stage = "onstageSpotlit" if told[STAGES[place]] else "onstage"
    return {
        "leave": told[f"autoLineRobot{robot}"] == "Yes",
        "stage": stage,
        # Of the robots on one chain all but the first are paid for it.
        "harmony": place in STAGES and place in before,
    }


def _crescendo_counts(told: Mapping[str, Any]) -> Answers:
    return {
        "autoAmpsNotes": told["autoAmpNoteCount"],
        "autoSpeakersNotes": told["autoSpeakerNoteCount"],
        "teleAmpsNotes": told["teleopAmpNoteCount"],
        "teleSpeakersNotes": told["teleopSpeakerNoteCount"],
        "teleAmplifiedSpeakersNotes": told["teleopSpeakerNoteAmplifiedCount"],
        "teleTrapsNotes": sum(told[f"trap{stage}"] for stage in STAGES),
    }


def _reefscape_robot(told: Mapping[str, Any], robot: int) -> Answers:
    return {
        "leave": told[f"autoLineRobot{robot}"] == "Yes",
        "endgame": CAGES[told[f"endGameRobot{robot}"]],
    }


def _reefscape_counts(told: Mapping[str, Any]) -> Answers:
    auto, after = told["autoReef"], told["teleopReef"]
    counts = {"autoCoralL1": auto["trough"], "teleopCoralL1": after["trough"]}
    for level, row in ROWS.items():
        in_auto = {node for node, is_there in auto[row].items() if is_there}
        at_the_end = {node for node, is_there in after[row].items() if is_there}
        # What was placed in auto is still there in teleop.
        counts |= {f"autoCoral{level}": len(in_auto), f"teleopCoral{level}": len(at_the_end - in_auto)}
    return counts | {"teleopAlgaeProcessor": told["wallAlgaeCount"], "teleopAlgaeNet": told["netAlgaeCount"]}


def _rebuilt_robot(told: Mapping[str, Any], robot: int) -> Answers:
    return {
        "autoClimb": told[f"autoTowerRobot{robot}"] != "None",
        "climbLevel": LEVELS[told[f"endGameTowerRobot{robot}"]],
    }


def _rebuilt_counts(told: Mapping[str, Any]) -> Answers:
    return {"autoFuel": told["hubScore"]["autoCount"], "teleFuel": told["hubScore"]["teleopCount"]}


OF_ROBOT: dict[int, Callable[[Mapping[str, Any], int], Answers]] = {
    2024: _crescendo_robot,
    2025: _reefscape_robot,
    2026: _rebuilt_robot,
}
COUNTED: dict[int, Callable[[Mapping[str, Any]], Answers]] = {
    2024: _crescendo_counts,
    2025: _reefscape_counts,
    2026: _rebuilt_counts,
}


# --- Breakdowns that are made up ----------------------------------------------------------------------------


def _robots(name: str, *told: str) -> dict[str, str]:
    return {f"{name}Robot{robot}": each for robot, each in zip(ROBOTS, told, strict=True)}


def crescendo(
    *, lines: str = "NNN", stages: tuple[str, str, str] = ("None",) * 3, spotlit: str = "", **counts: Any
) -> dict[str, Any]:
    """An alliance of 2024; `lines` are Y and N, `spotlit` a stage."""
    names = ("autoAmp", "autoSpeaker", "teleopAmp", "teleopSpeaker")
    return {
        **{f"{name}NoteCount": 0 for name in names},
        "teleopSpeakerNoteAmplifiedCount": 0,
        **{f"trap{stage}": False for stage in STAGES},
        **{microphone: stage == spotlit for stage, microphone in STAGES.items()},
        **_robots("autoLine", *({"Y": "Yes", "N": "No"}[each] for each in lines)),
        **_robots("endGame", *stages),
        **counts,
    }


def reefscape(
    *,
    lines: str = "NNN",
    cages: tuple[str, str, str] = ("None",) * 3,
    auto: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
    troughs: tuple[int, int] = (0, 0),
    **counts: Any,
) -> dict[str, Any]:
    """An alliance of 2025; `auto` and `after` have the letters of the nodes with coral, by row."""
    return {
        **_robots("autoLine", *({"Y": "Yes", "N": "No"}[each] for each in lines)),
        **_robots("endGame", *cages),
        "autoReef": _reef(auto or {}, troughs[0]),
        "teleopReef": _reef(after or {}, troughs[1]),
        "wallAlgaeCount": 0,
        "netAlgaeCount": 0,
        **counts,
    }


def _reef(rows: Mapping[str, str], trough: int) -> dict[str, Any]:
    counted = Counter((row, node) for row, nodes in rows.items() for node in nodes)
    nodes = {
        row: {f"node{node}": bool(counted[row, node]) for node in "ABCDEFGHIJKL"} for row in ROWS.values()
    }
    return {**nodes, "trough": trough}


def rebuilt(
    *,
    auto: tuple[str, str, str] = ("None",) * 3,
    tower: tuple[str, str, str] = ("None",) * 3,
    fuel: tuple[int, int] = (0, 0),
) -> dict[str, Any]:
    """An alliance of 2026; `fuel` that counted, in auto and in teleop."""
    return {
        **_robots("autoTower", *auto),
        **_robots("endGameTower", *tower),
        "hubScore": {"autoCount": fuel[0], "teleopCount": fuel[1]},
    }
