"""Tables and matches on pages come from our own table; SAMS is asked beside them."""

from datetime import date, timedelta
from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from cms.calendar.queries import team_records
from cms.sams import client, parsing, queries
from cms.sams import leagues as league_store
from cms.sams.models import TEAM_KEPT_FOR
from cms.sams.queries import league_tables, matches_of, results_of
from cms.sams.repository import sams_teams
from cms.teams.models import Team
from core.dynamo.attributes import now
from core.dynamo.metering import metered
from tests.awaiting import eventually
from tests.cms.sams.server import LEAGUE, NEXT_LEAGUE, OTHERS, OWN, ranking_row, season_of, uuid_of
from tests.cms.sams.test_sync import command

OURS = uuid_of(LEAGUE, OWN)


def keep_team(league=LEAGUE, name="Landesliga Herren"):
    fields = {"name": f"{OWN} 1", "league_uuid": league, "league_name": name}
    return sams_teams.store(
        uuid_of(league, OWN), fields, kept_for=TEAM_KEPT_FOR, stored=stored(uuid_of(league, OWN))
    )


def stored(uuid):
    return sams_teams.get_many([uuid], strong=True).get(uuid)


def keep_results(matches, rankings=(), *, league=LEAGUE, as_of=None, **about):
    return league_store.store_results(
        league,
        parsing.each(parsing.match, matches),
        parsing.each(parsing.ranking_row, rankings),
        as_of=as_of or now(),
        stored=league_store.stored_league(league),
        **{"name": "Landesliga Herren", **about},
    )


def shown(results) -> str:
    return render_to_string("cms/sams/results.html", {"results": results})


def hand_counted(matches):
    """The same rules once more, in another way."""
    table = {}
    for match in matches:
        first, second = map(int, match["results"]["setPoints"].split(":"))
        balls = list(map(int, match["results"]["ballPoints"].split(":")))
        for side, (won, lost) in enumerate([(first, second), (second, first)], start=1):
            row = table.setdefault(match[f"team{side}Description"], [0, 0, [0, 0], [0, 0]])
            row[0] += {(3, 0): 3, (3, 1): 3, (3, 2): 2, (2, 3): 1}.get((won, lost), 0)
            row[1] += won > lost
            row[2][0] += won
            row[2][1] += lost
            row[3][0] += balls[side - 1]
            row[3][1] += balls[2 - side]
    ordered = sorted(
        table.items(),
        key=lambda each: (*each[1][:2], Fraction(*each[1][2]), Fraction(*each[1][3])),
        reverse=True,
    )
    return [(name, row[0], row[1], tuple(row[2]), tuple(row[3])) for name, row in ordered]


# --- The table ----------------------------------------------------------------------------------------------


def test_eight_teams_and_56_matches_give_the_table_of_the_association(db):
    matches = season_of(LEAGUE, (OWN, *OTHERS), is_played=True)
    keep_results(matches)
    league = results_of(keep_team()).league

    assert (len(matches), league.is_computed) == (56, True)
    assert [row.rank for row in league.table] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [(row.team, row.points, row.wins, row.sets, row.balls) for row in league.table] == hand_counted(
        matches
    )
    assert {row.played for row in league.table} == {14}


def test_the_table_that_sams_gives_counts_with_its_german_numbers(db):
    rows = [ranking_row("SV Ahorn", 2, setRatio="2,533\n"), ranking_row(OWN, 1, points="31")]
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True), rows)
    league = results_of(keep_team()).league

    assert [(row.rank, row.team, row.points) for row in league.table] == [
        (1, f"{OWN} 1", 31),
        (2, "SV Ahorn 1", 20),
    ]
    assert (league.table[1].set_ratio, league.is_computed) == (2.533, False)


def test_an_empty_series_has_an_empty_table(db):
    keep_results([])
    results = results_of(keep_team())

    assert (results.league.table, results.past, results.upcoming) == ([], [], [])
    assert "No matches played yet." in shown(results)


def test_a_knock_out_competition_shows_places_without_points(db):
    keep_results([], [{"uuid": OURS, "teamName": f"{OWN} 1", "rank": 1, "points": None}])
    results = results_of(keep_team())

    assert results.league.has_points is False
    assert f'<th scope="row">{OWN} 1</th>' in shown(results)
    assert "Pts" not in shown(results)


# --- The matches --------------------------------------------------------------------------------------------


def test_played_matches_have_the_newest_first_and_the_others_the_next_first(db):
    played = season_of(LEAGUE, (OWN, *OTHERS), is_played=True)
    planned = [
        match | {"uuid": f"later-{match['uuid']}", "date": "2099-01-31", "results": None} for match in played
    ]
    keep_results([*planned, *played])
    results = results_of(keep_team())

    assert (len(results.past), len(results.upcoming)) == (14, 14)
    assert [match.day for match in results.past] == sorted(
        (match.day for match in results.past), reverse=True
    )
    assert all(match.involves(OURS) and not match.is_overdue for match in results.upcoming)
    assert len(results.league.latest()) == 18


def test_a_match_that_should_have_been_played_says_that_its_result_is_missing(db):
    match = season_of(LEAGUE, (OWN, *OTHERS), is_played=False)[0] | {"date": "2020-01-11"}
    keep_results([match])

    assert "No result yet" in shown(results_of(keep_team()))


def test_calendars_get_the_matches_of_their_days_by_two_reads(db):
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True))
    teams = [Team(name="Herren 1", sbvv_team_id=OURS), Team(name="Mixed")]
    with metered() as meter:
        records = team_records(teams, ["match"])
        found = list(matches_of(teams, date(2026, 10, 2), date(2026, 10, 3), records))

    assert meter.requests == 2
    assert [(each.team.name, each.match.day.day) for each in found] == [
        ("Herren 1", 2),
        ("Herren 1", 2),
        ("Herren 1", 3),
    ]


def test_leagues_come_by_level_then_by_name(db):
    for league, name, level in [
        (LEAGUE, "Landesliga", 2),
        (NEXT_LEAGUE, "Bezirksliga", 2),
        ("top", "Oberliga", 1),
    ]:
        keep_team(league, name)
        keep_results([], league=league, name=name, level=level)
    with metered() as meter:
        names = [league.name for league in league_tables(sams_teams.all())]

    assert (names, meter.requests) == (["Oberliga", "Bezirksliga", "Landesliga"], 2)


# --- Beside the page ----------------------------------------------------------------------------------------


def test_fresh_results_cost_one_read(db):
    team = keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True))
    with metered() as meter:
        results = results_of(team)

    assert (meter.requests, len(results.past)) == (1, 14)


def test_a_team_about_which_nothing_is_known_has_no_results(db):
    assert results_of(None) is None
    assert results_of(keep_team()) is None
    assert shown(None).strip() == ""


def test_old_results_are_shown_at_once_and_newer_ones_the_next_time(sams):
    keep_team()
    keep_results([], as_of=now() - timedelta(minutes=6))
    sams.may_answer.clear()

    assert results_of(stored(OURS)).past == []
    sams.may_answer.set()
    newer = eventually(lambda: results_of(stored(OURS)), lambda results: bool(results.past))
    assert (len(newer.past), newer.league.is_asked_for) == (14, True)
    assert now() - newer.league.as_of < timedelta(minutes=1)


@pytest.fixture
def begun(monkeypatch):
    """The leagues for which somebody began to ask, instead of asking."""
    leagues = []

    class Begun:
        def __init__(self, *, target, args, daemon):
            leagues.append(args[0])

        def start(self):
            pass

    monkeypatch.setattr(queries, "threading", SimpleNamespace(Thread=Begun))
    return leagues


def test_fresh_results_are_not_asked_for_again(sams, begun):
    keep_team()
    keep_results([], [ranking_row(OWN, 1)], as_of=now() - timedelta(minutes=4))
    results_of(stored(OURS))

    assert begun == []


def test_however_many_look_at_old_results_one_asks(sams, begun):
    keep_team()
    keep_results([], [ranking_row(OWN, 1)], as_of=now() - timedelta(minutes=6))
    for _visit in range(5):
        results_of(stored(OURS))

    assert begun == [LEAGUE]


def test_without_a_key_nobody_asks(db, begun):
    keep_team()
    keep_results([], [ranking_row(OWN, 1)], as_of=now() - timedelta(days=6))
    results_of(stored(OURS))

    assert begun == []


def test_when_sams_is_down_the_stored_results_say_as_of_when_they_are(sams, monkeypatch):
    tried = []
    monkeypatch.setattr(queries.events, "warning", lambda *args, **about: tried.append(about["reason"]))
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True), as_of=now() - timedelta(days=20))
    sams.is_down = True
    results = results_of(stored(OURS))
    eventually(lambda: tried, bool)

    assert tried == ["FetchFailed"]
    assert len(results.past) == 14
    assert "As of " in shown(results)


def test_an_empty_answer_does_not_replace_what_is_known(sams):
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True), [ranking_row(OWN, 1)])
    sams.is_empty = True
    league_store.refresh(client.current(), LEAGUE)

    kept = league_store.stored_league(LEAGUE)
    assert (len(kept.matches), len(kept.rankings)) == (56, 1)


def test_a_league_without_a_ranking_is_no_error(sams):
    sams.rankings = {}
    command("sync-clubs")
    command("sync-teams")

    assert len(results_of(stored(OURS)).league.table) == 8


def test_without_a_key_the_stored_results_stay_and_say_so(db):
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True), as_of=now() - timedelta(days=2))

    assert "Results are no longer updated." in shown(results_of(keep_team()))


@pytest.mark.parametrize("kind", ["teams", "results"])
def test_syncs_bring_the_results_too(sams, kind):
    command("sync-clubs")
    command("sync-teams")
    sams.rankings[LEAGUE] = [ranking_row(OWN, 1)]
    client.current().http._cache.clear()
    command(f"sync-{kind}")

    assert len(league_store.stored_league(LEAGUE).rankings) == 1
