"""The table of access patterns in docs/scouting.md is true and complete: each costs the requests it says."""

import inspect
from typing import NamedTuple

import pytest

from core.dynamo import metering
from core.dynamo.idempotency import IdempotencyKey
from scouting.analysis import queries
from scouting.events import services as events
from scouting.events.directory import team_directory
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms import services as forms
from scouting.forms.models import PitForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games import definition
from scouting.games import services as games
from scouting.games.models import StoredGame
from scouting.games.repository import stored_games
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.settings.models import Settings
from scouting.settings.repository import stored_settings
from tests.pattern_tables import table_in, verbs_in
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

TEAM, MATCH = "254B", 3
STORED = {
    "comment_forms": comment_forms,
    "event_infos": event_infos,
    "event_teams": event_teams,
    "pit_forms": pit_forms,
    "schedules": schedules,
    "selections": selections,
    "stand_forms": stand_forms,
    "stored_games": stored_games,
    "stored_settings": stored_settings,
    "team_directory": team_directory,
}
VERBS = (forms, events, settings, selection, games)
PATTERNS = {type(stored).__module__ for stored in STORED.values()}
# What sends nothing.
HELPERS = {"label_of", "keep", "forget", "tells_creation", "differences", "adopted_with"}


class Line(NamedTuple):
    table: str
    about: str
    screen: str
    requests: str
    index: str
    method: str


LINES = table_in("scouting.md", Line)


def stand():
    return field.stand(TEAM, MATCH, teleFuel=7)


def pit():
    return field.pit(TEAM)


def comment():
    return forms.submit_comment(LEAD, {"event": KEY, "team": TEAM, "comments": "Fährt ruhig."})


def save(event, order):
    return selection.save(LEAD, event, order, base={}, over=selection.Saved())


def picked():
    return save(field_event(), ())


def unused_event():
    field.be_at(None)
    return version_of("info")


def stored_game():
    return games.save(LEAD, definition.shipped(2026), seen_version=0)


def moved():
    form = stand()
    place = {"team": "20", "match": MATCH}
    key = forms.move(LEAD, "stand", key_of(form), place, seen_version=form.seen_version)
    return stand_forms.get(key, strong=True)


def deleted():
    form = stand()
    forms.delete(LEAD, "stand", key_of(form), seen_version=form.seen_version)
    return form


def key_of(form):
    return stand_forms.key_of(form)


def field_event():
    return event_infos.read(KEY, strong=True)


def version_of(part):
    return getattr(event_infos.parts(KEY, strong=True), part).seen_version


STAND = {"event": KEY, "team": TEAM, "match": MATCH, "scores": {"teleFuel": 7}}
ONCE = IdempotencyKey(SCOUT.sub, "scouting:stand", "first", STAND)
PIT = {"event": KEY, "team": TEAM, "answers": {}, "photos": []}
COMMENT = {"event": KEY, "team": TEAM, "comments": "Fährt ruhig."}
# What each pattern needs to be there, and how it is called with it.
CALLS = {
    "stand_forms.at": (stand, lambda _: stand_forms.at(KEY)),
    "stand_forms.stored_at": (stand, lambda _: stand_forms.stored_at(KEY)),
    "stand_forms.of_team": (stand, lambda _: stand_forms.of_team(KEY, TEAM)),
    "stand_forms.of_robot": (stand, lambda _: stand_forms.of_robot(KEY, TEAM, MATCH)),
    "stand_forms.across_events": (stand, lambda _: stand_forms.across_events(TEAM)),
    "stand_forms.key_with_id": (stand, lambda form: stand_forms.key_with_id(form.id)),
    "stand_forms.by_scout": (stand, lambda _: stand_forms.by_scout(SCOUT.sub).items),
    "stand_forms.latest": (stand, lambda _: stand_forms.latest(KEY).items),
    "forms.services.submit_stand": (None, lambda _: forms.submit_stand(SCOUT, STAND, once=ONCE)),
    "forms.services.opened": (stand, lambda form: forms.opened(SCOUT, "stand", key_of(form))),
    "forms.services.past": (moved, lambda form: forms.past("stand", key_of(form), form)),
    "forms.services.edit": (
        stand,
        lambda form: forms.edit(
            SCOUT, "stand", key_of(form), {"scores": {"teleFuel": 8}}, seen_version=form.seen_version
        ),
    ),
    "forms.services.move": (
        stand,
        lambda form: forms.move(
            LEAD, "stand", key_of(form), {"team": "20", "match": 1}, seen_version=form.seen_version
        ),
    ),
    "forms.services.delete": (
        stand,
        lambda form: forms.delete(LEAD, "stand", key_of(form), seen_version=form.seen_version),
    ),
    "forms.services.restore": (deleted, lambda form: forms.restore(LEAD, "stand", key_of(form))),
    "pit_forms.at": (pit, lambda _: pit_forms.at(KEY)),
    "pit_forms.stored_at": (pit, lambda _: pit_forms.stored_at(KEY)),
    "pit_forms.across_events": (pit, lambda _: pit_forms.across_events(TEAM)),
    "pit_forms.by_scout": (pit, lambda _: pit_forms.by_scout(SCOUT.sub).items),
    "forms.services.submit_pit": (None, lambda _: forms.submit_pit(SCOUT, PIT)),
    "forms.services.ensure_not_taken": (None, lambda _: forms.ensure_not_taken(KEY, TEAM, None)),
    "comment_forms.of_team": (comment, lambda _: comment_forms.of_team(KEY, TEAM)),
    "comment_forms.across_events": (comment, lambda _: comment_forms.across_events(TEAM)),
    "comment_forms.by_scout": (comment, lambda _: comment_forms.by_scout(LEAD.sub).items),
    "comment_forms.at": (comment, lambda _: comment_forms.at(KEY)),
    "forms.services.submit_comment": (None, lambda _: forms.submit_comment(SCOUT, COMMENT)),
    "selection.services.read": (field_event, lambda _: selection.read(KEY)),
    "selection.services.save": (
        field_event,
        lambda event: save(event, pick_list.refreshed((), event)),
    ),
    "selection.services.take": (
        lambda: (field_event(), picked()),
        lambda listed: selection.take(LEAD, listed[0], TEAM, over=listed[1]),
    ),
    "selection.services.version_now": (picked, lambda _: selection.version_now(KEY)),
    "selection.services.saves": (picked, lambda _: selection.saves(KEY)),
    "stored_settings.all": (None, lambda _: stored_settings.all()),
    "stored_settings.get": (
        None,
        lambda _: stored_settings.get(stored_settings.key_of(Settings.of_year(2026))),
    ),
    "settings.services.choose": (
        lambda: settings.of_year(2026, strong=True).seen_version,
        lambda seen: settings.choose(LEAD, 2026, event=KEY, locked=True, game_year=None, seen_version=seen),
    ),
    "stored_games.all": (stored_game, lambda _: stored_games.all()),
    "stored_games.get": (
        stored_game,
        lambda _: stored_games.get(stored_games.key_of(StoredGame.of_year(2026))),
    ),
    "games.services.save": (
        None,
        lambda _: games.save(LEAD, definition.shipped(2026), seen_version=0),
    ),
    "event_infos.by_key": (None, lambda _: event_infos.by_key().items),
    "event_infos.newest_first": (None, lambda _: event_infos.newest_first()),
    "event_infos.of_year": (None, lambda _: event_infos.of_year(2026)),
    "team_directory.get": (None, lambda _: team_directory.get()),
    "event_infos.parts": (None, lambda _: event_infos.parts(KEY)),
    "event_infos.read": (None, lambda _: event_infos.read(KEY)),
    "event_infos.read_with": (None, lambda _: event_infos.read_with(PitForm.about(KEY, TEAM))),
    "events.services.create": (None, lambda _: events.create(LEAD, "2026fhnew", {"name": "Neu"})),
    "events.services.edit": (
        lambda: version_of("info"),
        lambda seen: events.edit(LEAD, KEY, {"name": "Anders"}, seen_version=seen),
    ),
    "events.services.delete": (
        unused_event,
        lambda seen: events.delete(LEAD, KEY, seen_version=seen),
    ),
    "events.services.restore": (
        lambda: events.delete(LEAD, KEY, seen_version=unused_event()),
        lambda deleted: events.restore(LEAD, key=event_infos.key_of(deleted)),
    ),
    "events.services.type_teams": (
        lambda: version_of("teams"),
        lambda seen: events.type_teams(LEAD, KEY, "20 Zwanzig", seen_version=seen),
    ),
    "events.services.type_matches": (
        lambda: version_of("schedule"),
        lambda seen: events.type_matches(LEAD, KEY, "1: 20 101 102 - 103 104 105", seen_version=seen),
    ),
    "queries.at": (stand, lambda _: queries.at(KEY)),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.method)
def test_it_costs_the_requests_that_the_table_says(db, line):
    field.event()
    field.have_shards(field.KEY)
    needed, call = CALLS[line.method]
    record = needed() if needed else None
    # Every process knows it for half a minute.
    settings.active()
    with metering.metered() as cost:
        assert call(record) != []

    assert ", ".join(cost.operations) == line.requests
    assert [call.index for call in cost.calls if call.index] == ([line.index] if line.index else [])


def test_every_pattern_is_in_the_table():
    """What a repository adds to the usual ones, and everything that is carried out once."""
    own = {
        f"{name}.{method}"
        for name, stored in STORED.items()
        for method, function in inspect.getmembers(type(stored), inspect.isfunction)
        if function.__module__ in PATTERNS and not method.startswith("_") and method not in HELPERS
    }
    verbs = verbs_in(VERBS, but={"id_for"})
    listed = [line.method for line in LINES]

    assert (own | verbs) - set(listed) == set()
    assert [line.method for line in LINES if not line.screen] == []
    assert sorted(listed) == sorted(CALLS)
