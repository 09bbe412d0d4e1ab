"""What the robots of the demo do in a match: better teams do more of it, and nobody always does the same."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from scouting.games.definition import Game

Values = dict[str, Any]
LEVELS = ("none", "one", "two", "three")


def skill_of(team: str) -> float:
    """How good a team is, from 0 to 1; the same at every event."""
    return Random(f"robot/{team}").uniform(0.12, 1)


def nothing(game: Game) -> Values:
    """The answers of a form that nobody has filled in."""
    return {question.key: question.empty for question in game.questions}


def answers(game: Game, skill: float, chance: Random) -> Values:
    return nothing(game) | PLAYED[game.year](skill, chance)


def _about(mean: float, spread: float, chance: Random) -> int:
    return max(0, round(chance.gauss(mean, spread)))


def _rebuilt(skill: float, chance: Random) -> Values:
    moved = chance.random() < 0.6 + 0.4 * skill
    fuel = _about(8 + 85 * skill, 9, chance)
    level = LEVELS[min(3, _about(3.2 * skill - 0.4, 0.6, chance))]
    values = {
        "auto": moved,
        "autoFuel": _about(20 * skill, 3, chance) if moved else 0,
        "autoClimb": moved and skill > 0.8 and chance.random() < 0.4,
        "teleFuel": fuel,
        "shotsMissed": _about(fuel * (0.4 - 0.3 * skill), 2, chance),
        "shotPosition": "multiplePlaces" if skill > 0.55 else "onePlace",
        "intakePosition": ["ground", "humanPlayerStation"] if skill > 0.4 else ["humanPlayerStation"],
        "bump": chance.random() < skill,
        "trench": chance.random() < 0.5,
        "shuttle": chance.random() < 0.3,
        "moveWhileShoot": skill > 0.75,
        "climbLevel": level,
    }
    if level != "none":
        values |= {"climbPosition": chance.choice(("center", "side")), "backClimb": chance.random() < 0.2}
    return values


def _reefscape(skill: float, chance: Random) -> Values:
    ends = ("none", "park", "shallow", "deep")
    return {
        "leave": chance.random() < 0.6 + 0.4 * skill,
        "autoCoralL1": _about(0.6 - skill, 0.4, chance),
        "autoCoralL4": _about(2.6 * skill - 0.4, 0.6, chance),
        "teleopCoralL1": _about(2 - 2 * skill, 0.8, chance),
        "teleopCoralL2": _about(1.5 * skill, 0.8, chance),
        "teleopCoralL3": _about(2 * skill, 0.9, chance),
        "teleopCoralL4": _about(6 * skill - 1, 1.2, chance),
        "teleopAlgaeProcessor": _about(1.2 * skill, 0.7, chance),
        "teleopAlgaeNet": _about(2 * skill - 0.5, 0.9, chance),
        "endgame": ends[min(3, _about(3.4 * skill - 0.2, 0.7, chance))],
    }


PLAYED: Mapping[int, Callable[[float, Random], Values]] = {2025: _reefscape, 2026: _rebuilt}


# --- What is official ---------------------------------------------------------------------------------------


def official(game: Game, robots: list[Values], fouls: int) -> dict[str, int]:
    """The parts of an alliance's official score, as The Blue Alliance names those by which the game ranks."""
    auto = round(sum(game.score(values).auto for values in robots))
    own = round(sum(game.score(values).total for values in robots))
    told = {"foulPoints": fouls, "autoPoints": auto, "teleopPoints": own - auto, "totalPoints": own + fouls}
    return told | PARTS[game.year](game, robots)


def _worth(game: Game, robots: list[Values], *keys: str) -> int:
    asked = [question for question in game.questions if question.key in keys]
    return round(sum(question.worth(values[question.key]) for question in asked for values in robots))


def _rebuilt_parts(game: Game, robots: list[Values]) -> dict[str, int]:
    """Ranking points beside those for a win: much fuel, very much of it, and the tower."""
    auto, tele = _worth(game, robots, "autoFuel"), _worth(game, robots, "teleFuel")
    tower = _worth(game, robots, "autoClimb", "climbLevel")
    return {
        "hubScore.autoPoints": auto,
        "hubScore.teleopPoints": tele,
        "hubScore.totalPoints": auto + tele,
        "totalTowerPoints": tower,
        "rp": (auto + tele >= 100) + (auto + tele >= 360) + (tower >= 50),
    }


def _reefscape_parts(game: Game, robots: list[Values]) -> dict[str, int]:
    barge = _worth(game, robots, "endgame")
    coral = sum(count for values in robots for key, count in values.items() if "Coral" in key)
    processed = sum(values["teleopAlgaeProcessor"] for values in robots)
    everybody_left = all(values["leave"] for values in robots)
    return {
        "endGameBargePoints": barge,
        "wallAlgaeCount": processed,
        "rp": int(everybody_left) + (coral >= 20) + (barge >= 14),
    }


PARTS: Mapping[int, Callable[[Game, list[Values]], dict[str, int]]] = {
    2025: _reefscape_parts,
    2026: _rebuilt_parts,
}
