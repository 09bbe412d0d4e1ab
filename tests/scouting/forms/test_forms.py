"""What scouts fill in, as the definition of a game asks for it."""

import pytest
from django.http import QueryDict

from scouting.forms.forms import CommentEntry, PitEntry, StandEntry
from scouting.games import definition

GAME = definition.from_json(
    {
        "year": 2026,
        "name": "Made up",
        "criticals": ["Robot Died"],
        "questions": [
            {"key": "moved", "label": "Moved", "phase": "auto", "kind": "yes_no", "points": 2},
            {"key": "pieces", "label": "Pieces", "phase": "tele", "kind": "counter", "points": 3, "most": 40},
            {
                "key": "climb",
                "label": "Climb",
                "phase": "endgame",
                "kind": "choice",
                "choices": [{"key": "none", "label": "None"}, {"key": "high", "label": "High", "points": 10}],
            },
            {
                "key": "side",
                "label": "Side",
                "phase": "endgame",
                "kind": "choice",
                "required": True,
                "choices": [{"key": "left", "label": "Left"}, {"key": "right", "label": "Right"}],
                "shown": {"field": "climb", "among": ["high"]},
            },
            {
                "key": "from",
                "label": "From",
                "phase": "tele",
                "kind": "multi",
                "choices": [{"key": "ground", "label": "Ground"}, {"key": "station", "label": "Station"}],
            },
            {"key": "cycle", "label": "Cycle", "phase": "tele", "kind": "timer", "most": 150},
            {"key": "note", "label": "Note", "phase": "post", "kind": "text"},
        ],
        "pit": [
            {"key": "other", "label": "Otherwise", "phase": "How", "kind": "yes_no"},
            {
                "key": "how",
                "label": "How?",
                "phase": "How",
                "kind": "text",
                "shown": {"field": "other", "among": [True]},
            },
        ],
    }
)


def sent(**fields):
    posted = QueryDict(mutable=True)
    for name, value in ({"event": "2026fhtest", "match": "7", "team": "254"} | fields).items():
        posted.setlist(name, value if isinstance(value, list) else [str(value)])
    return posted


def entry(**fields):
    return StandEntry(sent(**fields), game=GAME)


def errors(**fields):
    return set(entry(**fields).errors)


def test_what_was_answered_is_kept_by_key_and_what_was_not_is_empty():
    form = entry(q_pieces="12", q_moved="on", q_from=["ground"], q_cycle="4.5", rp_earned="2", win="on")
    assert form.is_valid(), form.errors
    assert form.fields_of() == {
        "event": "2026fhtest",
        "match": 7,
        "team": "254",
        "no_show": False,
        "win": True,
        "rp_earned": 2,
        "defense": False,
        "defended_against": False,
        "criticals": [],
        "strategy": "",
        "comments": "",
        "scores": {
            "moved": True,
            "pieces": 12,
            "climb": "",
            "side": "",
            "from": ["ground"],
            "cycle": 4.5,
            "note": "",
        },
    }


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"q_pieces": "-1"}, {"q_pieces"}),
        ({"q_pieces": "41"}, {"q_pieces"}),
        ({"q_pieces": "1.5"}, {"q_pieces"}),
        ({"q_climb": "higher"}, {"q_climb"}),
        ({"q_from": ["ground", "sky"]}, {"q_from"}),
        ({"q_cycle": "nan"}, {"q_cycle"}),
        ({"q_note": "x" * 751}, {"q_note"}),
        ({"comments": "x" * 751}, {"comments"}),
        ({"criticals": ["Robot Flew"]}, {"criticals"}),
        ({"rp_earned": "7"}, {"rp_earned"}),
        ({"match": "0"}, {"match"}),
        ({"match": "1001"}, {"match"}),
        ({"team": "25600"}, {"team"}),
        ({"team": "0"}, {"team"}),
        ({"team": ""}, {"team"}),
        ({"event": "../x"}, {"event"}),
        ({"q_climb": "high"}, {"q_side"}),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(fields, wrong):
    assert errors(**fields) == wrong


@pytest.mark.parametrize(
    "fields",
    [{"match": "1000"}, {"team": "25599"}, {"q_pieces": "40"}, {"q_note": "x" * 750}, {"unknown": "1"}],
)
def test_what_can_just_be_is_taken_and_unknown_names_are_ignored(fields):
    form = entry(**fields)
    assert form.is_valid(), form.errors
    assert "unknown" not in form.fields_of()


def test_teams_are_stored_in_one_way():
    form = entry(team=" frc254b ")
    assert form.is_valid()
    assert form.fields_of()["team"] == "254B"


def test_what_is_not_asked_is_stored_empty_and_cannot_be_wrong():
    form = entry(q_climb="none", q_side="left")
    assert form.is_valid()
    assert form.fields_of()["scores"]["side"] == ""
    assert entry(q_climb="none", q_side="nowhere").is_valid()


def test_of_a_robot_that_did_not_come_nothing_is_kept():
    form = entry(no_show="on", q_pieces="12", q_moved="on")
    assert form.is_valid()
    assert GAME.score(form.fields_of()["scores"]).total == 0


def test_the_steps_are_the_phases_and_large_counters_add_five_at_once():
    steps = entry().steps()
    assert [step.name for step in steps] == ["auto", "tele", "endgame", "post"]
    assert [each.key or each.field.name for each in steps[0].asked] == ["no_show", "moved"]
    assert steps[1].asked[0].steps == (1, 5)


def test_a_pit_form_asks_further_only_after_certain_answers():
    def answers(**fields):
        form = PitEntry(sent(**fields), game=GAME)
        assert form.is_valid(), form.errors
        return form.fields_of()["answers"]

    assert answers(q_other="on", q_how="With a net") == {"other": True, "how": "With a net"}
    assert answers(q_how="With a net") == {"other": False, "how": ""}


def test_a_comment_needs_words():
    assert set(CommentEntry(sent(comments="  ")).errors) == {"comments"}
    assert CommentEntry(sent(comments="Fast\r\nbut tips")).is_valid()
