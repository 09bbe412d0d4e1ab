"""Schedules, games, line-ups and seasons in a real browser: phone and desktop, with scripts and without."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.dynamo.attributes import now
from tests.browser.signing_in import sign_in
from tests.tracker import club
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED
from tracker.games.services import availability, games, seasons
from tracker.rules import season_rules


@pytest.fixture
def owner(db: object) -> Any:
    return club.person("Olivia")


@pytest.fixture
def team(owner: Any) -> Any:
    return club.team_of(owner)


@pytest.fixture
def players(owner: Any, team: Any) -> Any:
    return [*club.nine(team, actor=owner), club.ghost(team, "Jan", 10, actor=owner)]


def game_of(owner: Any, team: Any, **fields: Any) -> Any:
    start = now() + timedelta(hours=2)
    planned = {"opponent_name": "Rivertown Rockets", "location": "Field 2", "scheduled_start": start}
    return games.create(owner, team.id, planned | fields)


def with_lineup(owner: Any, game: Any, players: Any) -> Any:
    lineup = club.batting_order(players[:9])
    return repository.games.update(game, {"lineup": lineup}, actor=owner.actor)


def names_in_order(page: Page) -> list[str]:
    return [str(row.get_attribute("data-name")) for row in page.locator("#order .lineup-row").all()]


def test_every_screen_is_accessible(
    live_server: object,
    every_look: Page,
    assert_accessible: Callable[[Page], None],
    owner: Any,
    team: Any,
    players: Any,
) -> None:
    season = seasons.create(
        owner,
        team.id,
        {"name": "Spring 2026", "rules": season_rules.stored(season_rules.PRESETS["fastpitch"][1])},
    )
    live = with_lineup(owner, game_of(owner, team, season_id=season.id), players)
    games.move(owner, live.id, IN_PROGRESS)
    final = game_of(owner, team, opponent_name="Lakeside", scheduled_start=now() - timedelta(days=3))
    games.move(owner, final.id, FINAL, fields={"team_score": 7, "opponent_score": 3})
    postponed = game_of(owner, team, opponent_name="Hill Street", is_home=True)
    games.move(owner, postponed.id, POSTPONED)
    planned = game_of(owner, team, opponent_name="Harbour", scheduled_start=now() + timedelta(days=9))
    own = repository.teams.roster(team.id).of_person(owner.sub)
    availability.answer(owner, planned.id, own.id, "yes", note="ten minutes late")
    availability.answer(owner, planned.id, players[2].id, "no")
    games.share(owner, planned.id, shared=True)
    game_of(owner, club.team_of(owner, "Nachteulen"))
    page = sign_in(every_look, owner)
    base, in_team = "/tracker/games/", f"/tracker/teams/{team.id}/"
    for address in (
        "/tracker/",
        f"{in_team}games/",
        f"{in_team}games/calendar/",
        f"{in_team}games/new/",
        f"{in_team}seasons/",
        f"{in_team}seasons/new/",
        f"{base}{planned.id}/",
        f"{base}{live.id}/",
        f"{base}{final.id}/",
        f"{base}{planned.id}/edit/",
        f"{base}{planned.id}/lineup/?from=coming",
        f"{base}{live.id}/lineup/",
        f"{base}{live.id}/status/?status=FINAL",
        f"{base}{postponed.id}/status/?status=SCHEDULED",
        f"{base}{live.id}/history/",
        f"{base}{planned.id}/delete/",
    ):
        page.goto(address)
        assert_accessible(page)


def test_a_line_up_is_dragged_into_order_and_saved(
    live_server: object, desktop: Page, owner: Any, team: Any, players: Any
) -> None:
    game = with_lineup(owner, game_of(owner, team), players)
    page = sign_in(desktop, owner)
    page.goto(f"/tracker/games/{game.id}/lineup/")
    row = page.locator("#order .lineup-row")
    row.nth(3).drag_to(row.nth(0), target_position={"x": 20, "y": 4})
    page.locator("#bench .lineup-row", has_text="Jan").drag_to(row.nth(8), target_position={"x": 20, "y": 50})
    shown = ["Dov", "Ada", "Bea", "Cem", "Eva", "Fin", "Gil", "Hal", "Ida", "Jan"]
    assert names_in_order(page) == shown
    expect(page.locator("#order-count")).to_have_text("10 of 8 to 20")
    page.locator("#save").click()
    expect(page.get_by_text("Line-up saved.")).to_be_visible()
    stored = repository.games.of(game.id, strong=True).lineup
    by_id = {player.id: player.first_name for player in players}
    assert [by_id[entry["playerId"]] for entry in stored] == shown


def test_a_line_up_is_put_together_by_keyboard_and_says_what_happens(
    live_server: object, phone: Page, owner: Any, team: Any, players: Any
) -> None:
    game = with_lineup(owner, game_of(owner, team), players)
    page = sign_in(phone, owner)
    page.goto(f"/tracker/games/{game.id}/lineup/")
    page.locator(f"#down-{players[0].id}").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert names_in_order(page)[:3] == ["Bea", "Cem", "Ada"]
    expect(page.locator(f"#down-{players[0].id}")).to_be_focused()
    expect(page.locator("#lineup-told")).to_have_text("Ada bats in place 3.")
    page.locator(f"#out-{players[0].id}").press("Enter")
    expect(page.locator(f"#in-{players[0].id}")).to_be_focused()
    expect(page.locator("#lineup-told")).to_have_text("Ada is on the bench.")
    page.locator("#save").click()
    expect(page.get_by_text("Line-up saved.")).to_be_visible()
    assert len(repository.games.of(game.id, strong=True).lineup) == 8


def test_a_game_is_planned_lined_up_and_begun_without_scripts(
    live_server: object, browser: Browser, owner: Any, team: Any, players: Any
) -> None:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = sign_in(context.new_page(), owner)
    page.goto(f"/tracker/teams/{team.id}/games/new/")
    page.get_by_label("Opponent").fill("Rivertown Rockets")
    page.get_by_role("button", name="Add to schedule").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_text("A game needs a line-up")).to_be_visible()
    page.locator(f"#yes-{players[8].id}").click()
    expect(page.locator("#tally")).to_have_text("1 coming, 0 maybe, 0 not coming")
    page.locator("#to-lineup").click()
    assert names_in_order(page) == ["Ida"]
    for player in players[:7]:
        page.locator(f"#in-{player.id}").click()
    page.locator(f"#up-{players[6].id}").click()
    expect(page.locator(f"#up-{players[6].id}")).to_be_focused()
    page.locator("#save").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#status")).to_have_text("Live")
    (game,) = repository.games.of_team(team.id).items
    by_id = {player.id: player.first_name for player in players}
    order = [by_id[entry["playerId"]] for entry in game.lineup]
    assert order == ["Ida", "Ada", "Bea", "Cem", "Dov", "Eva", "Gil", "Fin"]
    context.close()


def test_an_answer_is_given_in_place_and_a_deleted_game_comes_back(
    live_server: object, phone: Page, owner: Any, team: Any, players: Any
) -> None:
    game = game_of(owner, team)
    page = sign_in(phone, owner)
    page.goto(f"/tracker/games/{game.id}/")
    page.locator(f"#maybe-{players[0].id}").click()
    expect(page.locator("#tally")).to_have_text("0 coming, 1 maybe, 0 not coming")
    expect(page.locator(f"#maybe-{players[0].id}")).to_be_focused()
    expect(page.locator(f"#maybe-{players[0].id}")).to_have_attribute("aria-pressed", "true")
    page.goto(f"/tracker/games/{game.id}/delete/")
    page.locator("#confirm").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#heading")).to_have_text("at Rivertown Rockets")
    expect(page.locator("#tally")).to_have_text("0 coming, 1 maybe, 0 not coming")
