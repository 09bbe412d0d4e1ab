"""A game is data: what its answers are worth, and what makes it unusable."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dynamo.errors import Invalid
from scouting.games import definition as game
from scouting.games.definition import AUTO, COUNTER, TELE, Choice, Condition, Game, Question, Scores


def rebuilt(**values):
    return game.shipped(2026).score(values)


def test_2024_2025_and_2026_are_shipped():
    assert [*game.shipped_games()] == [2024, 2025, 2026]
    assert [game.shipped(year).name for year in (2024, 2025, 2026)] == ["CRESCENDO", "REEFSCAPE", "REBUILT"]
    assert game.shipped(2023) is None


def test_the_endgame_is_part_of_teleop():
    scores = rebuilt(autoFuel=8, autoClimb=True, teleFuel=20, shotsMissed=4, climbLevel="two")
    assert scores == Scores(auto=23, tele=40)
    assert scores.total == 63


def test_reefscape_values():
    values = {
        "autoCoralL4": 2,
        "autoAlgaeNet": 1,
        "teleopCoralL1": 1,
        "teleopAlgaeProcessor": 2,
        "endgame": "deep",
    }
    assert game.shipped(2025).score(values) == Scores(auto=18, tele=26)


def test_crescendo_harmony_counts_only_on_the_stage():
    crescendo = game.shipped(2024)
    assert crescendo.score({"stage": "park", "harmony": True}) == Scores(auto=0, tele=1)
    assert crescendo.score({"stage": "onstage", "harmony": True}) == Scores(auto=0, tele=5)


def test_points_are_told_as_people_write_them():
    thirds = Question("a", "A", AUTO, COUNTER, points=0.11, most=9)
    tenths = Question("b", "B", TELE, COUNTER, points=0.1, most=9)
    scores = Game(2026, "Made up", (thirds, tenths)).score({"a": 3, "b": 3})
    assert (scores.auto, scores.tele, scores.total) == (0.33, 0.3, 0.63)


def test_unknown_and_missing_answers_are_worth_nothing():
    assert rebuilt(climbLevel="seven", somethingElse=12) == Scores(auto=0, tele=0)


@pytest.mark.parametrize("year", [2024, 2025, 2026])
def test_a_definition_survives_its_stored_form(year):
    assert game.from_json(game.to_json(game.shipped(year))) == game.shipped(year)


def answers_of(definition):
    def of(question):
        if question.is_number:
            return st.integers(0, question.most)
        if question.kind == game.YES_NO:
            return st.booleans()
        keys = st.sampled_from([choice.key for choice in question.choices])
        return st.lists(keys, unique=True) if question.kind == game.MULTI else keys

    return st.fixed_dictionaries({}, optional={each.key: of(each) for each in definition.questions})


@pytest.mark.parametrize("year", [2024, 2025, 2026])
def test_the_total_is_auto_and_teleop_whatever_is_answered(year):
    definition = game.shipped(year)

    @given(answers_of(definition))
    def holds(values):
        scores = definition.score(values)
        worth = sum(
            question.worth(values.get(question.key))
            for question in definition.questions
            if game.is_asked(question, values)
        )
        assert scores.total == scores.auto + scores.tele == worth

    holds()


ONE = Choice("one", "Level 1")
CLIMB = Question("climb", "Climb", game.AUTO, game.CHOICE, choices=(ONE,))
COUNT = Question("fuel", "Fuel", game.AUTO, game.COUNTER)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([COUNT, COUNT], "“Fuel” has the same key as another question."),
        ([Question("a", "Speed", game.AUTO, "dial")], "“Speed” has a kind that does not exist."),
        ([Question("a", "Climb", game.AUTO, game.CHOICE)], "“Climb” has no choices."),
        ([Question("a", "Climb", "half-time", game.COUNTER)], "“Climb” belongs to no phase of the match."),
        (
            [Question("a", "Where", game.AUTO, game.TEXT, shown=Condition("fuel", (1,))), COUNT],
            "“Where” depends on a question that does not come before it.",
        ),
        ([], "The game has no questions."),
        ([replace(COUNT, key="")], "“Fuel” needs a key of letters and digits"),
        ([replace(COUNT, key="two words")], "“Fuel” needs a key of letters and digits"),
        ([replace(COUNT, key="totalScore")], "“Fuel” uses the key of a calculated score."),
        ([replace(COUNT, label=" ")], "has no question"),
        ([replace(COUNT, most=-5)], "“Fuel” counts to a number from 1 to 999."),
        ([replace(COUNT, most=1000)], "“Fuel” counts to a number from 1 to 999."),
        ([replace(COUNT, points=10**400)], "“Fuel” has too many points."),
        ([replace(COUNT, points=math.nan)], "“Fuel” has too many points."),
        ([replace(CLIMB, choices=(Choice("a", "A", -1001),))], "“Climb” has too many points."),
        ([replace(CLIMB, choices=(Choice("a b", "A"),))], "“Climb” has a choice without a key"),
        ([replace(CLIMB, choices=(ONE, ONE))], "“Climb” has two choices with the same key."),
        ([COUNT] * 61, "A game can have at most 60 questions."),
    ],
)
def test_a_definition_that_cannot_be_used_is_refused_in_words(wrong, told):
    with pytest.raises(Invalid, match=told):
        game.from_json(game.to_json(Game(2030, "Test", tuple(wrong))))


@pytest.mark.parametrize(
    ("asked", "answers", "told"),
    [
        (CLIMB, ("twoo",), "an answer that does not exist"),
        (CLIMB, (), "an answer that does not exist"),
        (CLIMB, (["one"],), "an answer that does not exist"),
        (COUNT, ("many",), "an answer that does not exist"),
        (COUNT, (True,), "an answer that does not exist"),
        (COUNT, (1000,), "an answer that does not exist"),
        (replace(COUNT, kind=game.YES_NO), ("perhaps",), "an answer that does not exist"),
        (replace(CLIMB, kind=game.MULTI), ("one",), "a question that has several answers"),
    ],
)
def test_a_condition_that_never_holds_is_refused(asked, answers, told):
    where = Question("where", "Where", game.AUTO, game.TEXT, shown=Condition(asked.key, answers))
    with pytest.raises(Invalid, match=f"“Where” depends on {told}"):
        game.from_json(game.to_json(Game(2030, "Test", (asked, where))))


ROW = {"key": "a", "label": "A", "phase": "auto", "kind": "counter"}
ASKED = {"year": 2030, "name": "x", "questions": [ROW]}


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"year": "soon", "name": "x", "questions": []},
        {"questions": [1]},
        ASKED | {"criticals": [["a"]]},
        ASKED | {"criticals": [1]},
        ASKED | {"criticals": [" "]},
        ASKED | {"criticals": "abc"},
        ASKED | {"ranking": [["rp"]]},
        ASKED | {"year": math.inf},
        ASKED | {"pit": [ROW | {"shown": {"field": ["a"], "among": "ab"}}]},
        ASKED | {"pit": [ROW | {"most": math.inf}]},
    ],
)
def test_what_is_no_definition_is_refused(broken):
    with pytest.raises(Invalid, match="is not valid"):
        game.from_json(broken)


def test_a_choice_without_points_is_worth_nothing():
    where = Question("where", "Where", game.TELE, game.MULTI, choices=(Choice("a", "A", 3), Choice("b", "B")))
    assert [where.worth(["a", "b"]), where.worth([]), where.worth(None)] == [3, 0, 0]


def test_a_text_is_worth_nothing():
    assert Question("note", "Note", game.TELE, game.TEXT, points=3).worth("three") == 0


def test_a_game_needs_a_name():
    with pytest.raises(Invalid, match="The game has no name"):
        game.from_json(ASKED | {"name": " "})


def test_a_question_can_depend_on_a_choice_and_must_be_answered():
    where = Question(
        "where", "Where", game.AUTO, game.TEXT, shown=Condition("climb", ("one",)), required=True
    )
    defined = Game(2030, "Test", (replace(CLIMB, key="climb"), where))

    assert game.from_json(game.to_json(defined)) == defined
