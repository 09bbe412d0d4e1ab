"""Who is coming: everybody says it for oneself, managers for those who do not sign in."""

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from core.dynamo.errors import Conflict, Invalid, NotFound, TooManyRequests
from core.dynamo.metering import metered
from tests.racing import at_once
from tests.tracker import club
from tracker import repository
from tracker.games.models import FINAL
from tracker.games.services import availability, games
from tracker.games.services.games import Impossible
from tracker.items import INACTIVE
from tracker.roster.models import Player

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def cast(owner, team):
    return club.cast(owner, team)


@pytest.fixture
def game(owner, team):
    return games.create(owner, team.id, {"opponent_name": "Rivals"})


def linked(team, user, actor, number=None):
    player = Player.about(
        team.id, first_name=user.name.split()[0], number=number, is_ghost=False, user_id=user.sub
    )
    return repository.players.create(player, actor=actor.actor)


def said(game):
    return {each.player_id: (each.answer, each.note) for each in repository.games.story(game.id).answers}


def test_an_answer_can_be_changed_and_keeps_its_note_unless_it_is_told_anew(owner, team, game, cast):
    own = linked(team, cast["player"], owner)
    availability.answer(cast["player"], game.id, own.id, "yes", note=" ten minutes late ")
    assert said(game) == {own.id: ("yes", "ten minutes late")}
    availability.answer(cast["player"], game.id, own.id, "maybe")
    assert said(game) == {own.id: ("maybe", "ten minutes late")}
    availability.answer(cast["player"], game.id, own.id, "no", note="")
    assert said(game) == {own.id: ("no", "")}
    with pytest.raises(Invalid):
        availability.answer(cast["player"], game.id, own.id, "perhaps")


@pytest.mark.parametrize(
    ("role", "own", "of_others", "of_ghosts"),
    [
        ("owner", 302, 403, 302),
        ("manager", 302, 403, 302),
        ("scorekeeper", 302, 403, 403),
        ("player", 302, 403, 403),
        ("stranger", 404, 404, 404),
    ],
)
def test_who_answers_for_whom(owner, team, game, cast, role, own, of_others, of_ghosts):
    roster = repository.teams.roster(team.id)
    mine = roster.of_person(cast[role].sub) or linked(team, cast[role], owner)
    other = linked(team, club.person("Othello"), owner)
    ghost = club.ghost(team, "Casper", actor=owner)
    browser, address = club.browser_of(cast[role]), reverse("tracker:game-answer", args=[game.id])
    table = ((mine, own), (other, of_others), (ghost, of_ghosts))
    for player, expected in table:
        answer = browser.post(address, {"player": player.id, "answer": "yes"})
        assert (role, player.name, answer.status_code) == (role, player.name, expected)
    assert set(said(game)) == {player.id for player, code in table if code == 302}


def test_players_of_another_team_cannot_be_answered_for(owner, game):
    foreign = club.ghost(club.team_of(owner, "Other team"), "Xen", actor=owner)
    with pytest.raises(NotFound):
        availability.answer(owner, game.id, foreign.id, "yes")


def test_nobody_answers_for_a_game_that_is_over_or_for_who_no_longer_plays(owner, team, game):
    ghost = club.ghost(team, "Casper", actor=owner, status=INACTIVE)
    with pytest.raises(Invalid):
        availability.answer(owner, game.id, ghost.id, "yes")
    games.move(owner, game.id, FINAL)
    own = repository.teams.roster(team.id).of_person(owner.sub)
    with pytest.raises(Impossible):
        availability.answer(owner, game.id, own.id, "yes")


def test_who_left_the_team_answers_no_more(owner, team, game, cast):
    own = linked(team, cast["player"], owner)
    membership = repository.memberships.of(cast["player"].sub, team.id, strong=True)
    repository.memberships.delete(membership, actor=owner.actor)
    with pytest.raises((NotFound, PermissionDenied)):
        availability.answer(cast["player"], game.id, own.id, "yes")


def test_sent_twice_or_by_two_devices_at_once_there_is_one_answer(owner, team, game):
    own = repository.teams.roster(team.id).of_person(owner.sub)
    at_once(lambda number: availability.answer(owner, game.id, own.id, ("yes", "no")[number % 2]), 8)
    assert list(said(game)) == [own.id]


def test_the_answer_is_shown_in_place_and_takes_five_requests(owner, team, game):
    own = repository.teams.roster(team.id).of_person(owner.sub)
    browser, address = club.browser_of(owner), reverse("tracker:game-answer", args=[game.id])
    sent = {"player": own.id, "answer": "yes", "once": "k"}
    with metered() as spent:
        assert browser.post(address, sent).status_code == 302
    assert spent.requests == 5
    assert browser.post(address, sent).status_code == 302
    page = browser.post(address, {"player": own.id, "answer": "no"}, headers={"HX-Request": "true"})
    text = page.content.decode()
    assert ("<html" in text, "0 coming, 0 maybe, 1 not coming" in text) == (False, True)


@pytest.mark.parametrize("place", [{}, {"from": "home"}])
@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (None, 422),
        (Invalid("No."), 422),
        (Conflict("It is over."), 409),
        (TooManyRequests(retry_after=7), 429),
    ],
)
def test_a_refused_answer_has_its_own_status(owner, team, game, monkeypatch, place, refusal, status):
    own = repository.teams.roster(team.id).of_person(owner.sub)
    sent = {"player": own.id, "answer": "yes" if refusal else "?", **place}

    def refuse(*_given, **_named):
        raise refusal

    if refusal:
        monkeypatch.setattr(availability, "answer", refuse)
    page = club.browser_of(owner).post(
        reverse("tracker:game-answer", args=[game.id]), sent, headers={"HX-Request": "true"}
    )

    assert page.status_code == status
    assert page.get("Retry-After") == ("7" if status == 429 else None)
    assert str(refusal or "Choose one of the answers.") in page.content.decode()
