"""Which robots of which matches have been seen, and which pits visited."""

from scouting.analysis.statistics.coverage import (
    CoveredRobot,
    PitProgress,
    coverage,
    pit_progress,
    strays,
    tally,
)
from scouting.events.event import Alliance, Match, ScoutedEvent, Team
from scouting.forms.models import PitForm
from tests.scouting.unsaved import EVENT, report

RED, BLUE = ("20", "2053", "254B"), ("254", "71", "7198")


def event(matches, *, played=0):
    sides = [(RED, BLUE) if number % 2 else (BLUE, RED) for number in range(1, matches + 1)]
    return ScoutedEvent(
        EVENT,
        "Made up",
        teams=(Team("118"),),
        matches=tuple(
            Match(number, *(Alliance(side, 10 if number <= played else None) for side in both))
            for number, both in enumerate(sides, 1)
        ),
    )


def test_each_robot_of_each_match_is_done_missing_or_double():
    forms = [
        report("254B", 1, id="first"),
        report("254B", 1, id="second", further="second"),
        report("20", 1, id="third"),
        report("20", 2, id="fourth"),
    ]
    one, two = coverage(event(2, played=2), forms)
    assert one.places[:3] == (
        CoveredRobot("red", "20", ("third",)),
        CoveredRobot("red", "2053", ()),
        CoveredRobot("red", "254B", ("first", "second")),
    )
    assert [place.state for place in one.places] == [
        "done",
        "missing",
        "double",
        "missing",
        "missing",
        "missing",
    ]
    assert two.places[3] == CoveredRobot("blue", "20", ("fourth",))
    assert tally([one, two]) == {"done": 2, "double": 1, "missing": 9}


def test_matches_to_come_are_not_missing():
    covered = coverage(event(4, played=1), [])
    assert [each.is_due for each in covered] == [True, False, False, False]
    assert tally(covered) == {"missing": 6}


def test_without_scores_a_match_is_due_once_it_or_a_later_one_was_seen():
    assert [each.is_due for each in coverage(event(4), [report("20", 3)])] == [True, True, True, False]
    assert [each.is_due for each in coverage(event(2), [report("20", 900)])] == [False, False]


def test_a_stray_says_nothing_of_how_far_the_event_is():
    forms = [report("20", 1), report("118", 4)]
    assert [each.is_due for each in coverage(event(4), forms)] == [True, False, False, False]


def test_a_form_about_a_robot_that_was_not_in_the_match_is_a_stray():
    wrong_team, wrong_match, right = report("118", 1), report("20", 900), report("254B", 1)
    assert strays(event(2), [wrong_team, right, wrong_match]) == [wrong_team, wrong_match]
    assert strays(event(0), [wrong_team]) == []


def test_pits_still_to_visit():
    forms = [PitForm.about(EVENT, "254B"), PitForm.about(EVENT, "20")]
    assert pit_progress(event(1), forms) == PitProgress(
        done=("20", "254B"), missing=("71", "118", "254", "2053", "7198")
    )
