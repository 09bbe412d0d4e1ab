"""A made-up event: its teams, a computed schedule, and forms as scouts would have sent them."""

import random
from collections.abc import Iterable
from typing import Any

from core.dynamo import changeset, transactions, use_counts
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.connection import connection
from core.dynamo.use_counts import UseCount
from scouting.events.event import Alliance, Match, ScoutedEvent, Team, as_stored
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms.models import PitForm, StandForm
from scouting.forms.repository import pit_forms, stand_forms
from scouting.games import definition
from scouting.settings import services as settings
from tests.cast import CAST

KEY = "2026fhtest"
REBUILT = definition.shipped(2026)
TEAMS = ("20", "2053", "2095", "254B", "101", "102", "103", "104", "105", "106", "107", "108")
LEAD, SCOUT = CAST["scout-lead"], CAST["scout"]


def named(numbers: Iterable[str]) -> list[Team]:
    """Teams with a name and, in their order, a rank."""
    return [Team(number, name=f"Robots {number}", rank=rank) for rank, number in enumerate(numbers, 1)]


def schedule(teams: Iterable[str], count: int, *, played: int = 0) -> list[Match]:
    """Matches of six different robots, everybody about as often; always the same ones."""
    chance = random.Random(8)
    numbers, waiting, matches = list(teams), [], []
    for number in range(1, count + 1 if len(numbers) >= 6 else 1):
        while len(waiting) < 6:
            again = [team for team in numbers if team not in waiting]
            waiting += chance.sample(again, len(again))
        robots, waiting = waiting[:6], waiting[6:]
        red, blue = (chance.randint(20, 160), chance.randint(20, 160)) if number <= played else (None, None)
        matches.append(
            Match(number, red=Alliance(tuple(robots[:3]), red), blue=Alliance(tuple(robots[3:]), blue))
        )
    return matches


def event(
    *, matches: int | list[Match] = 12, teams: Iterable[str] = TEAMS, played: int = 0, key: str = KEY
) -> ScoutedEvent:
    """Store an event and say that we are there."""
    plan = schedule(teams, matches, played=played) if isinstance(matches, int) else matches
    event_infos.create(EventInfo.about(key, name="Fieldhouse Test", is_own=True), actor=SYSTEM)
    event_teams.create(EventTeams.about(key, teams=as_stored(named(teams)), fetched_at=now()), actor=SYSTEM)
    schedules.create(Schedule.about(key, matches=as_stored(plan), fetched_at=now()), actor=SYSTEM)
    be_at(key, year=int(key[:4]))
    return event_infos.read(key, strong=True)


def exist(*keys: str) -> None:
    """Store events of which only the name is known."""
    for key in keys:
        event_infos.create(EventInfo.about(key, name=key, is_own=True), actor=SYSTEM)


def be_at(key: str | None, *, locked: bool = False, year: int = 2026) -> None:
    """Choose the event at which we are."""
    seen = settings.of_year(year, strong=True).seen_version
    settings.choose(LEAD, year, event=key, locked=locked, game_year=None, seen_version=seen)


def form(team: str, match: int, *, key: str = KEY, further: str = "", **values: Any) -> StandForm:
    """A form that is not stored yet; what is no answer of the game is a field of the form."""
    fields = {name: values.pop(name) for name in list(values) if name in StandForm.get_attributes()}
    scores = REBUILT.score(values)
    # A further report is somebody else's.
    usual = {"scout_id": further or SCOUT.sub, "scout_name": SCOUT.name}
    usual |= {"auto_score": scores.auto, "tele_score": scores.tele, "total_score": scores.total}
    return StandForm.about(key, team, match, further=further, scores=values, **usual | fields)


def stand(team: str, match: int, **values: Any) -> StandForm:
    return stand_forms.create(form(team, match, **values), actor=SCOUT.actor)


def pit(team: str, *, key: str = KEY, **fields: Any) -> PitForm:
    fields = {"scout_id": SCOUT.sub, "scout_name": SCOUT.name} | fields
    return pit_forms.create(PitForm.about(key, team, **fields), actor=SCOUT.actor)


def many(forms: Iterable[StandForm]) -> None:
    """Store hundreds of forms at once, without their history."""
    requests = []
    for number, each in enumerate(forms):
        each.created_at = each.updated_at = now()
        each.version = number + 1
        raw = changeset.with_derived(StandForm, each.serialize()).stored
        requests.append({"PutRequest": {"Item": dict(raw)}})
    for first in range(0, len(requests), 25):
        batch = {StandForm.Meta.table_name: requests[first : first + 25]}
        connection().dispatch("BatchWriteItem", {"RequestItems": batch})


def have_shards(event: str) -> None:
    """Store the shards in which the uses of an event are counted, as after a few dozen forms."""
    key = event_infos.key_of(EventInfo.about(event))
    stored = use_counts.shards_of(event_infos, key)
    for shard in (shard for shard, uses in stored.items() if uses is None):
        row = UseCount(pk=use_counts.partition(event_infos.entity, key), sk=shard, uses=0)
        transactions.send(transactions.put(row))


def forms_of(field: ScoutedEvent) -> list[StandForm]:
    """One form for each robot of each match, with values that differ."""
    chance = random.Random(9)
    return [
        form(
            team,
            match.number,
            key=field.key,
            autoFuel=chance.randint(0, 20),
            teleFuel=chance.randint(0, 60),
            auto=chance.random() < 0.7,
            climbLevel=chance.choice(["", "one", "two", "three"]),
            win=chance.random() < 0.5,
            rp_earned=chance.randint(0, 6),
        )
        for match in field.matches
        for team in match.teams
    ]
