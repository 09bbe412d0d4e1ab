"""Seasons and their rules: what leagues differ in is data."""

import pytest
from django.urls import reverse

from core.dynamo.errors import InUse, Missing
from core.dynamo.metering import metered
from tests.racing import at_once
from tests.tracker import club
from tracker import repository
from tracker.games.services import games, seasons
from tracker.rules import season_rules

pytestmark = pytest.mark.usefixtures("db")

SENT = {
    "name": "Spring 2026",
    "starts_on": "2026-04-01",
    "ends_on": "2026-07-31",
    "innings": "7",
    "run_ahead-rows": ["0", "1"],
    "run_ahead-0-inning": "5",
    "run_ahead-0-lead": "10",
    "run_ahead-1-inning": "3",
    "run_ahead-1-lead": "20",
    "tie_breaker_from": "8",
    "home_run_limit": "3",
    "home_run_above_limit": "1B",
}


@pytest.fixture
def browser(owner):
    return club.browser_of(owner)


def address(name, *args):
    return reverse(f"tracker:{name}", args=args)


def test_a_season_is_entered_with_its_rules_once(team, browser):
    for _time in range(2):
        assert browser.post(address("season-new", team.id), {**SENT, "once": "k"}).status_code == 302
    (season,) = repository.teams.roster(team.id).seasons
    assert (season.name, str(season.starts_on), str(season.ends_on)) == (
        "Spring 2026",
        "2026-04-01",
        "2026-07-31",
    )
    assert season_rules.from_stored(season.rules) == season_rules.Rules(
        innings=7,
        run_ahead=((3, 20), (5, 10)),
        tie_breaker_from=8,
        home_run_limit=3,
        home_run_above_limit="1B",
    )


@pytest.mark.parametrize("preset", season_rules.PRESETS)
def test_the_form_begins_with_the_usual_rules_of_a_league(team, browser, preset):
    form = browser.get(address("season-new", team.id), {"from": preset}).context["form"]
    chosen = season_rules.PRESETS[preset][1]
    assert form.initial["home_run_limit"] == chosen.home_run_limit
    assert [tuple(row.values()) for row in form.initial["run_ahead"]] == list(chosen.run_ahead)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"innings": "0"}, "innings"),
        ({"innings": "16"}, "innings"),
        ({"ends_on": "2026-03-01"}, "ends_on"),
        ({"tie_breaker_from": "1"}, "tie_breaker_from"),
        ({"home_run_limit": "-1"}, "home_run_limit"),
        ({"home_run_above_limit": "HR"}, "home_run_above_limit"),
        ({"run_ahead-0-lead": "0"}, "run_ahead"),
    ],
)
def test_what_is_wrong_is_said_at_the_field(team, browser, wrong, field):
    page = browser.post(address("season-new", team.id), SENT | wrong)
    assert (page.status_code, list(page.context["form"].errors)) == (422, [field])
    assert repository.teams.roster(team.id).seasons == []


def test_a_row_is_added_without_javascript_and_without_complaints(team, browser):
    page = browser.post(address("season-new", team.id), SENT | {"name": "", "run_ahead-add": "1"})
    assert (page.status_code, dict(page.context["form"].errors)) == (200, {})
    assert page.content.decode().count('name="run_ahead-rows"') >= 3


def test_an_edit_that_meets_another_one_shows_both(owner, team, browser):
    season = seasons.create(
        owner, team.id, {"name": "Old", "rules": season_rules.stored(season_rules.Rules())}
    )
    seasons.edit(owner, team.id, season.id, {"name": "Theirs"}, seen_version=season.seen_version)
    page = browser.post(
        address("season-edit", team.id, season.id), SENT | {"version": str(season.seen_version)}
    )
    assert page.status_code == 409
    told = {each.title: (each.mine, each.theirs) for each in page.context["contested"]}
    assert told["Name"] == ("Spring 2026", "Theirs")
    assert told["Run-ahead rule"] == ("5, 10\n3, 20", "")
    sent = SENT | {"version": str(page.context["season"].seen_version)}
    assert browser.post(address("season-edit", team.id, season.id), sent).status_code == 302
    assert repository.seasons.of(team.id, season.id).name == "Spring 2026"


def test_a_season_with_games_stays(owner, team, browser):
    season = seasons.create(owner, team.id, {"name": "Spring"})
    game = games.create(owner, team.id, {"season_id": season.id})
    with pytest.raises(InUse, match="This season has games"):
        seasons.delete(owner, team.id, season.id)
    assert browser.post(address("season-delete", team.id, season.id)).status_code == 409
    games.edit(owner, game.id, {"season_id": None})
    assert browser.post(address("season-delete", team.id, season.id)).status_code == 302
    with pytest.raises(Missing):
        games.create(owner, team.id, {"season_id": season.id})


def test_a_deleted_season_comes_back(owner, team, browser):
    season = seasons.create(owner, team.id, {"name": "Spring"})
    assert browser.post(address("season-delete", team.id, season.id)).status_code == 302
    assert browser.post(address("season-restore", team.id, season.id)).status_code == 302
    assert [each.name for each in repository.teams.roster(team.id).seasons] == ["Spring"]
    assert browser.post(address("season-restore", team.id, season.id)).status_code == 404


def test_a_season_is_not_deleted_while_somebody_plans_a_game_in_it(owner, team):
    season = seasons.create(owner, team.id, {"name": "Spring"})

    def work(number):
        if number:
            return games.create(owner, team.id, {"season_id": season.id})
        return seasons.delete(owner, team.id, season.id)

    at_once(work, 4)
    planned = repository.games.of_team(team.id).items
    left = repository.teams.roster(team.id, strong=True).seasons
    assert bool(planned) == bool(left)


def test_the_list_takes_three_requests(owner, team, browser):
    seasons.create(
        owner, team.id, {"name": "Spring", "rules": season_rules.stored(season_rules.PRESETS["slowpitch"][1])}
    )
    with metered() as spent:
        text = browser.get(address("seasons", team.id)).content.decode()
    assert spent.requests == 3
    assert ("20 after 4" in text, "from inning 8" in text) == (True, True)
