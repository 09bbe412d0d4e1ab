"""Two events that never took place: the one at which we are, with a pick list, and an earlier one."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import NAMESPACE_URL, uuid5

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from core.accounts import demo as accounts
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import AlreadyExists
from core.dynamo.transactions import Transaction
from scouting.analysis import ratings
from scouting.demo import drawings, matches, texts, written
from scouting.demo.matches import Deeds
from scouting.events.event import Match, ScoutedEvent, Team, stored_matches, stored_teams
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms import photos
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games import definition as games
from scouting.games.definition import Game
from scouting.repository import S, ScoutingRepository
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.models import DO_NOT_PICK, FIRST, SECOND
from scouting.settings import services as season

SCOUT, LEAD = "Sina", "Leandro"
# Scouts without an account: only what they wrote is there.
INVENTED = {
    name: User.of(sub=str(uuid5(NAMESPACE_URL, f"scout/{name}")), name=full, email="", groups=["scout"])
    for name, full in (
        ("Noor", "Noor Haddad"),
        ("Tomasz", "Tomasz Wolny"),
        ("Elif", "Elif Arslan"),
        ("Jonte", "Jonte Behrens"),
        ("Ronja", "Ronja Falk"),
    )
}
MINUTES_OF_A_MATCH = 9
# Its forms have been sent, and the next match has not begun.
JUST_NOW = timedelta(minutes=6)
# What one transaction may hold is 100; a comment with all its words is the largest record.
FULL = 70

People = dict[str, User]


@dataclass(frozen=True)
class Occasion:
    """An event of the demo. `last` is when the last played match took place, if that is not just now."""

    key: str
    name: str
    place: str
    teams: tuple[Team, ...]
    rounds: int
    played: int
    first_day: int
    comments: tuple[tuple[str, int, str, str], ...]
    absent: str
    last: datetime | None = None

    @property
    def game(self) -> Game:
        return cast(Game, games.shipped(int(self.key[:4])))


NOW = Occasion(
    key="2026fhcup",
    name="Fieldhouse-Cup 2026",
    place="Mühlenhalle",
    teams=texts.TEAMS,
    rounds=10,
    played=28,
    first_day=16,
    comments=texts.COMMENTS,
    absent="9982B",
)
EARLIER = Occasion(
    key="2025fhcup",
    name="Fieldhouse-Cup 2025",
    place="Mühlenhalle",
    teams=tuple(team for team in texts.TEAMS if team.number not in texts.NEW),
    rounds=5,
    played=15,
    first_day=9,
    comments=texts.EARLIER_COMMENTS,
    absent="14012",
    last=datetime(2025, 10, 12, 13, 30, tzinfo=UTC),
)


def load() -> None:
    """A load that was interrupted is repeated: what a transaction has written it refuses to write again."""
    people = accounts.people()
    if SCOUT not in people or LEAD not in people:
        return
    for occasion in (EARLIER, NOW):
        _load(occasion, people | INVENTED)
    _pick(people[LEAD], event_infos.read(NOW.key, strong=True))
    _be_there(people[LEAD])


def _load(occasion: Occasion, people: People) -> None:
    planned = matches.plan(occasion.key, [team.number for team in occasion.teams], occasion.rounds)
    done = _deeds(occasion, planned)
    with suppress(AlreadyExists):
        _store(occasion, planned, done)
    # The times of everything else are those of the first load.
    event = event_infos.read(occasion.key, strong=True)
    played = [match for match in event.matches if match.was_played]
    scouts = [people[name] for name in (SCOUT, *INVENTED, LEAD)]
    _write(stand_forms, written.stand_forms(occasion.key, occasion.game, played, done, scouts))
    _write(pit_forms, written.pit_forms(event, occasion.game, scouts))
    _write(comment_forms, written.comments(event, occasion.comments, people))
    if settings.MEDIA_BUCKET:
        _take_photos(occasion.key, {scout.sub: scout for scout in scouts})


def _deeds(occasion: Occasion, planned: list[Match]) -> Deeds:
    third = [match.number for match in planned if occasion.absent in match.teams][2]
    return matches.deeds(
        occasion.key, occasion.game, planned[: occasion.played], absent=(third, occasion.absent)
    )


# --- The event ----------------------------------------------------------------------------------------------


def _store(occasion: Occasion, planned: list[Match], done: Deeds) -> None:
    last = occasion.last or now() - JUST_NOW
    timed = [replace(match, time=to_iso(_time(occasion, match.number, last))) for match in planned]
    played = [
        matches.ended(occasion.key, occasion.game, match, done) if match.number <= occasion.played else match
        for match in timed
    ]
    info = EventInfo.about(
        occasion.key,
        name=occasion.name,
        place=occasion.place,
        starts_on=_time(occasion, 1, last).date().isoformat(),
        ends_on=last.date().isoformat(),
        is_own=True,
    )
    teams = EventTeams.about(occasion.key, teams=stored_teams(_ranked(occasion, played)))
    schedule = Schedule.about(occasion.key, matches=stored_matches(played))
    transaction = Transaction()
    event_infos.create(info, actor=SYSTEM, transaction=transaction)
    event_teams.create(teams, actor=SYSTEM, transaction=transaction)
    schedules.create(schedule, actor=SYSTEM, transaction=transaction)
    transaction.commit()


def _time(occasion: Occasion, number: int, last: datetime) -> datetime:
    """The first matches were on the day before."""
    night = timedelta(hours=20) if number <= occasion.first_day else timedelta()
    return last + timedelta(minutes=MINUTES_OF_A_MATCH) * (number - occasion.played) - night


def _ranked(occasion: Occasion, played: list[Match]) -> list[Team]:
    rows = {row.team: row for row in ratings.ranking(played, occasion.game.ranking)}
    return [
        replace(team, rank=rows[team.number].rank or 0, record=str(rows[team.number].record))
        for team in occasion.teams
    ]


# --- What people wrote --------------------------------------------------------------------------------------


def _write(stored: ScoutingRepository[S], items: Iterable[tuple[S, User]]) -> None:
    """Many records in few requests; always the same ones together."""
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


def _take_photos(event: str, scouts: People) -> None:
    """Of every other robot whose pit was visited; those of an interrupted load are taken by the next one."""
    for form in pit_forms.at(event)[::2]:
        if form.photos:
            continue
        scout = scouts[form.scout_id or ""]
        file = SimpleUploadedFile(f"{form.team}.jpg", drawings.robot(form.team), "image/jpeg")
        with photos.kept(scout, pit_forms.key_of(form), [file]) as kept:
            pit_forms.update(form, {"photos": kept}, actor=scout.actor)


def _pick(lead: User, event: ScoutedEvent) -> None:
    """A list in two saves: the first choices, then the second ones, with one team that is gone already."""
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
    year = NOW.game.year
    if season.of_year(year, strong=True).version is None:
        season.choose(lead, year, event=NOW.key, locked=False, game_year=None, seen_version=0)
