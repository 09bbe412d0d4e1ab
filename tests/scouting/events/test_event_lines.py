"""Teams and matches as people type them."""

from dataclasses import replace

import pytest

from scouting.events import exports
from scouting.events.event import Alliance, Match, ScoutedEvent, Team, as_stored, matches_from
from scouting.events.lines import BadLines, match_lines, matches_in, team_lines, teams_in
from scouting.forms import presenters
from tests.scouting import field

PLAYED = Match(
    2, Alliance(("254", "20"), 45, ("20",), {"foulPoints": 5}), Alliance(("2053",), 60), videos=("v",)
)


def test_teams_are_typed_with_a_name_and_a_place_or_without():
    known = {"20": Team("20", "Old", rank=3, record="1-0-0")}

    assert teams_in("254b The Poofs | San Jose\n\n  frc20  Rockets \n71", known) == (
        Team("254B", "The Poofs", "San Jose"),
        Team("20", "Rockets", rank=3, record="1-0-0"),
        Team("71"),
    )


def test_matches_are_typed_with_a_score_or_without():
    assert matches_in("1: 254 1678 20 - 2053, 2095 254B\n2. 71 - 20 = 0 - 12", {}) == (
        Match(1, Alliance(("254", "1678", "20")), Alliance(("2053", "2095", "254B"))),
        Match(2, Alliance(("71",), 0), Alliance(("20",), 12)),
    )


def test_what_is_shown_for_editing_reads_as_it_was():
    teams = field.named(field.TEAMS)
    matches = [PLAYED, *field.schedule(field.TEAMS, 12)[2:]]

    assert list(teams_in(team_lines(teams), {team.number: team for team in teams})) == teams
    assert list(matches_in(match_lines(matches), {match.number: match for match in matches})) == matches


def test_an_open_place_and_a_bar_in_a_name_survive_editing():
    teams = [Team("20", "A | B", "Here", rank=1)]
    to_come = Match(5, Alliance(), Alliance(("20", "21")))

    assert match_lines([to_come]) == "5: ? - 20 21"
    assert matches_in("5: ? - 20 21", {5: to_come}) == (to_come,)
    assert matches_in("5: 22 ? - 20 21", {5: to_come})[0].red.teams == ("22",)
    assert matches_in("5: ? ? ? - 20 21", {5: to_come}) == (to_come,)
    assert teams_in(team_lines(teams), {"20": teams[0]}) == tuple(teams)


def test_robots_beside_an_open_place_stay_in_theirs():
    (typed,) = matches_in("2: 254 254B 2053 - 20 ? 2095", {})

    assert typed.blue == Alliance(("20", "2095"), open_places=(2,))
    assert typed.blue.places == ("20", "", "2095")
    assert match_lines([typed]) == "2: 254 254B 2053 - 20 ? 2095"
    assert matches_from(as_stored([typed])) == (typed,)
    event = ScoutedEvent(field.KEY, "Made up", matches=(typed,))
    assert [seat.team for seat in presenters.seats(event, 2)] == ["254", "254B", "2053", "20", "", "2095"]
    assert [cell.value for cell in exports.schedule(event).rows[0]][5:8] == ["20", "", "2095"]
    (filled,) = matches_in("2: 254 254B 2053 - 20 71 2095", {2: typed})
    assert filled.blue == Alliance(("20", "71", "2095"))
    assert matches_in("2: 254 254B 2053 - 20 2095", {2: typed})[0].blue == Alliance(("20", "2095"))


def test_a_disqualified_team_is_typed_with_a_mark_that_nothing_else_depends_on():
    (typed,) = matches_in("2: 254! 20 - 2053 = 45 - 60", {2: PLAYED})

    assert typed.red == replace(PLAYED.red, disqualified=("254",))
    assert match_lines([typed]).startswith("2: 254! 20 - ")
    assert matches_in(match_lines([typed]), {2: typed}) == (typed,)
    assert matches_in(match_lines([PLAYED]), {2: typed}) == (PLAYED,)


def test_an_alliance_that_was_changed_forgets_what_was_told_of_it_and_the_other_keeps_it():
    (changed,) = matches_in("2: 254 20 - 2095 = 45 - 60", {2: PLAYED})

    assert changed == Match(2, PLAYED.red, Alliance(("2095",), 60), videos=("v",))


def test_everything_that_is_wrong_is_told_with_its_line():
    wrong = ("final", "1: 1 - 2", "4: 254 254 20 - 2053", "5: 1 2 3 4 - 5", "0: 1 - 2", "6: x - 2")
    text = "\n".join(["1: 254 1678 20 - 2053 2095 254B", "", *wrong])

    with pytest.raises(BadLines) as refused:
        matches_in(text, {})

    assert [str(problem) for problem in refused.value.problems] == [
        "Line 3: Enter a match as “1: 254 1678 20 - 2053 2095 254B”.",
        "Line 4: This is already in the list.",
        "Line 5: A team is listed twice.",
        "Line 6: An alliance has one to three teams.",
        "Line 7: Match numbers go from 1 to 1000.",
        "Line 8: Enter a team number up to 25599, with a letter if it has one, such as 254 or 254B.",
    ]


def test_lists_have_an_end():
    with pytest.raises(BadLines, match="Enter at most 200 lines"):
        teams_in("\n".join(map(str, range(1, 202))), {})
