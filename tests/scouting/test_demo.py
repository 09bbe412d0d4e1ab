"""The example events: believable, complete, loaded once."""

from collections import Counter
from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image

from core.accounts import demo as accounts
from core.accounts.cast import CAST
from core.accounts.user import User
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.example_data import read
from scouting import demo
from scouting.analysis import queries, ratings
from scouting.analysis.statistics import scouts
from scouting.analysis.statistics.coverage import DONE, DOUBLE, MISSING, coverage
from scouting.events.repository import event_infos
from scouting.forms import photos
from scouting.forms.forms import PitEntry, StandEntry
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.forms.services import game_of
from scouting.selection import services as selection
from scouting.selection.models import DO_NOT_PICK, FIRST, SECOND, UNSORTED
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.settings.repository import stored_settings

PEOPLE = {
    person.given_name: User.of(
        sub=f"{person.given_name}-sub", name=person.name, email=person.email, groups=[person.group or ""]
    )
    for person in CAST
}
HERE, EARLIER = demo.HERE, demo.EARLIER


@pytest.fixture
def loaded(db, monkeypatch):
    monkeypatch.setattr(accounts, "people", lambda: PEOPLE)
    with metering.metered() as cost:
        demo.load()
    return cost


def versions():
    """Every record with its version: what a second load must not change."""
    events = [event_infos.parts(key, strong=True) for key in (HERE, EARLIER)]
    items = [item for parts in events for item in (parts.info, parts.teams, parts.schedule)]
    for key in (HERE, EARLIER):
        items += [*stand_forms.at(key), *pit_forms.at(key)]
        # Their list has no versions.
        keys = map(comment_forms.key_of, comment_forms.at(key))
        items += comment_forms.get_many(keys, strong=True).values()
    items += [*stored_settings.all(), selections.get(f"SELECTION|EVENT#{HERE}", strong=True)]
    return {(item.pk, item.sk): int(item.version) for item in items}


def test_a_second_load_changes_nothing_and_none_takes_many_requests(loaded):
    before = versions()
    assert len(before) > 250
    assert len(loaded.calls) < 60

    demo.load()

    assert versions() == before


def test_some_robots_have_photos_which_a_second_load_leaves_alone(bucket, loaded, as_role):
    forms = pit_forms.at(HERE)
    with_photo = [form for form in forms if form.photos]
    assert len(with_photo) == 10
    (photo,) = photos.described(with_photo[0])
    answer = as_role("scout-lead").get(photo.address)
    assert Image.open(BytesIO(answer.content)).size == (1200, 900)

    demo.load()

    assert [form.photos for form in pit_forms.at(HERE)] == [form.photos for form in forms]


@pytest.mark.parametrize("part", ["stand_forms", "comments"])
def test_an_interrupted_load_is_finished_by_the_next_one(db, monkeypatch, part):
    monkeypatch.setattr(accounts, "people", lambda: PEOPLE)
    with monkeypatch.context() as broken:
        broken.setattr(f"scouting.demo._{part}", lambda *_args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            demo.load()
    demo.load()

    assert len(stand_forms.at(HERE)) == 168
    assert len(pit_forms.at(HERE)) == 19
    assert len(comment_forms.at(HERE)) == len(read(demo.__file__, "event_2026")["comments"])
    assert len(selection.saves(HERE)) == 2


def test_we_are_at_an_event_of_24_teams_of_whose_40_matches_28_were_played(loaded):
    season = settings.active()
    event = event_infos.read(HERE)

    assert (season.event, season.game.year, season.is_locked) == (HERE, settings.newest_game().year, False)
    assert len(event.teams) == 24
    assert "9982B" in event.team_numbers
    assert [match.number for match in event.matches] == list(range(1, 41))
    assert [match.was_played for match in event.matches] == [True] * 28 + [False] * 12
    assert set(Counter(team for match in event.matches for team in match.teams).values()) == {10}
    assert sorted(team.rank for team in event.teams) == list(range(1, 25))
    times = [match.time for match in event.matches]
    assert times == sorted(times)
    assert times[27] < f"{now():%Y-%m-%dT%H:%M:%S}" < times[28]


@pytest.mark.parametrize("key", [HERE, EARLIER])
def test_official_scores_are_what_the_scouts_saw_up_to_their_mistakes(loaded, key):
    read = queries.at(key)
    seen = {(sighting.match, sighting.team): sighting.scores.total for sighting in read.sightings}
    for match in (match for match in read.event.matches if match.was_played):
        for alliance in (match.red, match.blue):
            if all((match.number, team) in seen for team in alliance.teams):
                counted = sum(seen[match.number, team] for team in alliance.teams)
                assert counted == pytest.approx(alliance.own_score, rel=0.2, abs=3)

    assert ratings.ratings(read.event.matches) is not None
    accuracy = scouts.accuracy(read.event.matches, read.sightings)
    assert accuracy[0].mean_error < accuracy[-1].mean_error
    if key == HERE:
        assert accuracy[-1].scout.name == "Jonte Behrens"
        assert accuracy[-1].bias > 0


def test_one_robot_was_not_watched_one_twice_and_one_did_not_come(loaded):
    event, forms = event_infos.read(HERE), stand_forms.at(HERE)
    due = [covered for covered in coverage(event, forms) if covered.is_due]
    states = Counter(place.state for covered in due for place in covered.places)

    assert states == {DONE: 166, DOUBLE: 1, MISSING: 1}
    assert [form.team for form in forms if form.no_show] == ["9982B"]
    assert [form.is_further for form in forms].count(True) == 1
    assert len({form.scout_name for form in forms}) == 7
    assert len({critical for form in forms for critical in form.criticals}) >= 3
    assert len([form for form in forms if form.comments]) >= 30
    assert all(form.created_at < now() for form in forms)


@pytest.mark.parametrize("key", [HERE, EARLIER])
def test_forms_are_such_as_the_form_would_have_sent(loaded, key):
    game = game_of(key)
    for stored in stand_forms.at(key):
        form = StandEntry(StandEntry.initial_of(stored), game=game, is_edit=True)
        assert form.is_valid(), form.errors
        assert form.values() == stored.scores
        worth = game.score(stored.scores)
        assert (worth.auto, worth.tele, worth.total) == (
            stored.auto_score,
            stored.tele_score,
            stored.total_score,
        )
    for stored in pit_forms.at(key):
        form = PitEntry(PitEntry.initial_of(stored), game=game, is_edit=True)
        assert form.is_valid(), form.errors
        assert form.values() == stored.answers
    forms = [*stand_forms.at(key), *pit_forms.at(key)]
    assert {form.game_year for form in forms} == {game.year}


def test_scout_and_lead_find_something_on_their_screens(loaded):
    sina, leandro = PEOPLE["Sina"].sub, PEOPLE["Leandro"].sub
    for forms in (stand_forms, pit_forms, comment_forms):
        assert forms.by_scout(sina).items
        assert forms.by_scout(leandro).items
    today = stand_forms.by_scout(sina, newest_first=True).items[0]
    assert now() - today.created_at < timedelta(minutes=15)

    columns = Counter(pick.column for pick in selection.read(HERE)[1].picks)
    assert columns == {UNSORTED: 12, FIRST: 5, SECOND: 6, DO_NOT_PICK: 1}
    assert stand_forms.across_events("9985")[-1].event == EARLIER


def test_without_a_local_user_pool_there_is_nothing(db, settings):
    settings.COGNITO_ENDPOINT = None
    demo.load()

    assert event_infos.by_key().items == []
