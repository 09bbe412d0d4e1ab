"""One place on a roster: changed in its row or on a page, removed, brought back, parted from its person."""

import re

import pytest

from core.dynamo import history, metering
from core.dynamo.errors import AlreadyExists, Conflict
from core.dynamo.transactions import Transaction
from tests.racing import at_once
from tests.tracker.club import batting_order, browser_of, ghost, join, nine, person, team_of
from tests.tracker.scorebook import Played
from tracker import repository
from tracker.games.services import game_removal, games
from tracker.roster import services as roster
from tracker.roster.models import Player
from tracker.rules import lineups
from tracker.rules.box_scores import lines_in
from tracker.scoring.services import lineup, scoring
from tracker.teams.models import MANAGER, PERSONAL

pytestmark = pytest.mark.usefixtures("db")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def lena(team, owner):
    return ghost(team, "Lena", 12, last_name="Sommer", positions=["SS"], actor=owner)


@pytest.fixture
def browser(owner):
    return browser_of(owner)


def address_of(player, verb="edit"):
    return f"/tracker/teams/{player.team_id}/roster/{player.id}/{verb}/"


def stored(player):
    return repository.players.of(player.team_id, player.id, strong=True)


def typed(player, **fields):
    """What the form of a player sends."""
    first, second = [*(player.positions or []), "", ""][:2]
    return {
        "first_name": player.first_name,
        "last_name": player.last_name or "",
        "number": "" if player.number is None else int(player.number),
        "position": first,
        "second_position": second,
        "status": player.status,
        "version": player.seen_version,
        **fields,
    }


def linked(team, user, owner, **fields):
    return ghost(team, "Paul", is_ghost=False, user_id=user.sub, actor=owner, **fields)


def count_at_bats(player, number):
    transaction = Transaction()
    transaction.count(Player, player.raw_key(), "atBats", number, refused=lambda _stored: Conflict())
    transaction.commit()


def test_the_row_becomes_a_form_and_the_form_a_row_again(browser, lena):
    form = browser.get(address_of(lena), headers=HTMX).text
    assert re.findall(r"<(?:html|form)\b", form) == ["<form"]
    assert f'id="player-{lena.id}"' in form
    assert 'value="Lena"' in form

    row = browser.post(address_of(lena), typed(lena, number=14, second_position="2B"), headers=HTMX)
    assert row.status_code == 200
    assert f'id="player-{lena.id}"' in row.text
    assert "<form" not in row.text.partition("hx-swap-oob")[0]
    assert "SS · 2B" in row.text
    assert "data-focus" in row.text
    assert (stored(lena).number, stored(lena).positions) == (14, ["SS", "2B"])
    assert "14" in browser.get(f"{address_of(lena)}?show=row", headers=HTMX).text


def test_without_javascript_it_is_a_page_that_leads_back_to_the_roster(browser, lena):
    assert "<html" in browser.get(address_of(lena)).text
    response = browser.post(address_of(lena), typed(lena, last_name="", number="", position=""))

    assert response["Location"] == f"/tracker/teams/{lena.team_id}/roster/#player-{lena.id}"
    assert (stored(lena).name, stored(lena).number, stored(lena).positions) == ("Lena", None, [])


def test_a_save_is_four_requests(browser, lena):
    for headers in ({}, HTMX):
        with metering.metered() as cost:
            browser.post(address_of(lena), typed(stored(lena), number=20 + len(headers)), headers=headers)
        operations = [call.operation for call in cost.calls]
        # The last read of the block is the test's own.
        assert operations[-4:] == ["GetItem", "BatchGetItem", "GetItem", "TransactWriteItems"]
        assert len(operations) == 5


def test_what_is_wrong_is_said_in_the_row(browser, team, owner, lena):
    ghost(team, "Mia", 7, actor=owner)
    wrong = browser.post(address_of(lena), typed(lena, first_name=""), headers=HTMX)
    assert (wrong.status_code, "Enter a first name." in wrong.text) == (422, True)
    taken = browser.post(address_of(lena), typed(lena, number=7), headers=HTMX)
    assert taken.status_code == 409
    assert re.search(
        r'<label for="(\S+_number)">.*?Another player on this team has this number\..*?id="\1"',
        taken.text,
        re.DOTALL,
    )
    assert stored(lena).number == 12


def test_managers_who_change_to_the_same_number_at_once_one_wins(team, owner):
    players = [
        ghost(team, f"Player {letter}", number, actor=owner) for number, letter in enumerate("ABCDEFGH")
    ]

    def change(number):
        place = roster.allowed(owner, team.id, players[number].id)
        return roster.edit(place, {"number": 50}, seen_version=players[number].seen_version)

    answers = at_once(change, len(players))

    assert [type(answer) for answer in answers].count(AlreadyExists) == 7
    assert [each.number for each in repository.teams.roster(team.id).players].count(50) == 1


def test_a_change_that_somebody_has_not_seen_is_shown_before_it_is_replaced(browser, lena):
    browser.post(address_of(lena), typed(lena, number=13))
    stale = browser.post(address_of(lena), typed(lena, number=14), headers=HTMX)

    assert stale.status_code == 409
    assert "Now: 13 Lena Sommer SS." in stale.text
    assert stored(lena).number == 13
    (version,) = re.findall(r'name="version" value="(\d+)"', stale.text)
    browser.post(address_of(lena), typed(lena, number=14, version=version), headers=HTMX)
    assert stored(lena).number == 14


def test_who_becomes_inactive_gives_the_number_back_and_may_not_find_it_again(browser, team, owner, lena):
    browser.post(address_of(lena), typed(lena, status="inactive"))
    ghost(team, "Mia", 12, actor=owner)
    back = browser.post(address_of(lena), typed(stored(lena), status="active"))

    assert back.status_code == 409
    assert "Another player on this team has this number." in back.text


# --- The own place ------------------------------------------------------------------------------------------


def test_a_player_changes_the_own_place_and_nothing_that_only_managers_change(team, owner):
    paula = person("Paula")
    join(paula, team, actor=owner)
    own = linked(team, paula, owner, number=4)
    forged = {
        *("userId", "user_id", "isGhost", "is_ghost", "role", "atBats", "at_bats", "team_id", "teamId"),
    }
    posted = typed(own, first_name="Paola", last_name="Neu", number=5, position="C", is_private="on")
    response = browser_of(paula).post(
        address_of(own), posted | {"status": "inactive"} | dict.fromkeys(forged, "x")
    )

    assert response.status_code == 302
    now = stored(own)
    assert (now.name, now.number, now.positions, now.is_private) == ("Paola Neu", 5, ["C"], True)
    assert (now.status, now.is_ghost, now.user_id, now.at_bats, now.team_id) == (
        *("active", False, paula.sub),
        *(None, team.id),
    )
    assert 'name="status"' not in browser_of(paula).get(address_of(own)).text


def test_whoever_left_the_team_changes_nothing_any_more(team, owner):
    paula = person("Paula")
    membership = join(paula, team, actor=owner)
    own = linked(team, paula, owner)
    repository.memberships.update(membership, {"status": "inactive"}, actor=owner.actor)

    assert browser_of(paula).post(address_of(own), typed(own)).status_code == 404


def test_in_a_personal_team_only_the_own_name_and_number_can_be_changed(owner, browser):
    mine = team_of(owner, "Monday League", team_type=PERSONAL)
    (own,) = repository.teams.roster(mine.id).players
    browser.post(address_of(own), typed(own, number=9, status="inactive"))
    assert (stored(own).number, stored(own).status) == (9, "active")

    base = f"/tracker/teams/{mine.id}"
    refused = ["/roster/new/", "/roster/paste/", "/invitations/", "/invitations/new/"]
    refused += [f"/roster/{own.id}/{verb}/" for verb in ("remove", "restore", "unlink")]
    assert {browser.post(f"{base}{end}", {"text": "Max"}).status_code for end in refused} <= {403, 405}
    assert len(repository.teams.roster(mine.id).players) == 1


# --- Removing -----------------------------------------------------------------------------------------------


def test_a_ghost_without_plate_appearances_goes_to_the_trash_and_comes_back(browser, lena):
    assert "is deleted" in browser.get(address_of(lena, "remove")).text
    page = browser.post(address_of(lena, "remove"), follow=True)
    assert "Lena Sommer removed from the roster." in page.text
    assert f'action="{address_of(lena, "restore")}"' in page.text
    assert repository.teams.roster(lena.team_id).player(lena.id) is None

    page = browser.post(address_of(lena, "restore"), follow=True)
    assert "Lena Sommer is back on the roster." in page.text
    assert (stored(lena).number, stored(lena).positions) == (12, ["SS"])


def test_who_comes_back_has_no_number_if_somebody_else_has_it(browser, team, owner, lena):
    browser.post(address_of(lena, "remove"))
    ghost(team, "Mia", 12, actor=owner)
    browser.post(address_of(lena, "restore"))

    assert (stored(lena).name, stored(lena).number) == ("Lena Sommer", None)


def test_who_has_plate_appearances_becomes_inactive_instead(browser, team, owner, lena):
    count_at_bats(lena, 3)
    assert "becomes inactive" in browser.get(address_of(lena, "remove")).text
    page = browser.post(address_of(lena, "remove"), follow=True)

    assert "Lena Sommer is now inactive. The plate appearances stay." in page.text
    assert (stored(lena).status, stored(lena).at_bats) == ("inactive", 3)
    ghost(team, "Mia", 12, actor=owner)


def test_who_only_ran_for_somebody_counts_with_each_change_of_the_turn(browser):
    played = Played()
    rae = ghost(played.team, "Rae", 77, actor=played.owner)
    played.record("1B")
    ran = [{"playerId": rae.id, "from": 1, "to": 4}]
    turn = played.record("2B", runners=ran)
    assert lines_in(played.box())[rae.id].runs == 1
    assert stored(rae).at_bats == 1
    told = {"result": "2B", "player_id": turn.player_id}
    turn = scoring.correct(played.owner, played.id, turn.id, told, seen_version=turn.seen_version).at_bat
    assert stored(rae).at_bats == 0
    scoring.correct(
        played.owner, played.id, turn.id, {**told, "runners": ran}, seen_version=turn.seen_version
    )
    assert stored(rae).at_bats == 1
    scoring.undo(played.owner, played.id, turn.id)
    assert stored(rae).at_bats == 0
    scoring.restore(played.owner, played.id, turn.id)
    assert stored(rae).at_bats == 1
    trash_id = game_removal.delete(played.owner, played.id, confirmed=True)
    assert stored(rae).at_bats == 0
    game_removal.restore(played.owner, played.id, trash_id)
    assert stored(rae).at_bats == 1
    assert roster.remove(played.owner, played.team.id, rae.id).is_kept
    assert stored(rae).status == "inactive"


def test_who_stands_or_came_into_a_line_up_becomes_inactive_instead(browser):
    played = Played()
    rae = ghost(played.team, "Rae", 77, actor=played.owner)
    lineup.substitute(played.owner, played.id, 1, rae.id)
    for player in (played.batter(9), rae):
        assert "This player is in line-ups" in browser.get(address_of(player, "remove")).text
        assert roster.remove(played.owner, played.team.id, player.id).is_kept
        assert stored(player).status == "inactive"


def test_who_is_removed_while_a_line_up_is_saved_is_not_in_it(team, owner, monkeypatch):
    players = nine(team, actor=owner)
    game = games.create(owner, team.id, {})
    check = lineups.check

    def checked(*arguments, **options):
        check(*arguments, **options)
        roster.remove(owner, team.id, players[0].id)

    monkeypatch.setattr(lineups, "check", checked)
    with pytest.raises(Conflict):
        lineup.save(owner, game.id, batting_order(players))
    assert repository.games.of(game.id, strong=True).lineup == []


def test_a_plate_appearance_that_comes_while_somebody_removes_is_not_lost(owner, lena, monkeypatch):
    delete = repository.players.delete

    def too_late(player, **options):
        monkeypatch.undo()
        count_at_bats(player, 1)
        return delete(player, **options)

    monkeypatch.setattr(repository.players, "delete", too_late)
    removed = roster.remove(owner, lena.team_id, lena.id)

    assert removed.is_kept
    assert (stored(lena).status, stored(lena).at_bats) == ("inactive", 1)


def test_who_signs_in_is_unlinked_first(browser, team, owner):
    paula = person("Paula")
    own = linked(team, paula, owner)
    response = browser.post(address_of(own, "remove"))

    assert response.status_code == 409
    assert "Unlink the player first." in response.text
    assert stored(own).user_id == paula.sub


def test_what_is_sent_twice_is_removed_or_unlinked_once(browser, team, owner, lena):
    own = linked(team, person("Paula"), owner)
    for player, verb in ((lena, "remove"), (own, "unlink")):
        answers = [browser.post(address_of(player, verb), {"once": "key-1"}) for _time in range(2)]
        assert [response.status_code for response in answers] == [302, 302]
    assert browser.post(address_of(lena, "remove"), {"once": "key-2"}).status_code == 404
    assert browser.post(address_of(own, "unlink"), {"once": "key-2"}).status_code == 409


# --- Unlinking ----------------------------------------------------------------------------------------------


def test_unlinking_leaves_the_plate_appearances_and_frees_the_person(browser, team, owner):
    paula = person("Paula")
    join(paula, team, actor=owner)
    own = linked(team, paula, owner, number=4)
    count_at_bats(own, 5)
    assert [each.id for each in repository.players.of_person(paula.sub) if each.team_id == team.id] == [
        own.id
    ]
    page = browser.post(address_of(own, "unlink"), follow=True)

    assert "is now a ghost" in page.text
    now = stored(own)
    assert (now.is_ghost, now.user_id, now.linked_at, now.at_bats, now.number) == (True, None, None, 5, 4)
    assert [each.id for each in repository.players.of_person(paula.sub) if each.team_id == team.id] == []
    assert repository.memberships.of(paula.sub, team.id).is_active
    # Somebody may be linked to another player after that.
    linked(team, paula, owner, last_name="Zwei")
    (entry, *_earlier) = history.entries("player", repository.players.key_of(now)).items
    assert (entry.verb, entry.actor_name) == ("unlink", "Olga Example")


def test_the_person_leaves_the_team_with_it_when_that_is_chosen(browser, team, owner):
    paula = person("Paula")
    join(paula, team, actor=owner)
    own = linked(team, paula, owner)
    assert re.search(r'name="leaves" value="yes" checked', browser.get(address_of(own, "unlink")).text)
    browser.post(address_of(own, "unlink"), {"leaves": "yes"})

    assert not repository.memberships.of(paula.sub, team.id).is_active
    assert stored(own).is_ghost


def test_no_manager_makes_another_manager_or_the_owner_leave(team, owner):
    manager, other = person("Mara"), person("Nora")
    for each in (manager, other):
        join(each, team, MANAGER, actor=owner)
    browser = browser_of(manager)
    of_other = linked(team, other, owner)
    of_owner = repository.teams.roster(team.id).of_person(owner.sub)
    for player in (of_other, of_owner):
        assert 'name="leaves"' not in browser.get(address_of(player, "unlink")).text
        assert browser.post(address_of(player, "unlink"), {"leaves": "yes"}).status_code == 403
        assert not stored(player).is_ghost
    assert repository.memberships.of(owner.sub, team.id).is_active
