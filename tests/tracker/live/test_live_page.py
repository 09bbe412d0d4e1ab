"""The live page of a shared game: for everybody with the link, and nothing more than it should tell."""

import re

import pytest
from django.test import Client

from core.dynamo.metering import metered
from core.stores.limits import Limiter
from tests.tracker.club import ghost
from tests.tracker.scorebook import Played
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED
from tracker.games.services import games
from tracker.live import views
from tracker.scoring import game_writing
from tracker.teams.models import DELETED

pytestmark = pytest.mark.usefixtures("db")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def played():
    return Played(location="Feldkamp Park")


def shared(played):
    token = games.live_token(games.share(played.owner, played.id, shared=True))
    return f"/tracker/live/{token}/"


def text(response):
    return re.sub(r"\s+", " ", response.content.decode())


def get(address, **options):
    return Client(raise_request_exception=False).get(address, **options)


def test_everybody_with_the_link_sees_the_score_by_inning_without_signing_in(played):
    address = shared(played)
    for result in ("1B", "HR", "2B"):
        played.record(result)
    with metered() as usage:
        page = get(address)
    assert (page.status_code, usage.requests) == (200, 5)
    shown = text(page)
    assert "Feldkamp Falcons" in shown
    assert "Rivertown Rockets" in shown
    assert '<th scope="row">Feldkamp Falcons</th><td>2</td><td></td>' in shown
    assert "At bat:</span> #4 Dov" in shown
    assert page.cookies == {}


def test_it_tells_no_id_no_address_and_nobody_who_keeps_private(played):
    secret = ghost(played.team, "Secretia", 77, actor=played.owner, is_private=True)
    opened = repository.games.of(played.id, strong=True)
    lineup = [*opened.lineup, {"playerId": secret.id, "battingOrder": 10, "position": ""}]
    game_writing.write(
        game_writing.allowed(played.owner, played.id, "manage_games"), {"lineup": lineup}, verb="update"
    )
    address = shared(played)
    played.record("1B")
    at_bat = played.record("2B", player=secret.id)
    shown = get(address).content.decode()
    assert "Secretia" not in shown
    assert "#77" in shown
    token = address.split("/")[-2]
    plain = shown.replace(token, "")
    for hidden in (played.id, played.team.id, at_bat.id, secret.id, played.owner.sub, "olga", "Olga", "@"):
        assert hidden not in plain
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", plain)


def test_it_shows_the_batting_order_as_it_stands_private_players_by_their_number_only(played):
    secret = ghost(played.team, "Secretia", 77, actor=played.owner, is_private=True)
    played.record("1B")
    came = [{"battingOrder": 2, "playerId": secret.id, "after": 1}]
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"substitutions": came}, verb="update")
    shown = text(get(shared(played)))
    order = re.findall(r"<li>(.*?)</li>", shown[shown.index('id="order"') : shown.index('id="plays-title"')])
    assert order[:3] == ["#1 Ada", "#77", "#3 Cem"]
    assert len(order) == 9


@pytest.mark.parametrize(
    ("status", "asks"), [(SCHEDULED, "60s"), (POSTPONED, "60s"), (IN_PROGRESS, "15s"), (FINAL, None)]
)
def test_an_open_page_asks_for_news_until_the_game_is_over(played, status, asks):
    address = shared(played)
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    if status != IN_PROGRESS:
        game_writing.write(opened, {"status": status}, verb="update")
    asked = re.search(r'hx-trigger="every (\w+)"', text(get(address)))
    assert (asked and asked[1]) == asks


@pytest.mark.parametrize(
    ("is_home", "half", "first"),
    [(False, "Top 1", "Feldkamp Falcons"), (True, "Inning 1", "Rivertown Rockets")],
)
def test_the_visitors_come_first_and_bat_first(db, is_home, half, first):
    shown = text(get(shared(Played(is_home=is_home))))
    assert re.search(r'<tbody> <tr><th scope="row">([^<]*)</th>', shown)[1] == first
    assert re.search(r'id="inning">([^<]*)<', shown)[1] == half


@pytest.mark.parametrize(
    ("is_home", "halves"),
    [
        (False, ["Top 1", "Top 1", "After top 1", "Top 2"]),
        (True, ["Inning 1", "Bottom 1", "Inning 2", "Bottom 2"]),
    ],
)
def test_nobody_is_told_that_the_team_bats_while_the_others_may_be_at_bat(db, is_home, halves):
    played = Played(is_home=is_home)
    address, shown = shared(played), []
    for results in ((), ("1B",), ("K", "K", "K"), ("1B",)):
        for result in results:
            played.record(result)
        shown.append(re.search(r'id="inning">([^<]*)<', text(get(address)))[1])
    assert shown == halves


def test_without_sharing_there_is_no_page_and_a_link_that_was_turned_off_stays_off(played):
    assert get("/tracker/live/none/").status_code == 404
    address = shared(played)
    assert get(address).status_code == 200
    games.share(played.owner, played.id, shared=False)
    assert get(address).status_code == 404
    assert get(shared(played)).status_code == 200
    assert get(address).status_code == 404


def test_the_games_of_a_deleted_team_are_gone(played):
    address = shared(played)
    repository.teams.update(
        repository.teams.of(played.team.id, strong=True), {"status": DELETED}, actor=played.owner.actor
    )
    assert get(address).status_code == 404


def test_it_only_reads(played):
    address = shared(played)
    assert Client().post(address).status_code == 405


def test_an_open_page_is_told_the_news_and_nothing_when_there_are_none(played):
    address = shared(played)
    played.record("1B")
    seen = re.search(r'\?seen=([\w-]+)"', get(address).content.decode())[1]
    assert get(f"{address}?seen={seen}", headers=HTMX).status_code == 204
    played.record("HR")
    news = get(f"{address}?seen={seen}", headers=HTMX)
    assert news.status_code == 200
    assert news.content.strip().startswith(b"<article")
    assert "#2 Bea" in text(news)


def test_an_address_that_asks_too_often_is_told_to_wait(played, monkeypatch):
    address = shared(played)
    monkeypatch.setattr(views, "WATCHING", Limiter("watching-here", limit=2, seconds=60))
    assert [get(address).status_code for _time in range(3)] == [200, 200, 429]
