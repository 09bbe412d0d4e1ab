"""Several reports of one robot in one match become one."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scouting.analysis.consensus import agreed_number, majority, most_common, sighting, sightings
from scouting.games import definition as game
from scouting.games.definition import AUTO, COUNTER, TEXT, Game, Question, Scores
from tests.scouting.unsaved import report

REBUILT = game.shipped(2026)


def seen(*reports):
    return sighting(reports, REBUILT)


@pytest.mark.parametrize(
    ("numbers", "agreed"),
    [
        ([7], 7),
        ([3, 5, 4], 4),
        ([4, 4, 10], 4),
        ([0, 0, 1], 0),
        ([2, 2, 5, 5], 2),
        ([3, 4], 3.5),
        ([2, 10], 6),
        # Mean 5, distances 4, 3 and 7: weights 1/16, 1/9 and 1/49.
        ([1, 2, 12], (1 / 16 + 2 / 9 + 12 / 49) / (1 / 16 + 1 / 9 + 1 / 49)),
        # As floats their mean is not quite 0.2; what is nearly the mean counts nearly alone.
        ([0.1, 0.2, 0.3], 0.2),
    ],
)
def test_numbers(numbers, agreed):
    assert agreed_number(numbers) == pytest.approx(agreed)


def test_whole_numbers_stay_whole():
    assert isinstance(agreed_number([3, 5, 4]), int)


@given(st.lists(st.integers(0, 600), min_size=1, max_size=5))
def test_agreement_on_a_number_follows_the_rule(numbers):
    found = agreed_number(numbers)
    assert min(numbers) <= found <= max(numbers)
    mean = fmean(numbers)
    if mean in numbers:
        assert found == mean
    elif len(set(numbers)) < len(numbers):
        assert numbers.count(found) == max(map(numbers.count, numbers))
    else:
        z = [(number - mean) ** -2 for number in numbers]
        assert found == pytest.approx(sum(map(float.__mul__, z, map(float, numbers))) / sum(z))


@given(st.lists(st.booleans(), min_size=1))
def test_yes_needs_more_than_half(answers):
    assert majority(answers) == (answers.count(True) > answers.count(False))


def test_of_equally_common_choices_the_first_counts():
    assert most_common(["one", "two", "two", "three", "three"]) == "two"


def test_reports_of_a_robot_agree_and_its_points_follow_from_that():
    robot = seen(
        report(
            autoFuel=4,
            teleFuel=20,
            climbLevel="two",
            intakePosition=["ground"],
            bump=True,
            win=True,
            rp_earned=3,
        ),
        report(
            further="b",
            autoFuel=4,
            teleFuel=24,
            climbLevel="two",
            intakePosition=["ground", "humanPlayerStation"],
        ),
        report(further="a", autoFuel=7, teleFuel=22, climbLevel="one", bump=True, win=True, rp_earned=3),
    )
    assert (robot.team, robot.match) == ("254B", 3)
    assert robot.values["autoFuel"] == 4
    assert robot.values["teleFuel"] == 22
    assert robot.values["climbLevel"] == "two"
    assert robot.values["intakePosition"] == ["ground"]
    assert (robot.values["bump"], robot.values["trench"]) == (True, False)
    assert robot.scores == Scores(auto=4, tele=42)
    assert (robot.win, robot.rp_earned, robot.defense) == (True, 3, False)
    assert [form.sk.rpartition("#")[2] for form in robot.reports] == ["0003", "a", "b"]


def test_a_tie_of_choices_goes_to_the_first_report_in_whatever_order_they_are_read():
    assert (
        seen(report(further="a", climbLevel="three"), report(climbLevel="one")).values["climbLevel"] == "one"
    )


def test_a_report_alone_keeps_the_points_it_was_stored_with():
    robot = seen(report(teleFuel=20, auto_score=1, tele_score=2, total_score=3))
    assert robot.scores == Scores(auto=1, tele=2)
    assert robot.values["teleFuel"] == 20
    assert robot.values["shotsMissed"] == 0


def test_what_several_sent_keeps_its_worth_when_the_points_of_the_game_are_changed():
    old = Game(2026, "Made up", (Question("a", "A", AUTO, COUNTER, points=1, most=99),))
    new = Game(2026, "Made up", (Question("a", "A", AUTO, COUNTER, points=5, most=99),))

    def sent(a, **more):
        return report(a=a, auto_score=a, total_score=a, **more)

    def agreed(*forms):
        return [sighting(forms, game).scores.total for game in (old, new)]

    assert agreed(sent(10), sent(10, further="a")) == [10, 10]
    assert agreed(sent(10), sent(12, further="a")) == [11, 11]
    assert agreed(sent(10), sent(13, further="a"), sent(10, further="b")) == [10, 10]


def test_two_reports_of_a_robot_that_did_not_come_have_no_points_whatever_was_counted_before():
    gone = [report(further=each, teleFuel=30, no_show=True, total_score=0) for each in ("", "a")]
    assert seen(*gone).scores == Scores(auto=0, tele=0)


def test_a_critical_incident_that_one_scout_saw_happened():
    robot = seen(
        report(criticals=["Robot Died"]),
        report(further="a"),
        report(further="b", criticals=["Red Card", "Robot Died"]),
    )
    assert robot.criticals == ("Robot Died", "Red Card")


def test_who_missed_the_robot_says_nothing_of_what_it_did():
    robot = seen(report(teleFuel=20, climbLevel="two"), report(further="a", no_show=True))
    assert not robot.no_show
    assert robot.values["teleFuel"] == 20
    assert robot.scores == Scores(auto=0, tele=40)
    assert seen(
        report(teleFuel=20), report(further="a", no_show=True), report(further="b", no_show=True)
    ).no_show


def test_words_are_all_kept_once():
    quiz = Game(2026, "Quiz", (Question("seen", "What did you see?", "post", TEXT),))
    reports = [
        report(seen="Tipped"),
        report(further="a"),
        report(further="b", seen="Fast"),
        report(further="c", seen="Tipped"),
    ]
    assert sighting(reports, quiz).values["seen"] == "Tipped\nFast"


def test_an_answer_from_when_the_question_was_of_another_kind_is_none():
    robot = seen(
        report(teleFuel="many", bump="yes", climbLevel=["one"], intakePosition="ground", total_score=9)
    )
    values = robot.values
    assert (values["teleFuel"], values["bump"], values["climbLevel"], values["intakePosition"]) == (
        0,
        False,
        "",
        [],
    )


def test_each_robot_is_seen_once_per_match_by_team_and_match():
    forms = [
        report(further="a", team="254B", match=10),
        *(report(team=team, match=match) for team in ("2053", "254B", "20") for match in (10, 2)),
    ]
    assert [(robot.team, robot.match, len(robot.reports)) for robot in sightings(forms, REBUILT)] == [
        ("20", 2, 1),
        ("20", 10, 1),
        ("254B", 2, 1),
        ("254B", 10, 2),
        ("2053", 2, 1),
        ("2053", 10, 1),
    ]
