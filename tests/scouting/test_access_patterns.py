"""The table of access patterns in docs/scouting.md is true and complete: each costs the requests it says."""

import inspect
from typing import NamedTuple

import pytest

from core.dynamo import metering
from scouting import game, reading, repository
from scouting.models import PitForm, Settings, StoredGame
from scouting.services import event_trash, events, forms, games, pick_list, selection, settings
from tests.pattern_tables import table_in, verbs_in
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

TEAM, MATCH = "254B", 3
PATTERNS = {
    f"scouting.repository.{room}" for room in ("directory", "event", "forms", "selection", "settings")
}
VERBS = (forms, events, settings, selection, games)
# What sends nothing.
HELPERS = {"label_of", "forget"}


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
    return games.save(LEAD, game.shipped(2026), seen_version=0)


def moved():
    form = stand()
    place = {"team": "20", "match": MATCH}
    key = forms.move(LEAD, "stand", key_of(form), place, seen_version=form.seen_version)
    return repository.stand_forms.get(key, strong=True)


def deleted():
    form = stand()
    forms.delete(LEAD, "stand", key_of(form), seen_version=form.seen_version)
    return form


def key_of(form):
    return repository.stand_forms.key_of(form)


def field_event():
    return repository.event_infos.read(KEY, strong=True)


def version_of(part):
    return getattr(repository.event_infos.parts(KEY, strong=True), part).seen_version


STAND = {"event": KEY, "team": TEAM, "match": MATCH, "scores": {"teleFuel": 7}}
PIT = {"event": KEY, "team": TEAM, "answers": {}, "photos": []}
COMMENT = {"event": KEY, "team": TEAM, "comments": "Fährt ruhig."}
# What each pattern needs to be there, and how it is called with it.
CALLS = {
    "stand_forms.at": (stand, lambda _: repository.stand_forms.at(KEY)),
    "stand_forms.stored_at": (stand, lambda _: repository.stand_forms.stored_at(KEY)),
    "stand_forms.of_team": (stand, lambda _: repository.stand_forms.of_team(KEY, TEAM)),
    "stand_forms.of_robot": (stand, lambda _: repository.stand_forms.of_robot(KEY, TEAM, MATCH)),
    "stand_forms.across_events": (stand, lambda _: repository.stand_forms.across_events(TEAM)),
    "stand_forms.key_with_id": (stand, lambda form: repository.stand_forms.key_with_id(form.id)),
    "stand_forms.by_scout": (stand, lambda _: repository.stand_forms.by_scout(SCOUT.sub).items),
    "stand_forms.latest": (stand, lambda _: repository.stand_forms.latest(KEY).items),
    "services.forms.submit_stand": (None, lambda _: forms.submit_stand(SCOUT, STAND)),
    "services.forms.opened": (stand, lambda form: forms.opened(SCOUT, "stand", key_of(form))),
    "services.forms.past": (moved, lambda form: forms.past("stand", key_of(form), form)),
    "services.forms.edit": (
        stand,
        lambda form: forms.edit(
            SCOUT, "stand", key_of(form), {"scores": {"teleFuel": 8}}, seen_version=form.seen_version
        ),
    ),
    "services.forms.move": (
        stand,
        lambda form: forms.move(
            LEAD, "stand", key_of(form), {"team": "20", "match": 1}, seen_version=form.seen_version
        ),
    ),
    "services.forms.delete": (
        stand,
        lambda form: forms.delete(LEAD, "stand", key_of(form), seen_version=form.seen_version),
    ),
    "services.forms.restore": (deleted, lambda form: forms.restore(LEAD, "stand", key_of(form))),
    "pit_forms.at": (pit, lambda _: repository.pit_forms.at(KEY)),
    "pit_forms.stored_at": (pit, lambda _: repository.pit_forms.stored_at(KEY)),
    "pit_forms.across_events": (pit, lambda _: repository.pit_forms.across_events(TEAM)),
    "pit_forms.by_scout": (pit, lambda _: repository.pit_forms.by_scout(SCOUT.sub).items),
    "services.forms.submit_pit": (None, lambda _: forms.submit_pit(SCOUT, PIT)),
    "services.forms.ensure_not_taken": (None, lambda _: forms.ensure_not_taken(KEY, TEAM, None)),
    "comment_forms.of_team": (comment, lambda _: repository.comment_forms.of_team(KEY, TEAM)),
    "comment_forms.across_events": (comment, lambda _: repository.comment_forms.across_events(TEAM)),
    "comment_forms.by_scout": (comment, lambda _: repository.comment_forms.by_scout(LEAD.sub).items),
    "comment_forms.at": (comment, lambda _: repository.comment_forms.at(KEY)),
    "services.forms.submit_comment": (None, lambda _: forms.submit_comment(SCOUT, COMMENT)),
    "services.selection.read": (field_event, lambda _: selection.read(KEY)),
    "services.selection.save": (
        field_event,
        lambda event: save(event, pick_list.refreshed((), event)),
    ),
    "services.selection.take": (
        lambda: (field_event(), picked()),
        lambda listed: selection.take(LEAD, listed[0], TEAM, over=listed[1]),
    ),
    "services.selection.version_now": (picked, lambda _: selection.version_now(KEY)),
    "services.selection.saves": (picked, lambda _: selection.saves(KEY)),
    "settings.all": (None, lambda _: repository.settings.all()),
    "settings.get": (
        None,
        lambda _: repository.settings.get(repository.settings.key_of(Settings.of_year(2026))),
    ),
    "services.settings.choose": (
        lambda: settings.of_year(2026, strong=True).seen_version,
        lambda seen: settings.choose(LEAD, 2026, event=KEY, locked=True, game_year=None, seen_version=seen),
    ),
    "stored_games.all": (stored_game, lambda _: repository.stored_games.all()),
    "stored_games.get": (
        stored_game,
        lambda _: repository.stored_games.get(repository.stored_games.key_of(StoredGame.of_year(2026))),
    ),
    "services.games.save": (
        None,
        lambda _: games.save(LEAD, game.shipped(2026), seen_version=0),
    ),
    "event_infos.by_key": (None, lambda _: repository.event_infos.by_key().items),
    "event_infos.newest_first": (None, lambda _: repository.event_infos.newest_first()),
    "event_infos.of_year": (None, lambda _: repository.event_infos.of_year(2026)),
    "team_directory.all": (None, lambda _: repository.team_directory.all()),
    "event_infos.parts": (None, lambda _: repository.event_infos.parts(KEY)),
    "event_infos.read": (None, lambda _: repository.event_infos.read(KEY)),
    "event_infos.read_with": (None, lambda _: repository.event_infos.read_with(PitForm.about(KEY, TEAM))),
    "services.events.create": (None, lambda _: events.create(LEAD, "2026fhnew", {"name": "Neu"})),
    "services.events.edit": (
        lambda: version_of("info"),
        lambda seen: events.edit(LEAD, KEY, {"name": "Anders"}, seen_version=seen),
    ),
    "services.event_trash.delete": (
        unused_event,
        lambda seen: event_trash.delete(LEAD, KEY, seen_version=seen),
    ),
    "services.event_trash.restore": (
        lambda: event_trash.delete(LEAD, KEY, seen_version=unused_event()),
        lambda deleted: event_trash.restore(LEAD, key=repository.event_infos.key_of(deleted)),
    ),
    "services.events.type_teams": (
        lambda: version_of("teams"),
        lambda seen: events.type_teams(LEAD, KEY, "20 Zwanzig", seen_version=seen),
    ),
    "services.events.type_matches": (
        lambda: version_of("schedule"),
        lambda seen: events.type_matches(LEAD, KEY, "1: 20 101 102 - 103 104 105", seen_version=seen),
    ),
    "reading.at": (stand, lambda _: reading.at(KEY)),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.method)
def test_it_costs_the_requests_that_the_table_says(db, line):
    field.event()
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
    stored = {name: type(getattr(repository, name)) for name in repository.__all__ if name.islower()}
    own = {
        f"{name}.{method}"
        for name, kind in stored.items()
        for method, function in inspect.getmembers(kind, inspect.isfunction)
        if function.__module__ in PATTERNS and not method.startswith("_") and method not in HELPERS
    }
    verbs = verbs_in(VERBS, but={"id_for"})
    listed = [line.method for line in LINES]

    assert (own | verbs) - set(listed) == set()
    assert [line.method for line in LINES if not line.screen] == []
    assert sorted(listed) == sorted(CALLS)
