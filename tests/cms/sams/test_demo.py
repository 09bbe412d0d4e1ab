"""The example leagues: on day one, without a key, a team's page shows a table and matches."""

from django.test import Client

from cms import demo
from cms.demo import sams as example
from cms.sams.queries import results_of
from cms.sams.repository import sams_clubs, sams_teams


def test_our_four_teams_are_half_way_through_their_season(db):
    example.load()
    results = [results_of(team) for team in sams_teams.all()]

    assert sorted(each.league.name for each in results) == [
        "Bezirksklasse Damen Süd",
        "Kreisliga Herren",
        "Landesliga Herren",
        "Verbandsliga Damen",
    ]
    for each in results:
        assert (len(each.league.matches), len(each.league.table)) == (56, 8)
        assert (len(each.past), len(each.upcoming)) == (8, 6)
        assert not any(match.is_overdue for match in each.upcoming)


def test_everybody_meets_everybody_at_home_and_away(db):
    example.load()
    league = results_of(sams_teams.get(example.team_uuid("Damen 1"))).league

    assert len({(match.team1.uuid, match.team2.uuid) for match in league.matches}) == 56


def test_loading_again_changes_nothing(db):
    example.load()
    before = [team.stored for team in sams_teams.all()]
    example.load()

    assert [team.stored for team in sams_teams.all()] == before
    assert len(sams_clubs.by_name(limit=100).items) == 11


def test_the_page_of_a_team_shows_the_table_and_says_that_it_is_stored(db):
    demo.load()
    page = Client().get("/teams/damen1/").content.decode()

    assert "Verbandsliga Damen" in page
    assert "Results are no longer updated." in page
