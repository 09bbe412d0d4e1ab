"""Demo data: the current event with a pick list, and an earlier one. Both are invented."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from core.accounts import demo as accounts
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import AlreadyExists
from core.dynamo.example_data import fixed_id, read
from core.dynamo.transactions import Transaction
from scouting.demo import drawings
from scouting.events.event import RED, Alliance, Match, ScoutedEvent, Team, as_stored
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms import photos
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games import definition as games
from scouting.games.definition import Game
from scouting.repository import S, ScoutingRepository
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.models import DO_NOT_PICK, FIRST, SECOND
from scouting.settings import services as season

SCOUT, LEAD = "Sina", "Leandro"
# Scouts without an account: they appear only as authors of forms.
INVENTED = {
    name: User.of(sub=fixed_id("scout", name), name=full, email="", groups=["scout"])
    for name, full in (
        ("Noor", "Noor Haddad"),
        ("Tomasz", "Tomasz Wolny"),
        ("Elif", "Elif Arslan"),
        ("Jonte", "Jonte Behrens"),
        ("Ronja", "Ronja Falk"),
    )
}
MINUTES_OF_A_MATCH = 9
# How long ago the last match was played: its forms were sent, and the next one has not begun.
JUST_NOW = timedelta(minutes=6)
# A DynamoDB transaction holds at most 100 operations; a comment with its search words needs the most.
FULL = 70

EARLIER, HERE = "2025fhcup", "2026fhcup"

Entry = dict[str, Any]
People = Mapping[str, User]


def load() -> None:
    """Load the demo data. It can be repeated: existing records are refused by their conditions."""
    people = accounts.people()
    if SCOUT not in people or LEAD not in people:
        return
    for key in (EARLIER, HERE):
        _load(key, people | INVENTED)
    _pick(people[LEAD], event_infos.read(HERE, strong=True))
    _be_there(people[LEAD])


def _game(key: str) -> Game:
    return games.shipped_games()[int(key[:4])]


def _load(key: str, people: People) -> None:
    game = _game(key)
    entry = read(__file__, f"event_{game.year}")
    with suppress(AlreadyExists):
        _store(key, entry)
    # Read again, because all other times depend on those of the first load.
    event = event_infos.read(key, strong=True)
    seen = read(__file__, f"stand_forms_{game.year}")
    _write(stand_forms, _stand_forms(event, game, seen, people))
    _write(pit_forms, _pit_forms(event, game, entry["pit_forms"], people))
    _write(comment_forms, _comments(event, entry["comments"], people))
    if settings.MEDIA_BUCKET:
        _take_photos(key, {scout.sub: scout for scout in people.values()})


# --- The event ----------------------------------------------------------------------------------------------


def _store(key: str, entry: Entry) -> None:
    """Store the event; `last` is the time of the last played match, by default a few minutes ago."""
    last = datetime.fromisoformat(entry["last"]) if "last" in entry else now() - JUST_NOW
    played = sum("score" in match["red"] for match in entry["matches"])
    matches = []
    for match in entry["matches"]:
        number = match["number"]
        # The first matches were on the day before.
        night = timedelta(hours=20) if number <= entry["first_day"] else timedelta()
        time = last + timedelta(minutes=MINUTES_OF_A_MATCH) * (number - played) - night
        red, blue = Alliance(**match["red"]), Alliance(**match["blue"])
        matches.append(Match(number, red=red, blue=blue, time=to_iso(time)))
    info = EventInfo.about(
        key,
        name=entry["name"],
        place=entry["place"],
        starts_on=(matches[0].time or "")[:10],
        ends_on=last.date().isoformat(),
        is_own=True,
    )
    teams = EventTeams.about(key, teams=as_stored(Team(**team) for team in entry["teams"]))
    schedule = Schedule.about(key, matches=as_stored(matches))
    transaction = Transaction()
    event_infos.create(info, actor=SYSTEM, transaction=transaction)
    event_teams.create(teams, actor=SYSTEM, transaction=transaction)
    schedules.create(schedule, actor=SYSTEM, transaction=transaction)
    transaction.commit()


# --- What people wrote --------------------------------------------------------------------------------------


def _write(stored: ScoutingRepository[S], items: Iterable[tuple[S, User]]) -> None:
    """Create many records in few transactions; the batches are the same in every load."""
    transaction = Transaction()
    for item, user in items:
        stored.create(item, actor=user.actor, transaction=transaction)
        if len(transaction.operations()) > FULL:
            _commit(transaction)
            transaction = Transaction()
    _commit(transaction)


def _commit(transaction: Transaction) -> None:
    with suppress(AlreadyExists):
        transaction.commit()


def _stand_forms(
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


def _pit_forms(
    event: ScoutedEvent, game: Game, entries: list[Entry], people: People
) -> Iterator[tuple[PitForm, User]]:
    """Pit forms, sent one after the other in the morning of the first day."""
    unanswered = {question.key: question.empty for question in game.pit}
    for entry in entries:
        scout = people[entry["by"]]
        form = PitForm.about(
            event.key,
            entry["team"],
            id=fixed_id("scouting", "pit", event.key, entry["team"]),
            scout_id=scout.sub,
            scout_name=scout.name,
            game_year=game.year,
            answers=unanswered | entry["answers"],
            created_at=_moment(event.matches[0]) - timedelta(minutes=entry["minutes_before"]),
        )
        yield form, scout


def _comments(
    event: ScoutedEvent, entries: list[Entry], people: People
) -> Iterator[tuple[CommentForm, User]]:
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


def _take_photos(event: str, scouts: People) -> None:
    """Add photos to every other pit form without one; a repeated load adds the missing ones."""
    for form in pit_forms.at(event)[::2]:
        if form.photos:
            continue
        scout = scouts[form.scout_id or ""]
        file = SimpleUploadedFile(f"{form.team}.jpg", drawings.robot(form.team), "image/jpeg")
        with photos.kept(scout, pit_forms.key_of(form), [file]) as kept:
            pit_forms.update(form, {"photos": kept}, actor=scout.actor)


def _pick(lead: User, event: ScoutedEvent) -> None:
    """A pick list in two saves: first choices, then second choices, and one team that is taken."""
    best = [team.number for team in sorted(event.teams, key=lambda team: team.rank)]
    first = pick_list.refreshed((), event)
    for number in reversed(best[1:6]):
        first = pick_list.moved(first, number, FIRST)
    second = first
    for number in reversed(best[6:12]):
        second = pick_list.moved(second, number, SECOND)
    second = pick_list.moved(second, best[-1], DO_NOT_PICK)
    saves = (first, second)
    for picks in saves[len(selection.saves(event.key)) :]:
        _event, before = selection.read(event.key, strong=True)
        selection.save(lead, event, picks, base=before.order, over=before)
    _event, before = selection.read(event.key, strong=True)
    selection.take(lead, event, best[1], over=before)


def _be_there(lead: User) -> None:
    year = _game(HERE).year
    if season.of_year(year, strong=True).version is None:
        season.choose(lead, year, event=HERE, locked=False, game_year=None, seen_version=0)
