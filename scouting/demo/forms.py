"""The forms of the demo events, from the data files, by scouts of different accuracy."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from core.accounts.user import User
from core.dynamo.example_data import fixed_id
from scouting.events.event import RED, Match, ScoutedEvent
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.games.definition import Game

Entry = dict[str, Any]
People = Mapping[str, User]


def stand_forms(
    event: ScoutedEvent, game: Game, entries: list[Entry], people: People
) -> Iterator[tuple[StandForm, User]]:
    matches = {match.number: match for match in event.matches}
    nothing = {question.key: question.empty for question in game.questions}
    for entry in entries:
        match, team, scout = matches[entry.pop("match")], entry.pop("team"), people[entry.pop("by")]
        form_id = fixed_id("scouting", "stand", event.key, team, match.number, scout.name)
        scores = nothing | entry.pop("scores")
        worth = game.score(scores)
        form = StandForm.about(
            event.key,
            team,
            match.number,
            further=form_id if entry.pop("is_further", False) else "",
            id=form_id,
            scout_id=scout.sub,
            scout_name=scout.name,
            created_at=_moment(match) + timedelta(seconds=entry.pop("seconds")),
            game_year=game.year,
            scores=scores,
            auto_score=worth.auto,
            tele_score=worth.tele,
            total_score=worth.total,
            **_result(match, team),
            **entry,
        )
        yield form, scout


def _result(match: Match, team: str) -> Entry:
    own, other = (match.red, match.blue) if match.alliance_of(team) == RED else (match.blue, match.red)
    return {"win": (own.score or 0) > (other.score or 0), "rp_earned": own.official["rp"]}


def pit_forms(
    event: ScoutedEvent, game: Game, entries: list[Entry], people: People
) -> Iterator[tuple[PitForm, User]]:
    """Pit forms, sent one after the other in the morning of the first day."""
    asked = {question.key: question.empty for question in game.pit}
    for entry in entries:
        scout = people[entry["by"]]
        form = PitForm.about(
            event.key,
            entry["team"],
            id=fixed_id("scouting", "pit", event.key, entry["team"]),
            scout_id=scout.sub,
            scout_name=scout.name,
            game_year=game.year,
            answers=asked | entry["answers"],
            created_at=_moment(event.matches[0]) - timedelta(minutes=entry["minutes_before"]),
        )
        yield form, scout


def comments(event: ScoutedEvent, entries: list[Entry], people: People) -> Iterator[tuple[CommentForm, User]]:
    for entry in entries:
        scout = people[entry["by"]]
        form = CommentForm.about(
            event.key,
            entry["team"],
            id=fixed_id("scouting", "comment", event.key, entry["team"], entry["after"]),
            scout_id=scout.sub,
            scout_name=scout.name,
            comments=entry["text"],
            created_at=_moment(event.matches[entry["after"] - 1]) + timedelta(minutes=5),
        )
        yield form, scout


def _moment(match: Match) -> datetime:
    return datetime.fromisoformat(match.time or "")
