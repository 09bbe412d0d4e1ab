"""The schedule, a game and its forms, as the people of a team see them."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import localtime

from core.dynamo.attributes import now
from core.dynamo.metering import metered
from tests.tracker import club
from tracker import repository
from tracker.games import schedule
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED, Game
from tracker.games.services import games, seasons
from tracker.scoring.models import AtBat
from tracker.scoring.services import lineup, scoring
from tracker.teams.models import PERSONAL

pytestmark = pytest.mark.usefixtures("db")

MONDAY = datetime(2026, 6, 1, 10, 0, tzinfo=UTC)


@pytest.fixture
def browser(owner):
    return club.browser_of(owner)


def address(name, *args):
    return reverse(f"tracker:{name}", args=args)


def game_of(owner, team, **fields):
    return games.create(owner, team.id, {"opponent_name": "Rivals", **fields})


# --- The schedule -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "status", "group"),
    [
        (0, SCHEDULED, "this-week"),
        (6, SCHEDULED, "this-week"),
        (7, SCHEDULED, "next-week"),
        (13, SCHEDULED, "next-week"),
        (14, SCHEDULED, "later"),
        (-1, FINAL, "past"),
        (-1, SCHEDULED, "past"),
        (-1, IN_PROGRESS, "this-week"),
        (3, POSTPONED, "no-date"),
        (None, SCHEDULED, "no-date"),
    ],
)
def test_a_game_stands_in_its_week_and_weeks_begin_on_monday(days, status, group):
    start = None if days is None else MONDAY + timedelta(days=days)
    game = Game.about("g", team_id="t", status=status, scheduled_start=start)
    assert schedule.group_of(game, MONDAY.date()) == group


def test_of_the_past_the_last_game_is_first_and_of_the_future_the_next():
    found = [
        Game.about(str(days), team_id="t", status=SCHEDULED, scheduled_start=MONDAY + timedelta(days=days))
        for days in (-9, -2, 2, 1)
    ]
    groups = schedule.grouped(found, MONDAY.date())
    assert [(group.name, [game.id for game in group.games]) for group in groups] == [
        ("this-week", ["1", "2"]),
        ("past", ["-2", "-9"]),
    ]


def test_the_schedule_takes_four_requests(owner, team, browser):
    season = seasons.create(owner, team.id, {"name": "Spring"})
    soon, without = now() + timedelta(hours=1), None
    game_of(owner, team, scheduled_start=soon, season_id=season.id, location="Field 2")
    game_of(owner, team, scheduled_start=without, opponent_name="Later ones")
    with metered() as spent:
        page = browser.get(address("games", team.id))
    assert spent.requests == 4
    text = page.content.decode()
    assert ("This week" in text, "Without a date" in text, "Field 2" in text) == (True, True, True)
    filtered = browser.get(address("games", team.id), {"season": season.id}).content.decode()
    assert ("Rivals" in filtered, "Later ones" in filtered) == (True, False)


def test_a_month_shows_its_games_in_three_requests(owner, team, browser):
    game_of(owner, team, scheduled_start=datetime(2026, 6, 10, 16, 0, tzinfo=UTC))
    with metered() as spent:
        page = browser.get(address("games-calendar", team.id), {"month": "2026-06"})
    assert spent.requests == 3
    assert page.content.decode().count("Rivals") == 1
    for other in ("2026-07", "2026-04", "nonsense"):
        text = browser.get(address("games-calendar", team.id), {"month": other}).content.decode()
        assert "Rivals" not in text


def test_a_month_tells_games_apart_by_their_state(owner, team, browser):
    for day, status in enumerate((SCHEDULED, IN_PROGRESS, FINAL, POSTPONED), start=10):
        game = game_of(owner, team, scheduled_start=datetime(2026, 6, day, 16, 0, tzinfo=UTC))
        repository.games.update(game, {"status": status}, actor=owner.actor)
    page = browser.get(address("games-calendar", team.id), {"month": "2026-06"}).text
    tones = re.findall(r'<li class="entry (\w+)">', page)
    assert tones == ["scheduled", "active", "archived", "waiting"]
    assert re.findall(r'class="badge status \w+">(\w+)<', page) == ["Live", "Final", "Postponed"]


# --- New, edit ----------------------------------------------------------------------------------------------


def test_a_game_is_put_into_the_schedule_once_also_when_it_is_sent_twice(team, browser):
    sent = {
        "opponent_name": "  Rivals ",
        "scheduled_start": "2026-06-10T18:00",
        "location": "",
        "is_home": "on",
        "status": "IN_PROGRESS",
        "team_score": "9",
        "once": "k1",
    }
    first = browser.post(address("game-new", team.id), sent)
    again = browser.post(address("game-new", team.id), sent)
    assert (first.status_code, again["Location"]) == (302, first["Location"])
    (game,) = repository.games.of_team(team.id).items
    assert (game.opponent_name, game.location, game.is_home, game.status) == ("Rivals", None, True, SCHEDULED)
    assert game.team_score == 0
    assert localtime(game.scheduled_start).isoformat() == "2026-06-10T18:00:00+02:00"
    assert repository.boxes.get(team.id, None, game.id).revision == 1


def test_what_is_wrong_is_said_at_the_field(team, browser):
    sent = {"opponent_name": "x" * 101, "scheduled_start": "soon", "season_id": "of-another-team"}
    page = browser.post(address("game-new", team.id), sent)
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {"opponent_name", "scheduled_start", "season_id"}
    assert repository.games.of_team(team.id).items == []


def test_a_game_is_planned_in_the_season_that_is_now(owner, team, browser):
    today = localtime().date()
    seasons.create(owner, team.id, {"name": "Old", "ends_on": today - timedelta(days=1)})
    season = seasons.create(owner, team.id, {"name": "New", "starts_on": today})
    page = browser.get(address("game-new", team.id))
    assert page.context["form"]["season_id"].value() == season.id


def test_an_edit_that_meets_another_one_shows_both_and_saving_again_means_the_own_one(owner, team, browser):
    game = game_of(owner, team, location="Field 1")
    seen = browser.get(address("game-edit", game.id)).context["seen"]
    games.edit(owner, game.id, {"location": "Field 2"})
    sent = {"opponent_name": "Rivals", "location": "Field 3", "team_score": "0", "opponent_score": "0"}
    page = browser.post(address("game-edit", game.id), {**sent, "seen": seen})
    assert page.status_code == 409
    told = [(each.title, each.mine, each.theirs) for each in page.context["contested"]]
    assert told == [("Where", "Field 3", "Field 2")]
    assert (
        browser.post(address("game-edit", game.id), {**sent, "seen": page.context["seen"]}).status_code == 302
    )
    assert repository.games.of(game.id).location == "Field 3"


def test_a_form_that_is_sent_again_with_other_contents_keeps_what_was_typed(owner, team, browser):
    game = game_of(owner, team)
    seen = browser.get(address("game-edit", game.id)).context["seen"]
    sent = {"opponent_name": "First", "seen": seen, "once": "k"}
    assert browser.post(address("game-edit", game.id), sent).status_code == 302
    assert browser.post(address("game-edit", game.id), sent).status_code == 302
    again = browser.post(address("game-edit", game.id), sent | {"opponent_name": "Second"})
    assert (again.status_code, 'value="Second"' in again.content.decode()) == (422, True)
    assert repository.games.of(game.id).opponent_name == "First"


def test_scores_are_typed_until_plate_appearances_say_them(owner, team, browser):
    (first, *others) = club.nine(team, actor=owner)
    game = game_of(owner, team)
    assert "team_score" not in browser.get(address("game-edit", game.id)).context["form"].fields
    games.move(owner, game.id, FINAL, fields={"team_score": 1, "opponent_score": 1})
    page = browser.get(address("game-edit", game.id))
    sent = {"team_score": "4", "opponent_score": "", "opponent_name": "X", "seen": page.context["seen"]}
    empty = browser.post(address("game-edit", game.id), sent)
    assert (empty.status_code, list(empty.context["form"].errors)) == (422, ["opponent_score"])
    assert browser.post(address("game-edit", game.id), sent | {"opponent_score": "2"}).status_code == 302
    stored = repository.games.of(game.id)
    assert (stored.team_score, stored.opponent_score, stored.status) == (4, 2, FINAL)
    order = club.batting_order((first, *others))
    repository.games.update(stored, {"lineup": order}, actor=owner.actor)
    out = AtBat.in_game(stored, player_id=first.id, number=1, result="K", batting_order=1)
    repository.at_bats.create(out, actor=owner.actor)
    fields = browser.get(address("game-edit", game.id)).context["form"].fields
    assert ("team_score" in fields, "opponent_score" in fields) == (False, True)


# --- One game -----------------------------------------------------------------------------------------------


def test_the_page_of_a_game_takes_four_requests(owner, team, browser):
    players = club.nine(team, actor=owner)
    game = game_of(owner, team, location="Field 2", scheduled_start=MONDAY)
    order = club.batting_order(players)
    repository.games.update(game, {"lineup": order}, actor=owner.actor)
    with metered() as spent:
        page = browser.get(address("game", game.id))
    assert spent.requests == 4
    text = page.content.decode()
    assert all(part in text for part in ("Field 2", "Scheduled", "Ada", "Start the game", "Who is coming"))


def test_a_game_of_a_personal_team_has_no_line_up_and_nobody_to_ask(owner):
    team = club.team_of(owner, "Monday league", team_type=PERSONAL)
    game = game_of(owner, team)
    text = club.browser_of(owner).get(address("game", game.id)).content.decode()
    assert ("Start the game" in text, "Line-up" in text, "Who is coming" in text) == (True, False, False)


def test_without_a_line_up_entering_one_is_the_first_thing_to_do(owner, team, browser):
    game = game_of(owner, team)
    page = browser.get(address("game", game.id)).text
    assert f'<a class="button" id="enter-lineup" href="{address("lineup", game.id)}">' in page
    assert '<button class="button quiet-button" id="step-start"' in page
    order = club.batting_order(club.nine(team, actor=owner))
    repository.games.update(game, {"lineup": order}, actor=owner.actor)
    page = browser.get(address("game", game.id)).text
    assert ("enter-lineup" in page, '<button class="button" id="step-start"' in page) == (False, True)


def test_a_step_is_taken_from_the_page(owner, team, browser):
    players = club.nine(team, actor=owner)
    game = game_of(owner, team)
    refused = browser.post(address("game-status", game.id), {"status": IN_PROGRESS})
    assert refused.status_code == 422
    assert "A game needs a line-up" in refused.content.decode()
    assert f'id="missing-lineup" href="{address("lineup", game.id)}"' in refused.content.decode()
    order = club.batting_order(players)
    repository.games.update(repository.games.of(game.id), {"lineup": order}, actor=owner.actor)
    assert browser.post(address("game-status", game.id), {"status": "in_progress"}).status_code == 302
    assert repository.games.of(game.id).status == IN_PROGRESS
    asked = browser.get(address("game-status", game.id), {"status": FINAL})
    assert "Finish the game" in asked.content.decode()
    bad = browser.post(address("game-status", game.id), {"status": FINAL, "team_score": "-1"})
    assert (bad.status_code, list(bad.context["form"].errors)) == (422, ["team_score", "opponent_score"])
    browser.post(address("game-status", game.id), {"status": FINAL, "team_score": "5", "opponent_score": "2"})
    page = browser.get(address("game", game.id)).content.decode()
    assert ("5:2" in page, "Won" in page, "Reopen" in page) == (True, True, True)


@pytest.mark.parametrize(("status", "code"), [("LIVE", 400), ("", 400), (POSTPONED, 302), (SCHEDULED, 409)])
def test_a_state_that_is_not_or_cannot_be_is_refused(owner, team, browser, status, code):
    game = game_of(owner, team)
    assert browser.post(address("game-status", game.id), {"status": status}).status_code == code


def test_a_postponed_game_asks_for_its_new_date_at_the_field(owner, team, browser):
    game = game_of(owner, team)
    games.move(owner, game.id, POSTPONED)
    page = browser.post(address("game-status", game.id), {"status": SCHEDULED})
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["scheduled_start"])
    sent = {"status": SCHEDULED, "scheduled_start": "2026-07-01T18:30"}
    assert browser.post(address("game-status", game.id), sent).status_code == 302


def test_the_history_tells_who_did_what(owner, team, browser):
    game = game_of(owner, team)
    games.move(owner, game.id, FINAL, fields={"team_score": 1})
    text = browser.get(address("game-history", game.id)).content.decode()
    assert text.index("result entered") < text.index("added to the schedule")
    assert "Olivia Example" in text


def test_the_history_tells_what_happened(owner, team, browser):
    players = club.nine(team, actor=owner)
    game = game_of(owner, team)
    lineup.save(owner, game.id, club.batting_order(players))
    games.move(owner, game.id, IN_PROGRESS)
    scoring.record(owner, game.id, {"result": "HR", "player_id": players[0].id}, seen=0)
    scoring.set_opponent_runs(owner, game.id, 1, 2, seen_runs=None)
    scoring.set_opponent_runs(owner, game.id, 1, 3, seen_runs=2)
    lineup.substitute(owner, game.id, 3, club.ghost(team, "Jo", 10, actor=owner).id)
    page = browser.get(address("game-history", game.id))
    assert [(str(words), detail) for words, detail, _entry in page.context["entries"]] == [
        ("substitution", "place 3: Jo for Cem"),
        ("opponent's runs", "inning 1: 2 → 3, 1:2 → 1:3"),
        ("opponent's runs", "inning 1: \N{EN DASH} → 2, 1:0 → 1:2"),
        ("play by play", "0:0 → 1:0"),
        ("started", ""),
        ("line-up changed", ""),
        ("added to the schedule", ""),
    ]
    assert "substitution: place 3: Jo for Cem" in page.text


@pytest.mark.parametrize(
    ("month", "step", "leads_to"), [("2099-12", "after", "2099-12"), ("2000-01", "before", "2000-01")]
)
def test_the_calendar_ends_where_no_other_month_can_be_asked_for(browser, team, month, step, leads_to):
    page = browser.get(address("games-calendar", team.id), {"month": month})
    assert page.context[step] == leads_to
