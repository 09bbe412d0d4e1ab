"""How the scouts do: how much they write, and how near it is to the official scores."""

from scouting.analysis.consensus import sightings
from scouting.analysis.statistics.scouts import Accuracy, FormCount, Scout, accuracy, leaderboard
from scouting.events.event import Alliance, Match
from scouting.forms.models import CommentForm, PitForm
from scouting.games import definition
from tests.scouting.unsaved import EVENT, report

REBUILT = definition.shipped(2026)
AL, BO, CY = Scout("1", "Al"), Scout("2", "Bo"), Scout("3", "Cy")


def by(scout, team, match, fuel, **fields):
    return report(team, match, teleFuel=fuel, scout_id=scout.id, scout_name=scout.name, **fields)


def match(number, red, blue=None, *, fouls=0):
    return Match(
        number,
        Alliance(("20", "2053", "254B"), red, official={"foulPoints": fouls}),
        Alliance(("71", "118", "148"), blue),
    )


def judged(matches, *forms):
    return accuracy(matches, sightings(forms, REBUILT))


def test_three_forms_are_held_against_what_the_alliance_scored_without_fouls():
    forms = [by(AL, "20", 1, 10), by(BO, "2053", 1, 20), by(BO, "254B", 1, 30)]
    assert judged([match(1, 70, fouls=15)], *forms) == [Accuracy(AL, 1, 5, 5), Accuracy(BO, 2, 5, 5)]


def test_errors_do_not_cancel_but_the_bias_does():
    forms = [
        by(scout, team, number, 10)
        for number in (1, 2)
        for scout, team in ((AL, "20"), (AL, "2053"), (AL, "254B"))
    ]
    assert judged([match(1, 24), match(2, 36)], *forms) == [Accuracy(AL, 6, 6, 0)]


def test_an_alliance_with_a_robot_unseen_or_without_a_score_is_not_judged():
    forms = [by(AL, "20", 1, 10), by(AL, "2053", 1, 20)]
    assert judged([match(1, 70)], *forms) == []
    assert judged([match(1, None)], *forms, by(AL, "254B", 1, 30)) == []
    assert judged([Match(1)]) == []


def test_a_score_that_was_typed_with_its_fouls_judges_nobody():
    typed = Match(1, Alliance(("20", "2053", "254B"), 70), Alliance(("71", "118", "148"), 20))
    assert judged([typed], *(by(AL, team, 1, 10) for team in ("20", "2053", "254B"))) == []


def test_each_report_of_a_robot_is_judged_with_what_was_agreed_on_the_others():
    forms = [
        by(AL, "20", 1, 10),
        by(AL, "2053", 1, 20),
        by(BO, "254B", 1, 30),
        by(CY, "254B", 1, 40, further="a"),
    ]
    # Agreed on 254B: 35.
    assert judged([match(1, 60)], *forms) == [
        Accuracy(BO, 1, 0, 0),
        Accuracy(AL, 2, 5, 5),
        Accuracy(CY, 1, 10, 10),
    ]


def test_forms_per_scout_of_any_kind():
    forms = [
        by(AL, "20", 1, 10),
        by(BO, "20", 2, 10),
        PitForm.about(EVENT, "254B", scout_id="2", scout_name="Bo"),
        CommentForm.about(EVENT, "254B", scout_name="Imported", comments="Fast"),
    ]
    assert leaderboard(forms) == [
        FormCount(BO, 2),
        FormCount(AL, 1),
        FormCount(Scout("Imported", "Imported"), 1),
    ]
