"""Converts SuperAlliance documents to our items, with the field names of 2024, 2025 and 2026."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from core.dynamo.errors import Invalid
from scouting import keys
from scouting.forms.flat_answers import BOXES, CLIMBS, DERIVED, choices, keys_by_word, word
from scouting.forms.forms import MOST_RANKING_POINTS
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.games.definition import COUNTER, LONGEST_TEXT, MULTI, TELE, TEXT, TIMER, YES_NO, Game, Question
from scouting.selection.models import COLUMNS, UNSORTED, TeamSelection
from scouting.superalliance.documents import Document

SPACE = UUID("5f0c1d8e-6f0b-4a53-9c1c-0b9a4f6c2a11")
# The fields that forms have every year, with our names.
TEXTS = ("strategy", "comments")
FLAGS = {"defendedAgainst": "defended_against", "defense": "defense", "win": "win"}
ABOUT = {"_id", "__v", "id", "entity", "event", "eventCode", "year", "teamNumber", "matchNumber", "usersName"}
ABOUT |= {"userId", "createdAt", "updatedAt", "criticals", "rpEarned", "criticalCount", "didClimb"}
# Bounded as in our form; a higher number could not be corrected there.
RANKING_POINTS = Question("rpEarned", "", TELE, COUNTER, most=MOST_RANKING_POINTS)


class NotConverted(Exception):
    """A document cannot be converted; the message says why."""


@dataclass
class Converted:
    """An item, and the names of the document's fields that it does not contain."""

    item: Any
    left_out: list[str] = field(default_factory=list)


def id_of(document: Document) -> str:
    """A deterministic id, the same in every import."""
    return str(uuid5(SPACE, str(document.get("_id") or document.get("id") or sorted(document.items()))))


def names_event(document: Document) -> bool:
    # Pick lists call it eventCode.
    return bool(document.get("event") or document.get("eventCode"))


def event_of(document: Document, year: int | None) -> str:
    """The event key; its year is that of the code, the document, the argument, or the creation date."""
    code = str(document.get("event") or document.get("eventCode") or "").strip().lower()
    if keys.EVENT.fullmatch(code) and code[:2] == "20":
        return code
    given = document.get("year") or year or written_at(document).year
    try:
        return keys.full_event_key(f"{given}{code}")
    except Invalid as error:
        raise NotConverted(f"“{code}” of {given} is no event") from error


def stand_form(document: Document, event: str, game: Game, further: str = "") -> Converted:
    given = {**document, **choices(document)}
    asked = [question for question in game.questions if given.get(question.key) is not None]
    values = {question.key: _value(question, given[question.key]) for question in asked}
    points = game.score(values)
    criticals = document.get("criticals")
    # It was a single text for a while.
    criticals = criticals if isinstance(criticals, list) else [criticals]
    sent = _sent(document) | {ours: bool(document.get(theirs)) for theirs, ours in FLAGS.items()}
    form = StandForm.about(
        event,
        match=_match(document),
        further=further,
        game_year=game.year,
        scores=values,
        auto_score=points.auto,
        tele_score=points.tele,
        total_score=points.total,
        criticals=[str(each) for each in criticals if each],
        rp_earned=_value(RANKING_POINTS, document.get("rpEarned")),
        **{name: str(document.get(name) or "")[:LONGEST_TEXT] for name in TEXTS},
        **sent,
    )
    changed = [name for question in asked for name in _changed(question, given[question.key])]
    changed += _changed(RANKING_POINTS, document.get("rpEarned"))
    changed += [f"{name}, cut" for name in TEXTS if len(str(document.get(name) or "")) > LONGEST_TEXT]
    return Converted(form, _left_out(document, {*game_names(game), *TEXTS, *FLAGS}) + changed)


def pit_form(document: Document, event: str, game: Game) -> Converted:
    """All answers are kept; those that the year's form does not ask for are reported."""
    asked = {question.key: question for question in game.pit}
    given = {name: value for name, value in document.items() if name not in {*ABOUT, "robotImage"}}
    answers = {
        name: _value(asked[name], value) if name in asked else _text_or_plain(value)
        for name, value in given.items()
        if value not in (None, "", [])
    }
    form = PitForm.about(
        event,
        game_year=game.year,
        answers=answers,
        robot_image=str(document.get("robotImage") or "") or None,
        **_sent(document),
    )
    changed = [name for key in answers if key in asked for name in _changed(asked[key], given[key])]
    return Converted(form, [name for name in answers if name not in asked] + changed)


def comment_form(document: Document, event: str, _game: Game) -> Converted:
    # Both names were used.
    text = str(document.get("comments") or document.get("comment") or "").strip()
    if not text:
        raise NotConverted("it says nothing")
    form = CommentForm.about(event, comments=text, **_sent(document))
    return Converted(form, _left_out(document, {"comments", "comment"}))


def selection(document: Document, event: str, _game: Game) -> Converted:
    teams = document.get("teams") or []
    if not isinstance(teams, list) or not all(isinstance(each, dict) for each in teams):
        raise NotConverted("its teams are no list of teams")
    teams = [_selected(each) for each in teams]
    return Converted(TeamSelection.about(event, teams=teams, created_at=written_at(document)))


# --- Values of the game -------------------------------------------------------------------------------------


def game_names(game: Game) -> set[str]:
    """The field names of all years that are values of the game."""
    own = {question.key for question in game.questions}
    boxes: dict[str, Mapping[str, Any]] = {"climbLevel": CLIMBS, **BOXES}
    return own.union(*(boxes[key] for key in boxes.keys() & own))


def _value(question: Question, given: Any) -> Any:
    if question.kind in (COUNTER, TIMER):
        return min(question.most, max(0, _number(given)))
    if question.kind == YES_NO:
        return given in (True, 1, "true", "True", "yes")
    if question.kind == TEXT:
        return str(given or "")[:LONGEST_TEXT]
    by_word = keys_by_word(question)
    if question.kind == MULTI:
        chosen = given if isinstance(given, list) else [given]
        return [by_word[word(each)] for each in chosen if word(each) in by_word]
    return by_word.get(word(given), "")


def _changed(question: Question, given: Any) -> list[str]:
    """The answer as “key = value” if its conversion changes it: a number out of range, an unknown choice."""
    value = _value(question, given)
    if question.kind in (COUNTER, TIMER):
        is_same = value == _number(given) and str(given or 0).removesuffix(".0").lstrip("-").isdecimal()
    elif question.kind == MULTI:
        is_same = len(value) == (len(given) if isinstance(given, list) else 1)
    elif question.kind == TEXT:
        is_same = len(str(given or "")) <= LONGEST_TEXT
    else:
        is_same = bool(value) or question.kind == YES_NO or given in ("", None)
    return [] if is_same else [f"{question.key} = {str(given)[:40]}"]


# --- The rest -----------------------------------------------------------------------------------------------


def _team(document: Document) -> str:
    try:
        return keys.team_key(str(document.get("teamNumber") or ""))
    except Invalid as error:
        raise NotConverted(f"“{document.get('teamNumber')}” is no team") from error


def _match(document: Document) -> int:
    number = _number(document.get("matchNumber"))
    if not 1 <= number <= keys.HIGHEST_MATCH:
        raise NotConverted(f"“{document.get('matchNumber')}” is no match")
    return number


def _number(given: Any) -> int:
    try:
        return int(given or 0)
    except (TypeError, ValueError, OverflowError):
        return 0


def _sent(document: Document) -> dict[str, Any]:
    """About which team it was sent, by whom and when."""
    return {
        "id": id_of(document),
        "team": _team(document),
        "scout_name": str(document.get("usersName") or ""),
        "created_at": written_at(document),
    }


def written_at(document: Document) -> datetime:
    """The creation time; a MongoDB id begins with its seconds."""
    try:
        moment = datetime.fromisoformat(str(document.get("createdAt") or ""))
    except ValueError:
        made = str(document.get("_id") or "")[:8]
        seconds = int(made, 16) if re.fullmatch(r"[0-9a-f]{8}", made) else 0
        moment = datetime.fromtimestamp(seconds, UTC)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    # Our times have milliseconds.
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _text_or_plain(given: Any) -> Any:
    is_plain = isinstance(given, bool | int | str) or (isinstance(given, float) and math.isfinite(given))
    return given if is_plain else str(given)


def _left_out(document: Document, known: set[str]) -> list[str]:
    return [
        name
        for name, value in document.items()
        if name not in known
        and name not in ABOUT
        and not DERIVED.fullmatch(name)
        and value not in (None, "", [])
    ]


def _selected(given: Document) -> dict[str, Any]:
    column = given.get("columnId")
    return {
        "teamNumber": _team(given),
        "teamName": str(given.get("teamName") or ""),
        "rank": _number(given.get("rank")),
        "columnId": column if column in COLUMNS else UNSORTED,
        "taken": False,
    }
