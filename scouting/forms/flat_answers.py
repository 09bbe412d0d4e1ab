"""Answers of forms that another program stored flat: each as an attribute, like the fields of the form.

Our own forms hold them in one map. Those of others are read into such a map, and a correction writes each
answer back to where it was.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.dynamo.attributes import from_iso, unwrap, wrap
from core.dynamo.changeset import Changed
from core.dynamo.items import RawItem
from scouting import keys
from scouting.games import definition
from scouting.games.definition import CHOICE, MULTI, Game, Question

# The checkboxes for the climb of 2026; sides were called left and right for a while.
CLIMBS = {
    f"{place}ClimbLevel{level}": {"climbLevel": level.lower(), "climbPosition": position}
    for place, position in (("center", "center"), ("side", "side"), ("left", "side"), ("right", "side"))
    for level in ("One", "Two", "Three")
}
# The checkboxes of earlier years that became one choice, the last ticked one counts.
BOXES = {
    "endgame": {"park": "park", "shallowClimb": "shallow", "deepClimb": "deep"},
    "stage": {"park": "park", "onstage": "onstage", "onstageSpotlit": "onstageSpotlit"},
}
# Fields about a form that are no answers, and those that are computed.
ABOUT = {"_id", "__v", "eventCode", "year", "userId", "criticalCount", "didClimb"}
DERIVED = re.compile(r"(auto|tele|total)Score|total[A-Z]\w*|avg\w+|accuracy|(coral|algae)Bot")


def team_of(raw: RawItem) -> str:
    """The number of a team, which other programs store as a number."""
    ((_kind, number),) = raw["teamNumber"].items()
    return str(number)


def match_of(raw: RawItem) -> int:
    return int(float(raw["matchNumber"]["N"]))


def year_of(raw: RawItem) -> int | None:
    """The year of the game that a form was filled in with; other programs store none."""
    if "N" in raw.get("gameYear", {}):
        return int(float(raw["gameYear"]["N"]))
    year = keys.year_of(raw["event"]["S"]) if "S" in raw.get("event", {}) else None
    created = raw.get("createdAt", {}).get("S")
    return year or (from_iso(created).year if created else None)


def game_of(raw: RawItem) -> Game | None:
    """The game as it came with the software: other programs know no other points."""
    year = year_of(raw)
    return definition.shipped(year) if year else None


def answers_in(flat: RawItem, questions: Iterable[Question] = ()) -> dict[str, Any]:
    """The answers among stored attributes, by the keys of the questions; others keep their own names."""
    asked = {question.key: question for question in questions}
    given = {name: answer for name, value in flat.items() if (answer := unwrap(value)) is not None}
    chosen = {
        key: value for key, value in choices(given).items() if key in asked and _is_answered(key, given)
    }
    known = ABOUT | {box for key in asked for box in boxes_of(key)}
    return {
        name: _by_key(asked[name], value) if name in asked else value
        for name, value in (given | chosen).items()
        if name in asked or not (name in known or DERIVED.fullmatch(name))
    }


def changes(flat: RawItem, before: Mapping[str, Any], after: Mapping[str, Any]) -> Changed:
    """What a correction of the answers changes among these attributes."""
    changed: Changed = {}
    for key, value in after.items():
        # A question that was not answered and is not answered now has an empty value.
        if value == before.get(key) or (key not in before and not value):
            continue
        if key not in BOXES:
            changed[key] = wrap(value)
        for box, ticked in boxes_of(key).items():
            if key in BOXES or box in flat:
                changed[box] = {"BOOL": ticked.items() <= after.items()}
        if key == "climbLevel" and "didClimb" in flat:
            changed["didClimb"] = {"BOOL": value not in ("", "none")}
    return changed


def choices(document: Mapping[str, Any]) -> dict[str, str]:
    """Several checkboxes that became one choice."""
    found = dict.fromkeys(BOXES, "none")
    for key, boxes in BOXES.items():
        for name in filter(document.get, boxes):
            found[key] = boxes[name]
    climb = next((climb for name, climb in CLIMBS.items() if document.get(name)), {})
    if not climb and not (document.get("climbLevel") and document.get("didClimb") is not False):
        climb = {"climbLevel": "none", "climbPosition": ""}
    return found | climb


def boxes_of(key: str) -> Mapping[str, Mapping[str, str]]:
    """The checkboxes that became this choice, each with the answers that it stands for."""
    if key in BOXES:
        return {box: {key: choice} for box, choice in BOXES[key].items()}
    return {box: climb for box, climb in CLIMBS.items() if key in climb}


def keys_by_word(question: Question) -> dict[str, str]:
    """The keys of the choices by their keys and labels, as `word` writes them."""
    by_word = {word(choice.key): choice.key for choice in question.choices}
    return by_word | {word(choice.label): choice.key for choice in question.choices}


def word(given: Any) -> str:
    """Lower-case letters and digits only, so that “Human Player Station” matches humanPlayerStation."""
    return re.sub(r"[^a-z0-9]", "", str(given).lower())


def _is_answered(key: str, given: Mapping[str, Any]) -> bool:
    return key in given or not given.keys().isdisjoint(boxes_of(key))


def _by_key(question: Question, value: Any) -> Any:
    """A choice by its key; what the game does not offer stays as it is."""
    by_word = keys_by_word(question)
    if question.kind == MULTI and isinstance(value, list):
        return [by_word.get(word(each), each) for each in value]
    return by_word.get(word(value), value) if question.kind == CHOICE else value
