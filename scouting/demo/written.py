"""The forms of the demo: what several scouts saw, counted more or less well, and did not see."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from core.accounts.user import User
from scouting.demo import texts
from scouting.demo.matches import Deed, Deeds
from scouting.demo.robots import Values, skill_of
from scouting.events.event import RED, Match, ScoutedEvent
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.games.definition import COUNTER, Game

# A robot that nobody watched, and one that two watched: match and place in it.
UNSEEN, SEEN_TWICE = (14, 4), (11, 0)
# How far a scout's counts usually are from the truth: by their place among the scouts.
SPREAD = (0.01, 0.0, 0.03, 0.05, 0.04, 0.08, 0.02)
# And who always counts too much.
EAGER, TOO_MUCH = 4, 0.12
WRITES, PLANS = 0.3, 0.15


def stand_forms(
    key: str, game: Game, played: Sequence[Match], done: Deeds, scouts: Sequence[User]
) -> Iterator[tuple[StandForm, User]]:
    """Everybody but the last of them watches one robot of each match."""
    lead = len(scouts) - 1
    for match in played:
        order = Random(f"scouts/{key}/{match.number}").sample(range(lead), lead)
        for place, team in enumerate(match.teams):
            if (match.number, place) == UNSEEN:
                continue
            deed = done[match.number, team]
            yield _stand(key, game, match, team, deed, order[place], scouts)
            if (match.number, place) == SEEN_TWICE:
                yield _stand(key, game, match, team, deed, lead, scouts, is_further=True)


def _stand(
    key: str,
    game: Game,
    match: Match,
    team: str,
    deed: Deed,
    number: int,
    scouts: Sequence[User],
    *,
    is_further: bool = False,
) -> tuple[StandForm, User]:
    scout = scouts[number]
    form_id = _id("stand", key, team, match.number, scout.name)
    chance = Random(form_id)
    scores = _counted(game, deed.values, number, chance)
    worth = game.score(scores)
    fields: dict[str, Any] = {
        "game_year": game.year,
        "scores": scores,
        "auto_score": worth.auto,
        "tele_score": worth.tele,
        "total_score": worth.total,
        "no_show": not deed.came,
        "criticals": [deed.critical] if deed.critical else [],
    }
    fields |= _result(match, team) | (_remarks(team, deed, chance) if deed.came else {})
    sent_at = _moment(match) + timedelta(minutes=3, seconds=chance.randint(0, 150))
    form = StandForm.about(
        key,
        team,
        match.number,
        further=form_id if is_further else "",
        id=form_id,
        scout_id=scout.sub,
        scout_name=scout.name,
        created_at=sent_at,
        **fields,
    )
    return form, scout


def _counted(game: Game, values: Values, number: int, chance: Random) -> Values:
    """What this scout counted of it."""
    mean = 1 + (TOO_MUCH if number == EAGER else 0)
    counters = [question.key for question in game.questions if question.kind == COUNTER]
    return values | {key: max(0, round(values[key] * chance.gauss(mean, SPREAD[number]))) for key in counters}


def _result(match: Match, team: str) -> dict[str, Any]:
    own, other = (match.red, match.blue) if match.alliance_of(team) == RED else (match.blue, match.red)
    return {"win": (own.score or 0) > (other.score or 0), "rp_earned": own.official["rp"]}


def _remarks(team: str, deed: Deed, chance: Random) -> dict[str, Any]:
    skill = skill_of(team)
    said = texts.PRAISE if skill > 0.7 else texts.REMARKS if skill > 0.4 else texts.WORRIES
    return {
        "defense": chance.random() < 0.15,
        "defended_against": chance.random() < 0.1 + 0.2 * skill,
        "comments": texts.CRITICALS.get(deed.critical) or _perhaps(WRITES, said, chance),
        "strategy": _perhaps(PLANS, texts.STRATEGIES, chance),
    }


def _perhaps(likelihood: float, said: Sequence[str], chance: Random) -> str:
    return chance.choice(said) if chance.random() < likelihood else ""


# --- Pits and comments --------------------------------------------------------------------------------------


def pit_forms(event: ScoutedEvent, game: Game, scouts: Sequence[User]) -> Iterator[tuple[PitForm, User]]:
    """In the morning of the first day, one pit after the other."""
    asked = {question.key: question.empty for question in game.pit}
    for number, team in enumerate(event.team_numbers):
        if team in texts.UNVISITED:
            continue
        form_id = _id("pit", event.key, team)
        scout = scouts[number % len(scouts)]
        answers = {key: value for key, value in _answers(team, Random(form_id)).items() if key in asked}
        form = PitForm.about(
            event.key,
            team,
            id=form_id,
            scout_id=scout.sub,
            scout_name=scout.name,
            game_year=game.year,
            answers=asked | answers,
            created_at=_moment(event.matches[0]) - timedelta(minutes=150 - 5 * number),
        )
        yield form, scout


def _answers(team: str, chance: Random) -> dict[str, Any]:
    skill = skill_of(team)
    return {
        "notDo": chance.choice(texts.CANNOT),
        "idealAuto": chance.choice(texts.AUTONOMOUS),
        "strongestValue": chance.choice(texts.STRONGEST),
        "weakestValue": chance.choice(texts.WEAKEST),
        "pickupGround": skill > 0.4,
        "pickupSource": True,
        "protectedElectronics": chance.random() < 0.5 + skill / 2,
        "batterySecured": chance.random() < 0.8,
        "highCenterOfMass": chance.random() < 0.3,
        "pitRating": str(chance.randint(5, 10)),
        "robotRating": str(1 + round(4 * skill)),
        "contactInfo": chance.choice(texts.CONTACTS),
    }


def comments(
    event: ScoutedEvent, told: Sequence[tuple[str, int, str, str]], people: Mapping[str, User]
) -> Iterator[tuple[CommentForm, User]]:
    for team, after, name, text in told:
        scout = people[name]
        form = CommentForm.about(
            event.key,
            team,
            id=_id("comment", event.key, team, after),
            scout_id=scout.sub,
            scout_name=scout.name,
            comments=text,
            created_at=_moment(event.matches[after - 1]) + timedelta(minutes=5),
        )
        yield form, scout


def _moment(match: Match) -> datetime:
    return datetime.fromisoformat(match.time or "")


def _id(*parts: object) -> str:
    """The same form has the same id in every load."""
    return str(uuid5(NAMESPACE_URL, "/".join(map(str, ("scouting", *parts)))))
