"""Home of the softball pages, by what somebody is part of."""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import localdate

from core.dynamo.attributes import now
from core.dynamo.items import new_id
from core.dynamo.metering import metered
from tests.tracker.club import browser_of, join, person, team_of
from tests.tracker.season import season_of
from tracker import repository
from tracker.games.models import FINAL, Game
from tracker.teams.models import Invitation
from tracker.teams.services import teams

TOMORROW = now() + timedelta(days=1)

pytestmark = pytest.mark.usefixtures("db")


def ids(page):
    return set(re.findall(r'id="([a-z-]+)"', page.text))


def test_whoever_has_not_begun_is_asked_what_to_do():
    page = browser_of(person("Lena")).get("/tracker/")
    assert {"welcome", "track-myself", "manage-team"} <= ids(page)
    assert "view-team" not in ids(page)


def test_without_any_team_the_way_to_the_own_figures_is_a_new_one():
    lena = person("Lena")
    (default,) = own_teams(lena)
    teams.delete(lena, default.id, seen_version=default.version)
    page = browser_of(lena).get("/tracker/")
    assert "/tracker/teams/new/?type=PERSONAL" in page.text
    assert f"/tracker/teams/{default.id}/restore/" in page.text


def test_own_games_only_make_the_player_view():
    lena = person("Lena")
    (default,) = own_teams(lena)
    play(default, lena)
    page = browser_of(lena).get("/tracker/")
    assert "my-figures" in ids(page)
    assert not {"welcome", "view-team"} & ids(page)


def test_a_team_only_makes_the_team_view():
    lena = person("Lena")
    (default,) = own_teams(lena)
    teams.delete(lena, default.id, seen_version=default.version)
    team = team_of(lena)
    page = browser_of(lena).get("/tracker/")
    assert f'id="team-{team.id}"' in page.text
    assert not {"welcome", "view-player", "my-figures"} & ids(page)


def test_both_make_two_tabs():
    lena = person("Lena")
    (default,) = own_teams(lena)
    team = team_of(lena)
    browser = browser_of(lena)
    first, other = browser.get("/tracker/"), browser.get("/tracker/?view=player")
    assert {"view-team", "view-player"} <= ids(first)
    assert (f"team-{team.id}" in first.text, f"team-{default.id}" in first.text) == (True, False)
    assert (f"team-{team.id}" in other.text, f"team-{default.id}" in other.text) == (False, True)


def test_teams_that_somebody_has_left_are_not_shown():
    lena, noor = person("Lena"), person("Noor")
    team = team_of(lena)
    membership = join(noor, team, actor=lena)
    repository.memberships.update(membership, {"status": "inactive"}, actor=lena.actor)
    assert team.id not in browser_of(noor).get("/tracker/").text


def test_invitations_wait_here_and_on_the_first_page_for_those_whose_address_they_name():
    lena, noor = person("Lena"), person("Noor")
    team = team_of(lena)
    invitation = Invitation.about(
        team.id,
        email=noor.email,
        invited_by=lena.sub,
        token_hash="x",
        expires_at=team.created_at.replace(year=team.created_at.year + 1),
    )
    repository.invitations.create(invitation, actor=lena.actor)
    address = f"/tracker/teams/{team.id}/invitations/{invitation.id}/"
    assert address in browser_of(noor).get("/tracker/").text
    assert address not in browser_of(lena).get("/tracker/").text
    assert address in browser_of(noor).get("/desk/later").text


def test_each_of_several_teams_says_what_is_on_and_whoever_may_scores_from_here():
    lena, noor = person("Lena"), person("Noor")
    falcons, owls = team_of(lena), team_of(lena, "Nachteulen")
    live, later = play(falcons, lena, status="IN_PROGRESS"), play(owls, lena, scheduled_start=TOMORROW)
    for team, role in ((falcons, "player"), (owls, "scorekeeper")):
        join(noor, team, role, actor=lena)
    score = f'href="/tracker/games/{live.id}/score/"'
    owner, player = (browser_of(user).get("/tracker/").text for user in (lena, noor))
    assert (score in owner, score in player) == (True, False)
    for page in (owner, player):
        assert f'id="live-{falcons.id}" href="/tracker/games/{live.id}/"' in page
        assert f'id="next-{owls.id}" href="/tracker/games/{later.id}/"' in page


def test_of_one_team_the_live_game_is_scored_from_here():
    lena, noor = person("Lena"), person("Noor")
    team = team_of(lena)
    game = play(team, lena, status="IN_PROGRESS")
    join(noor, team, "scorekeeper", actor=lena)
    assert 'id="score-live"' in browser_of(noor).get("/tracker/").text
    assert f"/tracker/games/{game.id}/score/" in browser_of(noor).get("/tracker/").text


def test_of_one_team_the_record_is_that_of_the_season_as_on_its_page():
    """A game of the same year that belongs to no season is in neither."""
    lena = person("Lena")
    team = team_of(lena)
    today = localdate()
    spring = season_of(team, "Spring", actor=lena, starts_on=today - timedelta(days=30), ends_on=today)
    for season_id in (spring.id, None):
        won = Game.about(
            new_id(), team_id=team.id, season_id=season_id, status=FINAL, scheduled_start=now(), team_score=3
        )
        repository.games.create(won, actor=lena.actor)
    told = (
        '<strong class="team-record" id="record">1-0-0</strong> '
        '<span class="quiet">won, lost, tied in Spring</span>'
    )
    for address in ("/tracker/", f"/tracker/teams/{team.id}/"):
        assert told in browser_of(lena).get(address).text
    figures = browser_of(lena).get(f"/tracker/teams/{team.id}/statistics/")
    assert figures.context["season"].name == "Spring"


@pytest.mark.parametrize("number_of_teams", [1, 2])
def test_whoever_plays_says_here_whether_they_come_and_is_back_here(number_of_teams):
    lena = person("Lena")
    team, *_others = [team_of(lena, f"Team {number}") for number in range(number_of_teams)]
    game = play(team, lena, scheduled_start=TOMORROW)
    browser = browser_of(lena)
    assert said(browser.get("/tracker/"), team) == {"yes": "false", "maybe": "false", "no": "false"}
    own = repository.teams.roster(team.id).of_person(lena.sub)
    sent = {"player": own.id, "answer": "maybe", "from": "home"}
    answered = browser.post(f"/tracker/games/{game.id}/answer/", sent)
    assert (answered.status_code, answered.headers["Location"]) == (302, f"/tracker/#answer-{team.id}")
    assert said(browser.get("/tracker/"), team) == {"yes": "false", "maybe": "true", "no": "false"}


def test_the_answer_is_given_in_place_and_said():
    lena = person("Lena")
    team, _other = [team_of(lena, name) for name in ("Foxes", "Owls")]
    game = play(team, lena, scheduled_start=TOMORROW)
    browser = browser_of(lena)
    own = repository.teams.roster(team.id).of_person(lena.sub)
    shown = browser.get("/tracker/").text
    assert f'id="answer-{team.id}"' in shown
    assert f'hx-post="/tracker/games/{game.id}/answer/"' in shown
    sent = {"player": own.id, "answer": "yes", "from": "home"}
    answered = browser.post(f"/tracker/games/{game.id}/answer/", sent, headers={"HX-Request": "true"})
    assert answered.text.strip().startswith(f'<form class="game-answer" id="answer-{team.id}"')
    assert said(answered, team) == {"yes": "true", "maybe": "false", "no": "false"}
    assert "You are coming." in answered.text
    assert "<html" not in answered.text
    refused = browser.post(
        f"/tracker/games/{game.id}/answer/", sent | {"answer": "?"}, headers={"HX-Request": "true"}
    )
    assert (refused.status_code, "Choose one of the answers." in refused.text) == (422, True)
    assert said(refused, team) == {"yes": "true", "maybe": "false", "no": "false"}


def test_whoever_does_not_play_is_not_asked():
    lena, noor = person("Lena"), person("Noor")
    team = team_of(lena)
    play(team, lena, scheduled_start=TOMORROW)
    join(noor, team, actor=lena)
    assert said(browser_of(noor).get("/tracker/"), team) == {}


def test_without_invitations_it_costs_a_request_for_each_team_and_sixteen_at_most():
    """The session, the memberships, the teams, the invitations; the games of up to ten teams; where
    somebody plays, and what they said."""
    lena = person("Lena")
    play(team_of(lena), lena)
    browser = browser_of(lena)
    assert requests(browser) == 7
    for number in range(30):
        team_of(lena, f"Team {number}")
    assert requests(browser) == 16


def said(page, team):
    found = re.findall(rf'id="(yes|maybe|no)-{team.id}"[^>]* aria-pressed="(true|false)"', page.text)
    return dict(found)


def requests(browser):
    with metered() as meter:
        assert browser.get("/tracker/").status_code == 200
    return meter.requests


def own_teams(user):
    memberships = repository.profiles.belonging(user.sub).memberships
    return list(repository.teams.with_ids([each.team_id for each in memberships]).values())


def play(team, actor, **fields):
    game = Game.about(f"game-of-{team.id}", team_id=team.id, opponent_name="Owls", **fields)
    return repository.games.create(game, actor=actor.actor)
