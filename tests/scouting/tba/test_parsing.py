"""The Blue Alliance's JSON becomes matches and teams; what is no such JSON is said in words."""

import pytest

from core.dynamo.errors import Invalid
from scouting.events.event import Alliance, Match, Team, as_stored, matches_from, playoffs_from
from scouting.tba.parsing import matches_of, playoffs_of, teams_of


def alliance(*teams, score=-1, surrogates=(), disqualified=()):
    return {
        "team_keys": list(teams),
        "score": score,
        "surrogate_team_keys": list(surrogates),
        "dq_team_keys": list(disqualified),
    }


def qualification(number, *, red=20, blue=31, **told):
    return {
        "comp_level": "qm",
        "match_number": number,
        "alliances": {
            "red": alliance("frc20", "frc254B", "frc2053", score=red, surrogates=["frc254B"]),
            "blue": alliance("frc2095", "frc71", "frc7198", score=blue, disqualified=["frc71"]),
        },
        "score_breakdown": None,
        **told,
    }


def test_a_played_match_keeps_the_figures_and_what_each_robot_did():
    told = qualification(
        3,
        actual_time=1711112663,
        predicted_time=1711112900,
        videos=[{"type": "youtube", "key": "made-up"}, {"type": "tba", "key": "other"}],
        score_breakdown={
            "red": {
                "autoPoints": 7,
                "coopMet": True,
                "autoLineRobot1": "Yes",
                "autoLineRobot2": "No",
                "autoLineRobot3": "Yes",
                "endGameRobot1": "Parked",
                "endGameRobot3": "DeepCage",
                "endGameRobot4": "Nobody",
                "penalties": "None",
                "reef": {"row": {"a": 1}},
                "none": None,
            },
            "blue": {"autoPoints": 0, "rate": 0.5, "broken": float("nan")},
        },
    )
    assert matches_of([told]) == (
        Match(
            number=3,
            red=Alliance(
                ("20", "254B", "2053"),
                20,
                ("254B",),
                {"autoPoints": 7, "coopMet": True},
                robots={"autoLine": ("Yes", "No", "Yes"), "endGame": ("Parked", "", "DeepCage")},
            ),
            blue=Alliance(("2095", "71", "7198"), 31, (), {"rate": 0.5}, ("71",)),
            time="2024-03-22T13:04:23.000Z",
            videos=("made-up",),
        ),
    )


@pytest.mark.parametrize("no_score", [-1, None])
def test_a_match_to_come_has_no_score(no_score):
    (match,) = matches_of([qualification(1, red=no_score, blue=no_score, predicted_time=1711112900)])
    assert not match.was_played
    assert match.time == "2024-03-22T13:08:20.000Z"


def test_the_parts_of_a_part_are_figures_too():
    hub = {"autoPoints": 40, "shift1": {"count": 3}, "state": "active"}
    (match,) = matches_of([qualification(1, score_breakdown={"red": {"hubScore": hub}, "blue": None})])
    assert match.red.official == {"hubScore.autoPoints": 40}
    assert match.blue.official == {}


def test_no_fouls_are_told_apart_from_fouls_that_nobody_told():
    (match,) = matches_of([qualification(1, score_breakdown={"red": {"foulPoints": 0}, "blue": {}})])
    assert (match.red.official, match.blue.official) == ({"foulPoints": 0}, {})


@pytest.mark.parametrize("wrong", [{"match_number": 1001}, {"match_number": 0}, {"red": 10**9}])
def test_numbers_that_cannot_be_are_refused(wrong):
    with pytest.raises(Invalid, match="not a match list"):
        matches_of([qualification(wrong.pop("match_number", 1), **wrong)])


def test_a_score_of_zero_is_a_score():
    assert matches_of([qualification(1, red=0)])[0].red.score == 0


def test_only_qualification_matches_count_and_they_come_in_their_order():
    told = [qualification(10), qualification(2), {**qualification(1), "comp_level": "sf"}]
    assert [match.number for match in matches_of(told)] == [2, 10]


def test_an_open_place_in_an_alliance_is_no_team():
    told = qualification(1)
    told["alliances"]["red"]["team_keys"] = ["frc20", "frc0", "frc254B"]
    red = matches_of([told])[0].red
    assert (red.teams, red.places) == (("20", "254B"), ("20", "", "254B"))


def test_what_a_robot_did_is_found_by_its_place_also_beside_an_open_one():
    told = qualification(1, score_breakdown={"red": {"endGameRobot1": "None", "endGameRobot3": "Level2"}})
    told["alliances"]["red"]["team_keys"] = ["frc20", "frc0", "frc254B"]
    red = matches_of([told])[0].red
    assert [red.robot(team) for team in ("20", "254B", "71")] == [
        {"endGame": "None"},
        {"endGame": "Level2"},
        {},
    ]


def playoff(level, set_number, number):
    return {**qualification(number), "comp_level": level, "set_number": set_number}


def test_playoffs_are_told_apart_round_by_round():
    told = [
        playoff("f", 1, 2),
        playoff("sf", 10, 1),
        qualification(1),
        playoff("sf", 2, 1),
        playoff("f", 1, 1),
    ]
    found = playoffs_of(told)
    assert [match.label for match in found] == [
        "Semifinal 2, match 1",
        "Semifinal 10, match 1",
        "Final, match 1",
        "Final, match 2",
    ]
    assert (found[0].red.teams, found[0].blue.score) == (("20", "254B", "2053"), 31)
    assert [match.number for match in matches_of(told)] == [1]


def test_matches_survive_being_stored():
    breakdown = {"red": {"endGameRobot1": "Parked"}, "blue": None}
    told = [qualification(1), qualification(2, score_breakdown=breakdown), playoff("qf", 3, 2)]
    matches, playoffs = matches_of(told), playoffs_of(told)
    assert matches_from(as_stored(matches)) == matches
    assert playoffs_from(as_stored(playoffs)) == playoffs


def test_teams_come_with_their_place_in_the_ranking():
    teams = [
        {
            "key": "frc2053",
            "nickname": "Tigertronics",
            "city": "Vestal",
            "state_prov": "New York",
            "country": None,
        },
        {"key": "frc254B", "team_number": 254, "nickname": None},
    ]
    rankings = {
        "rankings": [{"team_key": "frc2053", "rank": 4, "record": {"wins": 8, "losses": 1, "ties": 0}}]
    }
    assert teams_of(teams, rankings) == (
        Team("254B"),
        Team("2053", "Tigertronics", "Vestal, New York", rank=4, record="8-1-0"),
    )


@pytest.mark.parametrize("rankings", [None, {}, {"rankings": None}])
def test_before_the_first_match_there_is_no_ranking(rankings):
    assert teams_of([{"key": "frc20"}], rankings) == (Team("20"),)


@pytest.mark.parametrize("told", [{"Error": "Invalid key"}, [{}], [3], None, "matches"])
def test_what_is_no_list_of_matches_is_refused(told):
    with pytest.raises(Invalid, match="not a match list"):
        matches_of(told)


@pytest.mark.parametrize("told", [{"Error": "Invalid key"}, [{}], [3], None])
def test_what_is_no_list_of_teams_is_refused(told):
    with pytest.raises(Invalid, match="not a team list"):
        teams_of(told)
