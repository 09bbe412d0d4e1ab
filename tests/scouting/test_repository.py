"""What scouts wrote is found again by event, team, match, scout and time."""

import pytest

from core.dynamo import registry
from core.dynamo.attributes import from_iso
from core.dynamo.errors import AlreadyExists, NotFound
from scouting.events.event import Alliance, Match, Team, as_stored
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games.models import StoredGame
from scouting.selection.models import TeamSelection
from scouting.settings.models import Settings
from tests.scouting.field import exist

pytestmark = pytest.mark.usefixtures("db")
EVENT = "2026fhtest"


@pytest.fixture
def event():
    exist(EVENT)


def stand(actor, team, match, **fields):
    form = StandForm.about(EVENT, team, match, scout_id=actor.sub, scout_name=actor.name, **fields)
    return stand_forms.create(form, actor=actor)


def places(forms):
    return [(form.team, int(form.match)) for form in forms]


def test_a_teams_forms_come_in_the_order_of_matches_and_are_its_own(event, alice):
    for match in (15, 9, 60, 1, 1000):
        stand(alice, "20", match)
    for other in ("2053", "2095", "20B"):
        stand(alice, other, 2)

    assert places(stand_forms.of_team(EVENT, "20")) == [
        ("20", 1),
        ("20", 9),
        ("20", 15),
        ("20", 60),
        ("20", 1000),
    ]


def test_a_robot_has_one_form_in_a_match_and_may_have_further_reports(event, alice, bob):
    first = stand(alice, "254B", 7)
    with pytest.raises(AlreadyExists) as refused:
        stand(bob, "254B", 7)
    assert refused.value.current.id == first.id

    second = stand(bob, "254B", 7, further="second-report")
    found = stand_forms.of_robot(EVENT, "254B", 7)
    assert [(form.scout_name, form.is_further) for form in found] == [
        (alice.name, False),
        (bob.name, True),
    ]
    assert second.sk == "TEAM#254B#MATCH#0007#R#second-report"


def test_the_robot_of_match_7_is_not_that_of_match_70_or_1000(event, alice):
    for match in (7, 70, 700):
        stand(alice, "20", match)
    assert places(stand_forms.of_robot(EVENT, "20", 7)) == [("20", 7)]


def test_a_form_is_found_by_its_id_by_its_scout_and_across_events(event, alice, bob):
    mine = stand(alice, "20", 2)
    stand(bob, "20", 10)
    forms = stand_forms

    assert forms.key_with_id(mine.id) == forms.key_of(mine)
    with pytest.raises(NotFound):
        forms.key_with_id("nothing")
    assert places(forms.by_scout(bob.sub).items) == [("20", 10)]
    assert [(form.event, form.match) for form in forms.across_events("20")] == [(EVENT, 10), (EVENT, 2)]
    assert places(forms.latest(EVENT, newest_first=True).items) == [("20", 10), ("20", 2)]
    assert places(forms.at(EVENT)) == [("20", 2), ("20", 10)]
    assert forms.at("2025fhtest") == []


def test_two_comments_of_one_millisecond_stay_two_and_the_newest_comes_first(event, alice):
    moment = from_iso("2026-03-07T10:00:00.000Z")
    for text in ("Fast", "Tall"):
        comment = CommentForm.about(EVENT, "20", comments=text, created_at=moment, scout_id=alice.sub)
        comment_forms.create(comment, actor=alice)
    comment_forms.create(CommentForm.about(EVENT, "20", comments="Newest"), actor=alice)

    found = comment_forms.of_team(EVENT, "20")
    assert found[0].comments == "Newest"
    assert {comment.comments for comment in found[1:]} == {"Fast", "Tall"}
    assert len(comment_forms.at(EVENT)) == 3
    assert len(comment_forms.across_events("20")) == 3
    assert len(comment_forms.by_scout(alice.sub).items) == 2


def test_a_team_has_one_pit_form_at_an_event(event, alice):
    pit_forms.create(PitForm.about(EVENT, "20", scout_id=alice.sub), actor=alice)
    with pytest.raises(AlreadyExists):
        pit_forms.create(PitForm.about(EVENT, "20"), actor=alice)
    assert [form.team for form in pit_forms.at(EVENT)] == ["20"]
    assert [form.event for form in pit_forms.across_events("20")] == [EVENT]
    assert [form.event for form in pit_forms.by_scout(alice.sub).items] == [EVENT]


def test_an_event_is_read_with_its_teams_and_matches(alice):
    fetched = from_iso("2026-03-07T10:00:00.000Z")
    match = Match(
        3, Alliance(("20", "254B", "2053"), 61, ("20",), {"foulPoints": 5}), Alliance(("1", "2", "3"))
    )
    teams = as_stored([Team("2053", "Tigertronics"), Team("20", "The Rocketeers", rank=4)])
    for repo, item in (
        (event_infos, EventInfo.about(EVENT, name="Fieldhouse Test", is_own=True)),
        (event_teams, EventTeams.about(EVENT, teams=teams, fetched_at=fetched)),
        (schedules, Schedule.about(EVENT, matches=as_stored([match]))),
    ):
        repo.create(item, actor=alice)

    event = event_infos.read(EVENT)
    assert (event.name, event.is_own, event.teams_fetched_at) == ("Fieldhouse Test", True, fetched)
    assert event.matches == (match,)
    assert event.match(3).red.own_score == 56
    assert event.match(4) is None
    assert event.team("20").rank == 4
    assert event.team("1").label == "1"
    assert event.team_numbers == ("1", "2", "3", "20", "254B", "2053")
    assert event.matches_of("254B") == [match]
    assert (match.alliance_of("254B"), match.alliance_of("3"), match.alliance_of("9")) == (
        "red",
        "blue",
        None,
    )
    assert not match.was_played


def test_an_event_that_nobody_made_is_not_found():
    with pytest.raises(NotFound):
        event_infos.read(EVENT)


def test_items_of_one_table_are_told_apart(alice):
    items = [
        Settings.of_year(2026),
        Settings.default(2026),
        StoredGame.of_year(2026, name="REBUILT", definition={}),
        EventInfo.about(EVENT, name="Test"),
        EventTeams.about(EVENT),
        Schedule.about(EVENT),
    ]
    in_this_table = [
        each for each in registry.repositories() if each.model.Meta.table_name == Settings.Meta.table_name
    ]
    owners = [[each.entity for each in in_this_table if each.owns(item.serialize())] for item in items]
    assert owners == [
        ["scouting-settings"],
        ["scouting-settings"],
        ["game"],
        ["scouted-event"],
        ["event-teams"],
        ["schedule"],
    ]


def test_a_pick_list_stands_under_its_event():
    assert TeamSelection.about(EVENT).raw_key() == {"PK": {"S": "SELECTION"}, "SK": {"S": f"EVENT#{EVENT}"}}
