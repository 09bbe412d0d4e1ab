"""Context for form pages: robots by match, the next match to scout, data for the script, answers in words."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.dynamo.errors import Text
from scouting.events.event import BLUE, RED, ROBOTS_OF_AN_ALLIANCE, Match, ScoutedEvent, Team
from scouting.forms.models import PitForm, StandForm
from scouting.forms.repository import SentForm
from scouting.games.definition import PHASES, YES_NO, Game, Question, is_asked

# About sixteen matches of forms. A duplicate of an older one is detected only when it arrives.
LATEST = 100
NOTHING = "\N{EN DASH}"
UNANSWERED: tuple[Any, ...] = ("", [], None)


@dataclass(frozen=True)
class Seat:
    """One of the six places of a match."""

    colour: str
    title: str
    team: str = ""
    name: str = ""


def seats(event: ScoutedEvent, number: int | None) -> list[Seat]:
    """Red 1 to 3 and Blue 1 to 3; without a schedule their teams are empty."""
    match = (event.match(number) if number else None) or Match(0)
    found = []
    for colour, title in ((RED, _("Red")), (BLUE, _("Blue"))):
        teams = (*match.alliance(colour).places, *[""] * ROBOTS_OF_AN_ALLIANCE)[:ROBOTS_OF_AN_ALLIANCE]
        for place, team in enumerate(teams, start=1):
            found.append(Seat(colour, f"{title} {place}", team, event.team(team).name if team else ""))
    return found


def next_match(event: ScoutedEvent, sent: Iterable[SentForm], sub: str, after: int | None) -> int | None:
    """The match after the last one of this scout; for a new one the first unplayed that lacks a form."""
    sent = list(sent)
    mine = [form.match for form in sent if form.scout_id == sub]
    # `sent` is newest first.
    last = after or (mine[0] if mine else None)
    if not event.matches:
        return last + 1 if last else None
    if last:
        return next((match.number for match in event.matches if match.number > last), None)
    done = {(form.team, form.match) for form in sent}
    waiting = (
        match.number
        for match in event.matches
        if not match.was_played and any((team, match.number) not in done for team in match.teams)
    )
    return next(waiting, event.matches[0].number)


def doubt(event: ScoutedEvent, team: str, number: int) -> str:
    """A warning if the schedule does not have this robot in this match; else empty."""
    match = event.match(number)
    if not team or match is None or not match.teams or team in match.teams:
        return ""
    warning = _("Team %(team)s is not in match %(number)d. If that is a typo, tell a scout lead.")
    return warning % {"team": team, "number": number}


def unlisted(event: ScoutedEvent, team: str) -> str:
    """A warning if the event does not list this team; else empty."""
    if not team or not event.team_numbers or team in event.team_numbers:
        return ""
    warning = _("Team %(team)s is not on the list for this event. If that is a typo, tell a scout lead.")
    return warning % {"team": team}


def script_data(questions: Iterable[Question], **more: Any) -> str:
    """JSON for the script of the page, so that it needs no request between opening and sending."""
    return json.dumps({"questions": [_for_script(question) for question in questions], **more})


def stand_data(game: Game, event: ScoutedEvent, sent: Iterable[SentForm], sub: str) -> str:
    """JSON for the script of the stand form. The part of game and event is cached, the sent forms are not."""
    parts = (_game_data(game), _event_data(event), json.dumps(_sent_data(sent, sub)))
    # Two JSON objects are joined, so both lose their braces.
    return f"{{{', '.join(part[1:-1] for part in parts)}}}"


@lru_cache(maxsize=8)
def _game_data(game: Game) -> str:
    return script_data(game.questions)


@lru_cache(maxsize=8)
def _event_data(event: ScoutedEvent) -> str:
    """The robots of each match, and the names of the teams."""
    matches = {match.number: {RED: match.red.places, BLUE: match.blue.places} for match in event.matches}
    return json.dumps({"matches": matches, "teams": {team.number: team.name for team in event.teams}})


def _sent_data(sent: Iterable[SentForm], sub: str) -> dict[str, Any]:
    """The teams with a form, and those with a form by the user `sub`, both by match."""
    done: dict[int, list[str]] = {}
    own: dict[int, list[str]] = {}
    for form in sent:
        done.setdefault(form.match, []).append(form.team)
        if form.scout_id == sub:
            own.setdefault(form.match, []).append(form.team)
    return {"done": done, "own": own}


@lru_cache(maxsize=8)
def team_options(teams: tuple[Team, ...]) -> SafeString:
    """Options of a datalist with the teams of an event."""
    pairs = ((team.number, team.name) for team in teams)
    return format_html_join("", '<option value="{}">{}</option>', pairs)


def _for_script(question: Question) -> dict[str, Any]:
    shown = question.shown
    return {
        "key": question.key,
        "kind": question.kind,
        "phase": question.phase,
        "points": question.points,
        "choices": {choice.key: choice.points for choice in question.choices},
        "shown": {"field": shown.field, "among": shown.among} if shown else None,
    }


# --- Answers in words ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AnswerSection:
    """A heading with the answers under it."""

    title: Text
    answers: list[tuple[str, str]]


def answers_of(game: Game, form: StandForm | PitForm) -> list[AnswerSection]:
    """The answers of a form in words, by phase or section."""
    if isinstance(form, StandForm):
        values, questions = form.scores or {}, game.questions
        sections: list[tuple[Text, list[Question]]]
        sections = [(title, game.of_phase(phase)) for phase, title in PHASES.items()]
    else:
        values, questions = form.answers or {}, game.pit
        sections = [*game.pit_sections.items()]
    parts = [AnswerSection(title, _answered(asked, values)) for title, asked in sections]
    return [part for part in (*parts, _also_told(questions, values)) if part.answers]


def _answered(questions: Iterable[Question], values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pairs of question and answer in words, without those that have no answer or an unmet condition."""
    return [
        (question.label, in_words(question, values[question.key]))
        for question in questions
        if values.get(question.key) not in UNANSWERED and is_asked(question, values)
    ]


def _also_told(questions: Iterable[Question], values: Mapping[str, Any]) -> AnswerSection:
    """Answers to questions that the definition does not have, as from an import or an earlier definition."""
    asked = {question.key for question in questions}
    # Sorted, because a stored map has no order.
    left = sorted(key for key, value in values.items() if key not in asked and value not in UNANSWERED)
    return AnswerSection(_("Other answers"), [(key, _plain(values[key])) for key in left])


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def in_words(question: Question, value: Any) -> str:
    labels = {choice.key: choice.label for choice in question.choices}
    if question.kind == YES_NO:
        return _("Yes") if value else _("No")
    if isinstance(value, list):
        return ", ".join(labels.get(each, str(each)) for each in value) or NOTHING
    return labels.get(str(value), str(value)) or NOTHING
