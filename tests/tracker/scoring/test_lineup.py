"""Line-ups: what they must be, what they begin with, and how they change during a game."""

from datetime import timedelta

import pytest
from django.urls import reverse

from core.dynamo.attributes import now
from core.dynamo.errors import Conflict
from core.dynamo.metering import metered
from core.dynamo.transactions import Transaction
from tests.racing import at_once
from tests.tracker import club
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS
from tracker.games.services import availability, games
from tracker.games.services.games import Impossible
from tracker.items import INACTIVE
from tracker.roster.models import SUB
from tracker.rules import box_scores
from tracker.rules.lineups import BadLineup
from tracker.scoring import game_writing
from tracker.scoring.models import AtBat
from tracker.scoring.services import lineup
from tracker.teams.models import PERSONAL

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def players(owner, team):
    """Nine who bat and three who wait."""
    waiting = [club.ghost(team, name, number, actor=owner) for number, name in ((10, "Jan"), (11, "Kai"))]
    return [*club.nine(team, actor=owner), *waiting, club.ghost(team, "Lea", 12, actor=owner, status=SUB)]


@pytest.fixture
def game(owner, team):
    return games.create(owner, team.id, {"opponent_name": "Rivals", "scheduled_start": now()})


def of(players, *places):
    return club.batting_order([players[place] for place in places or range(9)])


def order_of(game_id):
    return [entry["playerId"] for entry in repository.games.of(game_id, strong=True).lineup]


def play(owner, game_id, *slots):
    """A strikeout by whoever bats in each of these places."""
    for slot in slots:
        opened = game_writing.allowed(owner, game_id, "manage_atbats")
        told = opened.story.at_bats
        batter = box_scores.batter_of(opened.game, slot, told, len(told))
        number = len(told) + 1
        out = AtBat.in_game(opened.game, player_id=batter, number=number, result="K", batting_order=slot)
        transaction = Transaction()
        created = repository.at_bats.create(out, actor=owner.actor, transaction=transaction)
        game_writing.write(opened, {}, verb="record", at_bats=[*told, created], transaction=transaction)
        transaction.commit()


# --- What a line-up must be -------------------------------------------------------------------------------


def test_a_line_up_has_8_to_20_batters(owner, team, game, players):
    more = [club.ghost(team, f"Extra{number}", actor=owner) for number in range(9)]
    everybody = [*players, *more]
    for count, is_allowed in ((7, False), (8, True), (20, True), (21, False)):
        chosen = club.batting_order(everybody[:count])
        if is_allowed:
            assert len(lineup.save(owner, game.id, chosen).lineup) == count
        else:
            with pytest.raises(BadLineup, match=f"This one has {count}"):
                lineup.save(owner, game.id, chosen)


def test_nobody_bats_twice_and_places_have_no_gaps(owner, game, players):
    with pytest.raises(BadLineup, match="Ada is in the line-up twice"):
        lineup.save(owner, game.id, of(players, 0, 1, 2, 3, 4, 5, 6, 0))
    gap = of(players)
    gap[8]["battingOrder"] = 11
    with pytest.raises(BadLineup, match="without gaps"):
        lineup.save(owner, game.id, gap)


def test_who_is_inactive_or_of_another_team_is_refused_and_a_sub_is_allowed(owner, team, game, players):
    repository.players.update(players[0], {"status": INACTIVE}, actor=owner.actor)
    with pytest.raises(BadLineup) as refused:
        lineup.save(owner, game.id, of(players))
    assert (refused.value.field, str(refused.value)[:15]) == (players[0].id, "Ada is inactive")
    foreign = club.ghost(club.team_of(owner, "Other team"), "Xen", actor=owner)
    with pytest.raises(BadLineup, match="players of this team"):
        lineup.save(owner, game.id, club.batting_order([*players[1:8], foreign]))
    assert len(lineup.save(owner, game.id, of(players, *range(1, 9), 11)).lineup) == 9


def test_a_planned_line_up_can_be_taken_away_and_one_that_plays_cannot(owner, game, players):
    lineup.save(owner, game.id, of(players))
    assert lineup.save(owner, game.id, []).lineup == []
    lineup.save(owner, game.id, of(players))
    games.move(owner, game.id, IN_PROGRESS)
    with pytest.raises(BadLineup):
        lineup.save(owner, game.id, [])


# --- What it begins with ----------------------------------------------------------------------------------


def test_it_begins_with_those_who_are_coming_in_the_order_of_the_last_game(owner, team, game, players):
    earlier = games.create(owner, team.id, {"scheduled_start": now() - timedelta(days=7)})
    lineup.save(owner, earlier.id, of(players, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    for player, said in ((players[0], "yes"), (players[8], "yes"), (players[9], "yes"), (players[1], "no")):
        availability.answer(owner, game.id, player.id, said)
    browser = club.browser_of(owner)
    page = browser.get(reverse("tracker:lineup", args=[game.id]))
    assert list(page.context["typed"].order) == [players[8].id, players[0].id, players[9].id]
    page = browser.get(reverse("tracker:lineup", args=[game.id]), {"from": "last"})
    assert list(page.context["typed"].order) == [player.id for player in reversed(players[:9])]
    page = browser.get(reverse("tracker:lineup", args=[game.id]), {"from": "empty"})
    assert page.context["typed"].order == ()


def test_without_answers_it_begins_with_the_last_game_without_those_who_left(owner, team, game, players):
    earlier = games.create(owner, team.id, {"scheduled_start": now() - timedelta(days=7)})
    lineup.save(owner, earlier.id, of(players))
    repository.players.update(players[3], {"status": INACTIVE}, actor=owner.actor)
    page = club.browser_of(owner).get(reverse("tracker:lineup", args=[game.id]))
    assert list(page.context["typed"].order) == [player.id for player in players[:9] if player != players[3]]


# --- Without JavaScript -----------------------------------------------------------------------------------


def test_each_button_shows_the_new_order_and_saves_nothing(owner, game, players):
    browser, address = club.browser_of(owner), reverse("tracker:lineup", args=[game.id])
    ids = [player.id for player in players[:3]]
    for press, expected, focus in (
        (f"up:{ids[2]}", [0, 2, 1], f"up-{ids[2]}"),
        (f"down:{ids[0]}", [1, 0, 2], f"down-{ids[0]}"),
        (f"up:{ids[0]}", [0, 1, 2], f"up-{ids[0]}"),
        (f"out:{ids[1]}", [0, 2], f"in-{ids[1]}"),
        (f"in:{players[3].id}", [0, 1, 2, 3], f"up-{players[3].id}"),
        ("nonsense", [0, 1, 2], ""),
    ):
        page = browser.post(address, {"order": ids, f"position-{ids[0]}": "SS", "do": press})
        assert page.status_code == 200
        assert list(page.context["typed"].order) == [players[place].id for place in expected]
        assert page.context["typed"].focus == focus
        assert page.context["typed"].positions[ids[0]] == "SS"
    assert order_of(game.id) == []


def test_what_was_put_together_is_saved_in_five_requests(owner, game, players):
    browser, address = club.browser_of(owner), reverse("tracker:lineup", args=[game.id])
    with metered() as spent:
        page = browser.get(address, {"from": "empty"})
    assert spent.requests == 4
    ids = [player.id for player in players[:9]]
    sent = {"order": ids, f"position-{ids[0]}": "SS", "seen": page.context["seen"]}
    with metered() as spent:
        assert browser.post(address, sent).status_code == 302
    assert spent.requests == 5
    assert order_of(game.id) == ids
    assert repository.games.of(game.id).lineup[0]["position"] == "SS"
    bad = browser.post(address, {"order": ids[:7], "seen": "x"})
    assert bad.status_code == 409
    seen = game_writing.fingerprint(repository.games.of(game.id), lineup.FIELDS)
    bad = browser.post(address, {"order": ids[:7], "seen": seen})
    assert (bad.status_code, "This one has 7" in bad.content.decode()) == (422, True)


def test_two_people_who_change_one_line_up_see_both(owner, game, players):
    browser, address = club.browser_of(owner), reverse("tracker:lineup", args=[game.id])
    seen = browser.get(address, {"from": "empty"}).context["seen"]
    lineup.save(owner, game.id, of(players, *range(8)))
    mine = [player.id for player in players[1:9]]
    page = browser.post(address, {"order": mine, "seen": seen})
    assert page.status_code == 409
    assert (page.context["theirs"][0], page.context["mine"][0]) == ("Ada", "Bea")
    assert browser.post(address, {"order": mine, "seen": page.context["seen"]}).status_code == 302
    assert order_of(game.id) == mine


def test_a_personal_team_has_no_line_ups(owner):
    team = club.team_of(owner, "Monday league", team_type=PERSONAL)
    game = games.create(owner, team.id, {})
    assert club.browser_of(owner).get(reverse("tracker:lineup", args=[game.id])).status_code == 404


# --- During the game --------------------------------------------------------------------------------------


@pytest.fixture
def live(owner, game, players):
    lineup.save(owner, game.id, of(players))
    games.move(owner, game.id, IN_PROGRESS)
    play(owner, game.id, 1, 2)
    return game


def test_places_in_which_nobody_has_batted_are_free_and_the_others_are_not(owner, live, players):
    swapped = lineup.save(owner, live.id, of(players, 0, 1, 3, 2, 4, 5, 6, 7, 9))
    assert swapped.lineup[8]["playerId"] == players[9].id
    with pytest.raises(BadLineup, match="batted in place 1"):
        lineup.save(owner, live.id, of(players, 9, *range(1, 9)))
    with pytest.raises(BadLineup, match="batted in place 1"):
        lineup.save(owner, live.id, of(players, 1, 0, *range(2, 9)))


def test_an_extra_hitter_comes_to_the_end_of_the_order(owner, live, players):
    assert len(lineup.save(owner, live.id, of(players, *range(11))).lineup) == 11
    play(owner, live.id, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    told = repository.games.story(live.id)
    assert box_scores.box_of(told.game, told.at_bats).next_slot == 1


def test_a_substitute_bats_from_the_next_plate_appearance_on(owner, live, players):
    changed = lineup.substitute(owner, live.id, 1, players[9].id)
    assert changed.substitutions == [{"battingOrder": 1, "playerId": players[9].id, "after": 2}]
    told = repository.games.story(live.id, strong=True).at_bats
    batters = [box_scores.batter_of(changed, 1, told, index) for index in (1, 2)]
    assert batters == [players[0].id, players[9].id]
    assert repository.boxes.get(live.team_id, None, live.id).revision > 1


def test_who_came_in_may_not_have_another_place(owner, live, players):
    lineup.substitute(owner, live.id, 1, players[9].id)
    with pytest.raises(BadLineup, match="is already in the batting order"):
        lineup.substitute(owner, live.id, 5, players[9].id)
    with pytest.raises(BadLineup, match="came in for place 1"):
        lineup.save(owner, live.id, of(players, 0, 1, 2, 3, 4, 5, 6, 7, 9))
    with pytest.raises(BadLineup, match="only return to place 1"):
        lineup.substitute(owner, live.id, 5, players[0].id)
    with pytest.raises(BadLineup, match="in the batting order does not exist"):
        lineup.substitute(owner, live.id, 12, players[10].id)


def test_everybody_comes_back_once_and_to_the_own_place(owner, live, players):
    starter, first = players[0], players[9]
    for player in (first, starter, first):
        lineup.substitute(owner, live.id, 1, player.id)
        play(owner, live.id, 1)
    for player, count in ((starter, 2), (first, 2)):
        story = repository.games.story(live.id).game
        entries = [*story.lineup, *story.substitutions]
        assert sum(entry["playerId"] == player.id for entry in entries) == count
    with pytest.raises(BadLineup, match="has already returned once"):
        lineup.substitute(owner, live.id, 1, starter.id)


def test_a_substitution_is_taken_back_until_its_place_has_batted(owner, live, players):
    lineup.substitute(owner, live.id, 3, players[9].id)
    assert lineup.take_back(owner, live.id).substitutions == []
    lineup.substitute(owner, live.id, 3, players[10].id)
    # Another one before anybody batted replaces the first.
    changed = lineup.substitute(owner, live.id, 3, players[9].id)
    assert [each["playerId"] for each in changed.substitutions] == [players[9].id]
    play(owner, live.id, 3)
    with pytest.raises(Impossible):
        lineup.take_back(owner, live.id)


def test_a_game_that_is_over_keeps_its_line_up(owner, live, players):
    games.move(owner, live.id, FINAL)
    for change in (
        lambda: lineup.save(owner, live.id, of(players)),
        lambda: lineup.substitute(owner, live.id, 1, players[9].id),
        lambda: lineup.take_back(owner, live.id),
    ):
        with pytest.raises(Impossible):
            change()


def test_two_managers_substitute_at_the_same_moment_and_both_or_one_is_told(owner, live, players):
    results = at_once(lambda number: lineup.substitute(owner, live.id, 4, players[9 + number].id), 2)
    stored = repository.games.of(live.id, strong=True).substitutions
    assert len(stored) == 1
    done = [result for result in results if not isinstance(result, Exception)]
    assert all(isinstance(result, Conflict) for result in results if isinstance(result, Exception))
    assert stored == max(done, key=lambda game: game.version).substitutions


def test_what_is_wrong_with_a_substitution_is_said_at_its_field(owner, live, players):
    browser = club.browser_of(owner)
    address = reverse("tracker:lineup-substitute", args=[live.id])
    page = browser.post(address, {"slot": "1", "player": players[1].id})
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["player"])
    assert browser.post(address, {"slot": "1", "player": players[9].id}).status_code == 302
    page = browser.post(address, {"slot": "4", "player": players[0].id})
    assert (page.status_code, "only return to place 1" in page.content.decode()) == (422, True)
    assert browser.post(address, {"take_back": "1"}).status_code == 302


def test_a_substitution_begins_with_nobody_chosen_and_leads_back_to_where_one_came_from(owner, live, players):
    browser = club.browser_of(owner)
    address = reverse("tracker:lineup-substitute", args=[live.id])
    lineup_page, scoring_page = (reverse(f"tracker:{name}", args=[live.id]) for name in ("lineup", "score"))
    form = browser.get(lineup_page).context["form"]
    assert [next(iter(form.fields[name].choices)) for name in form.fields] == [("", "Choose")] * 2
    refused = browser.post(address, {"slot": "", "player": ""})
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["slot", "player"])
    assert '<input type="hidden" name="back" value="score">' in browser.get(f"{lineup_page}?back=score").text
    done = browser.post(address, {"slot": "1", "player": players[9].id, "back": "score"})
    assert done.headers["Location"] == scoring_page
    assert browser.post(address, {"take_back": "1"}).headers["Location"] == lineup_page


def test_what_was_done_is_said(owner, live, players):
    browser = club.browser_of(owner)
    address = reverse("tracker:lineup-substitute", args=[live.id])
    for sent, told in (
        ({"slot": "1", "player": players[9].id}, "Substitution made."),
        ({"take_back": "1"}, "Substitution undone."),
    ):
        page = browser.post(address, sent, follow=True)
        assert [str(message) for message in page.context["messages"]] == [told]


def test_the_line_up_of_a_live_game_says_who_bats_now(owner, live, players):
    lineup.substitute(owner, live.id, 1, players[9].id)
    page = club.browser_of(owner).get(reverse("tracker:lineup", args=[live.id]))
    assert [batter.now for batter in page.context["batting"]] == ["Jan", *[""] * 8]
    assert "Now Jan" in page.text
    assert [batter.player.first_name for batter in page.context["bench"]] == ["Kai", "Lea", "Olivia"]


def test_whoever_is_put_in_from_the_bench_brings_the_usual_position(owner, team, game):
    ada = club.ghost(team, "Ada", 1, actor=owner, positions=["SS", "2B"])
    browser, address = club.browser_of(owner), reverse("tracker:lineup", args=[game.id])
    assert [batter.position for batter in browser.get(address).context["bench"]] == ["SS", ""]
    pressed = browser.post(address, {f"position-{ada.id}": "SS", "do": f"in:{ada.id}"})
    assert [batter.position for batter in pressed.context["batting"]] == ["SS"]
