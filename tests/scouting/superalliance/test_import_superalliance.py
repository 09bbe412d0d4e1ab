"""`manage.py import_superalliance`: forms of three years out of mongoexport."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from scouting.events.repository import event_infos
from scouting.forms.models import StandForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.superalliance.importer import Importer
from tests.scouting import field
from tests.scouting.field import LEAD
from tests.scouting.superalliance.exports import document, only_form, run, save, stand

pytestmark = pytest.mark.usefixtures("db")


def run_with_refusals(folder, number, *options):
    """The same where some documents cannot be converted: the command fails after it has done the rest."""
    out = io.StringIO()
    with pytest.raises(CommandError, match=f"Documents that could not be converted: {number}; see above."):
        call_command("import_superalliance", str(folder), *options, stdout=out)
    return out.getvalue().splitlines()


def test_a_form_of_2026_gets_its_climb_out_of_the_boxes(tmp_path):
    boxes = {"centerClimbLevelOne": False, "sideClimbLevelTwo": True, "didClimb": True, "backClimb": True}
    answers = {"auto": True, "autoFuel": 8, "teleFuel": 30, "shotsMissed": 10, "autoClimb": False}
    words = {"shotPosition": "Multiple Places", "intakePosition": ["Ground", "Human Player Station"]}
    told = {"criticals": ["Robot Died"], "rpEarned": 3, "win": True, "comments": "fast", "totalScore": 38}
    save(tmp_path, "standforms", stand(1, 7, **boxes, **answers, **words, **told))

    assert run(tmp_path) == ["standforms: 1 imported, 1 found again."]
    form = only_form("2026mndu")
    assert (form.team, form.match, form.scout_name) == ("2053", 7, "Sina")
    assert form.scores == {
        "auto": True,
        "autoFuel": 8,
        "autoClimb": False,
        "teleFuel": 30,
        "shotsMissed": 10,
        "shotPosition": "multiplePlaces",
        "intakePosition": ["ground", "humanPlayerStation"],
        "climbLevel": "two",
        "climbPosition": "side",
        "backClimb": True,
    }
    assert (form.auto_score, form.tele_score, form.total_score) == (8, 50, 58)
    assert (form.criticals, form.rp_earned, form.win, form.comments) == (["Robot Died"], 3, True, "fast")
    assert form.created_at.isoformat() == "2026-03-02T10:00:00.123000+00:00"
    assert event_infos.read("2026mndu").name == "2026mndu"


@pytest.mark.parametrize(
    ("fields", "climb"),
    [
        ({"climbLevel": "three", "climbPosition": "center"}, ("three", "center")),
        ({"climbLevel": "three", "climbPosition": "center", "didClimb": False}, ("none", "")),
        ({"leftClimbLevelOne": True}, ("one", "side")),
        ({}, ("none", "")),
    ],
)
def test_climbs_of_2026_were_told_in_several_ways(tmp_path, fields, climb):
    save(tmp_path, "standforms", stand(1, **fields))
    run(tmp_path)

    scores = only_form("2026mndu").scores
    assert (scores["climbLevel"], scores["climbPosition"]) == climb


@pytest.mark.parametrize(
    ("year", "fields", "key", "value", "points"),
    [
        (2025, {"park": True}, "endgame", "park", 2),
        (2025, {"shallowClimb": True}, "endgame", "shallow", 6),
        (2025, {"deepClimb": True, "park": True}, "endgame", "deep", 12),
        (2025, {}, "endgame", "none", 0),
        (2024, {"park": True}, "stage", "park", 1),
        (2024, {"onstage": True}, "stage", "onstage", 3),
        (2024, {"onstage": True, "onstageSpotlit": True}, "stage", "onstageSpotlit", 4),
    ],
)
def test_the_boxes_of_earlier_years_became_one_choice(tmp_path, year, fields, key, value, points):
    save(tmp_path, "standforms", stand(1, year=year, **fields))
    run(tmp_path)

    form = only_form(f"{year}mndu")
    assert (form.scores[key], form.total_score) == (value, points)


def test_the_collections_have_the_names_and_shapes_of_superalliance(tmp_path):
    save(tmp_path, "STAND_FORMS", stand(1, autoFuel=3))
    save(tmp_path, "PIT_FORMS", document(2, notDo="climb"))
    save(tmp_path, "COMMENT_FORMS", document(3, comment="good"))
    listed = document(4, teams=[{"teamNumber": 20, "columnId": "r1"}], userId="user_1", eventCode="mndu")
    del listed["event"]
    save(tmp_path, "teamSelection", listed)
    made = f"{0x69A00000:08x}{5:016x}"
    save(tmp_path, "superAllianceConfig", {"_id": {"$oid": made}, "event": "mndu", "__v": 0})

    assert run(tmp_path) == [
        "standforms: 1 imported, 1 found again.",
        "pitforms: 1 imported, 1 found again.",
        "commentforms: 1 imported, 1 found again.",
        "teamselections: 0 earlier saves, 1 imported, 1 found again.",
        "config: 1 imported.",
    ]
    assert only_form("2026mndu").scores["autoFuel"] == 3
    assert [form.comments for form in comment_forms.of_team("2026mndu", "2053")] == ["good"]
    (item,) = selections.page("SELECTION").items
    assert (item.event, [team["columnId"] for team in item.teams]) == ("2026mndu", ["r1"])
    assert settings.active().event == "2026mndu"


def test_a_single_document_over_several_lines_is_read(tmp_path):
    (tmp_path / "STAND_FORMS.json").write_text(json.dumps(stand(1, autoFuel=3), indent=2))

    assert run(tmp_path) == ["standforms: 1 imported, 1 found again."]
    assert only_form("2026mndu").scores["autoFuel"] == 3


@pytest.mark.parametrize("code", ["mndu", "2026mndu"])
def test_a_pick_list_that_names_no_event_is_that_of_the_active_one(tmp_path, code):
    listed = document(4, event="", teams=[{"teamNumber": 20, "columnId": "r1"}])
    save(tmp_path, "teamSelection", listed)
    save(tmp_path, "superAllianceConfig", {"event": "none", "year": 2025}, {"event": code, "year": 2026})

    run(tmp_path)
    (item,) = selections.page("SELECTION").items
    assert item.event == "2026mndu"


def test_a_pick_list_that_names_no_event_is_refused_where_none_is_active(tmp_path):
    save(tmp_path, "teamSelection", document(4, event="", teams=[]))
    save(tmp_path, "superAllianceConfig", {"event": "none", "year": 2026})

    assert any(line.startswith("Not converted: teamselections") for line in run_with_refusals(tmp_path, 1))


def test_a_collection_that_was_renamed_is_read_under_both_names(tmp_path):
    save(tmp_path, "standForms", stand(1, 1), stand(2, 2))
    save(tmp_path, "scouting.STAND_FORMS", stand(2, 2), stand(3, 3))

    assert run(tmp_path) == ["standforms: 3 imported, 3 found again."]
    assert [int(form.match) for form in stand_forms.at("2026mndu")] == [1, 2, 3]


def test_a_dry_run_with_documents_that_cannot_be_converted_fails_too(tmp_path):
    save(tmp_path, "STAND_FORMS", stand(1), stand(2, 0))

    assert run_with_refusals(tmp_path, 1, "--dry-run")[0] == "standforms: 1 to import, 1 not converted."


@pytest.mark.parametrize("year", [2024, 2026])
def test_forms_say_with_which_game_they_were_filled_in(tmp_path, year):
    save(tmp_path, "standforms", stand(1, year=year))
    save(tmp_path, "pitforms", document(2, year=year, notDo="climb"))
    run(tmp_path)

    (pit,) = pit_forms.at(f"{year}mndu")
    assert (only_form(f"{year}mndu").game_year, pit.game_year) == (year, year)


def test_of_several_pit_forms_the_last_counts_and_all_answers_are_kept(tmp_path):
    save(
        tmp_path,
        "pitforms",
        document(1, notDo="climb"),
        document(2, notDo="shoot", batterySecured=True, robotImage="https://x.example/1.jpg", wheels="six"),
    )
    told = run(tmp_path)

    (form,) = pit_forms.at("2026mndu")
    assert form.answers == {"notDo": "shoot", "batterySecured": True, "wheels": "six"}
    assert form.robot_image == "https://x.example/1.jpg"
    assert "pitforms, fields without a place: wheels (1)." in told
    assert told[0] == "pitforms: 1 earlier forms, 1 imported, 1 found again."
    assert f"Left out: pitforms {1:024x}, a later form of the team was sent." in told


def test_the_last_save_of_a_pick_list_counts(tmp_path):
    teams = [
        {"id": "a", "teamNumber": 254, "teamName": "Poofs", "rank": 2, "columnId": "r1"},
        {"id": "b", "teamNumber": "20", "columnId": "elsewhere"},
    ]
    save(tmp_path, "teamselections", document(2, teams=teams), document(1, teams=[]))
    run(tmp_path)

    (item,) = selections.page("SELECTION").items
    assert item.event == "2026mndu"
    assert item.teams == [
        {"teamNumber": "254", "teamName": "Poofs", "rank": 2, "columnId": "r1", "taken": False},
        {"teamNumber": "20", "teamName": "", "rank": 0, "columnId": "unsorted", "taken": False},
    ]


def test_the_active_event_comes_along_unless_leads_have_chosen_one(tmp_path):
    save(tmp_path, "config", {"event": "mndu", "year": 2026})
    run(tmp_path)
    assert (settings.active().event, settings.active().is_locked) == ("2026mndu", True)
    assert event_infos.read("2026mndu").name == "2026mndu"
    field.exist("2026else")
    seen = settings.of_year(2026).seen_version
    settings.choose(LEAD, 2026, event="2026else", locked=False, game_year=None, seen_version=seen)

    assert run(tmp_path) == ["config: 1 already there."]
    assert settings.active().event == "2026else"


def test_practice_events_are_our_own_and_a_year_may_be_given(tmp_path):
    save(tmp_path, "standforms", stand(1, event="week0"))
    run(tmp_path, "--year", "2025")

    event = event_infos.read("2025week0")
    assert (event.name, event.is_own) == ("Week 0", True)


def test_what_cannot_be_converted_is_listed_and_the_rest_comes_along(tmp_path):
    save(
        tmp_path,
        "standforms",
        stand(1, autoFuel=-3, shotPosition="Under the bridge", robotColour="red"),
        stand(2, 0),
        stand(3, team=99999),
        stand(4, event=""),
        stand(5, year=2019),
    )
    told = run_with_refusals(tmp_path, 4)

    assert told[0] == "standforms: 4 not converted, 1 imported, 1 found again."
    named = "robotColour (1), autoFuel = -3 (1), shotPosition = Under the bridge (1)"
    assert told[1] == f"standforms, fields without a place: {named}."
    assert [line.partition(", because ")[2] for line in told[2:]] == [
        "“” of 2026 is no event.",
        "there is no game of 2019.",
        "“0” is no match.",
        "“99999” is no team.",
    ]


@pytest.mark.parametrize("run_before", [False, True])
def test_what_is_not_as_it_was_sent_is_a_problem(tmp_path, monkeypatch, run_before):
    save(tmp_path, "standforms", stand(1, autoFuel=1), stand(2, 2))
    verify = Importer._verify
    if run_before:
        run(tmp_path)

    def damaged(importer):
        one, other = stand_forms.at("2026mndu")
        other.delete()
        one.update(actions=[StandForm.tele_score.set(99)])
        verify(importer)

    monkeypatch.setattr(Importer, "_verify", damaged)
    out = io.StringIO()
    with pytest.raises(CommandError, match="Not everything is here"):
        call_command("import_superalliance", str(tmp_path), stdout=out)
    assert "PROBLEM: standforms: 1 are missing." in out.getvalue()
    assert "is not as it was sent (tele_score)." in out.getvalue()


def test_a_dry_run_writes_nothing(tmp_path):
    save(tmp_path, "standforms", stand(1), stand(2))
    save(tmp_path, "config", {"event": "mndu", "year": 2026})

    assert run(tmp_path, "--dry-run") == ["standforms: 2 to import.", "config: 1 to import."]
    assert stand_forms.at("2026mndu") == []
    assert not event_infos.by_key().items
    assert settings.of_year(2026, strong=True).version is None


def test_nonsense_is_listed_and_stops_nothing(tmp_path):
    endless = {"$numberDouble": "Infinity"}
    save(tmp_path, "standforms", stand(1, autoFuel=endless, criticals="Robot Died"))
    save(tmp_path, "pitforms", document(2, weight=endless))
    save(tmp_path, "teamselections", document(3, teams=[3]))
    save(tmp_path, "config", {"event": "mndu", "year": "abc"})
    told = run_with_refusals(tmp_path, 2)

    assert (only_form("2026mndu").criticals, only_form("2026mndu").scores["autoFuel"]) == (["Robot Died"], 0)
    assert [line.partition(", because ")[2] for line in told if line.startswith("Not converted")] == [
        "its teams are no list of teams.",
        "“abc” is no year.",
    ]


def test_only_the_end_of_a_line_ends_a_document(tmp_path):
    said = "fast\u2028and \u0085 high\x0b"
    text = json.dumps(stand(1, comments=said), ensure_ascii=False)
    (tmp_path / "standforms.json").write_bytes(f"{text}\r\n{json.dumps(stand(2, 2))}\n".encode())
    run(tmp_path)

    assert [form.comments for form in stand_forms.at("2026mndu")] == [said, ""]


def test_ranking_points_that_nobody_can_type_are_cut_and_told(tmp_path):
    save(tmp_path, "standforms", stand(1, rpEarned=9), stand(2, 2, rpEarned=6), stand(3, 3, rpEarned=-1))

    assert run(tmp_path) == [
        "standforms: 3 imported, 3 found again.",
        "standforms, fields without a place: rpEarned = 9 (1), rpEarned = -1 (1).",
    ]
    assert [form.rp_earned for form in stand_forms.at("2026mndu")] == [6, 6, 0]


def test_half_a_character_is_stored_as_a_question_mark(tmp_path):
    save(tmp_path, "standforms", stand(1, comments="fast \ud800"))
    run(tmp_path)

    assert only_form("2026mndu").comments == "fast ?"


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(CommandError, match=r"has none of STAND_FORMS\.json, PIT_FORMS\.json"):
        run(tmp_path)
    (tmp_path / "standforms.json").write_text('{"event": "x"}\n{')
    with pytest.raises(CommandError, match=r"standforms\.json, line 2 is not JSON"):
        run(tmp_path)
    (tmp_path / "standforms.json").write_text("[1]")
    with pytest.raises(CommandError, match="something that is no document"):
        run(tmp_path)
