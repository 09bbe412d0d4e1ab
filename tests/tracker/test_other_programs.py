"""Items of HackTracker in our table, as its document shows them: read, changed, scored, and still theirs."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from core.accounts.user import User
from core.dynamo.attributes import unwrap
from core.dynamo.errors import Conflict
from tests.cast import CAST, sign_in
from tests.core.dynamo.streamed import run
from tests.other_programs import changed, edit_and_delete, everything, left_behind, query, store, stored
from tests.tracker import other_program
from tests.tracker.other_program import GAMES, PLAYERS, TABLE, TEAMS, uuid
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS
from tracker.games.services import game_removal, games
from tracker.people import services as people
from tracker.roster import services as roster
from tracker.scoring import game_writing
from tracker.scoring.services import lineup, scoring
from tracker.teams.services import invitations, members, teams

pytestmark = pytest.mark.usefixtures("db")
KINDS = {
    "tracker-user": repository.profiles,
    "tracker-team": repository.teams,
    "membership": repository.memberships,
    "player": repository.players,
    "tracker-game": repository.games,
}
STAMPS = {"updatedAt", "version"}
# What an adoption adds to each.
ADDED = {
    "tracker-user": {"version"},
    "tracker-team": {"version", "refs"},
    "membership": {"version", "GSI3PK", "GSI3SK"},
    "player": {"version", "GSI4PK", "GSI4SK", "lineUps"},
    "tracker-game": {"version"},
}
TEAM = uuid("team", 0)


def not_adopted():
    return other_program.write()


def adopted():
    written = other_program.write()
    adopt()
    return written


@pytest.fixture(params=[not_adopted, adopted], ids=lambda make: make.__name__)
def theirs(filled_once, request):
    """What they have stored."""
    return filled_once(request.param)


def adopt(*options):
    told = StringIO()
    call_command("tables", "adopt", "--app", "tracker", *options, stdout=told)
    return told.getvalue().splitlines()


def person(number):
    """The person who has signed in there with this number; the first ones own a team."""
    email = f"person{number}@example.com"
    return User.of(sub=uuid("user", number), name=f"John Doe{number}", email=email, groups=["member"])


OWNER, SCOREKEEPER, STRANGER = person(0), person(5), person(17)


def now_stored(raw):
    return stored(TABLE, PK=raw["PK"]["S"], SK=raw["SK"]["S"])


def changed_in(kind, raw):
    return changed(raw, now_stored(raw)) - (ADDED[kind] - STAMPS)


def game_of(number, team=0):
    return uuid("game", team, number)


def raw_game(theirs, number, team=0):
    return next(raw for raw in theirs["tracker-game"] if raw["gameId"]["S"] == game_of(number, team))


def test_there_are_two_hundred(theirs):
    assert sum(map(len, theirs.values())) == 200


# --- Reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_read_as_it_is(theirs, kind):
    for raw in theirs[kind]:
        item = KINDS[kind].get(KINDS[kind].key_of(KINDS[kind].model.from_raw_data(raw)), strong=True)
        assert item.seen_version == 0
        for name, attribute in KINDS[kind].model.get_attributes().items():
            if attribute.attr_name in raw and "NULL" not in raw[attribute.attr_name] and name != "lineup":
                assert item.serialize_value(name, getattr(item, name)) == raw[attribute.attr_name]


def test_the_team_with_its_roster_and_games_is_listed(theirs):
    everybody = {user.id for user in repository.profiles.all(limit=100).items}
    assert everybody == {raw["userId"]["S"] for raw in theirs["tracker-user"]}
    assert len(repository.teams.all(limit=100).items) == TEAMS
    assert [each.number for each in repository.teams.roster(TEAM).players] == [*range(1, PLAYERS + 1)]
    listed = repository.games.listed(TEAM, newest_first=True, limit=100).items
    assert {game.id for game in listed} == {game_of(number) for number in range(GAMES)}
    assert set(repository.profiles.belonging(OWNER.sub).active) == {TEAM}


def test_games_between_two_days_are_found_by_their_start(theirs):
    first = datetime(2026, 11, 4, tzinfo=UTC)
    found = repository.games.between(TEAM, first, first + timedelta(days=3))
    assert [game.id for game in found] == [game_of(number) for number in (3, 4, 5)]


def test_a_line_up_of_ids_is_a_batting_order(theirs):
    order = repository.games.of(game_of(1)).lineup
    assert [(entry["playerId"], entry["battingOrder"]) for entry in order] == [
        (uuid("player", 0, number), number + 1) for number in range(9)
    ]


def test_every_screen_shows_them(theirs):
    pages = sign_in(Client(), "admin")
    team, game = f"/tracker/teams/{TEAM}/", f"/tracker/games/{game_of(1)}/"
    month = f"{team}games/calendar/?month=2026-11"
    screens = [team, f"{team}roster/", f"{team}games/", month, f"{team}members/", f"{team}statistics/"]
    screens += [f"{team}players/{uuid('player', 0, 0)}/", f"{team}document.json"]
    screens += [game, f"{game}lineup/", f"{game}box/", f"{game}history/"]
    screens += ["/tracker/all/people/", "/tracker/all/teams/", "/tracker/all/games/"]
    answers = {screen: pages.get(screen).status_code for screen in screens}
    assert answers == dict.fromkeys(screens, 200)
    assert "Portland Pioneers 3" in pages.get(month).content.decode()


# --- Changing -----------------------------------------------------------------------------------------------


def test_a_change_changes_only_what_was_changed(theirs):
    team, player = theirs["tracker-team"][0], theirs["player"][3]
    user, game = theirs["tracker-user"][0], raw_game(theirs, 0)
    teams.edit(
        OWNER, TEAM, {"name": "Tacoma Sluggers", "description": "Best team in Seattle"}, seen_version=0
    )
    place = roster.allowed(OWNER, TEAM, uuid("player", 0, 3))
    roster.edit(place, {"first_name": "Jane", "last_name": "", "number": 4}, seen_version=0)
    people.edit_profile(OWNER, OWNER.sub, {"first_name": "Jane", "phone_number": ""}, seen_version=0)
    games.edit(SCOREKEEPER, game_of(0), {"opponent_name": "Salem", "location": "Lincoln Park Field 3"})

    assert changed_in("tracker-team", team) == {"name"} | STAMPS
    assert changed_in("player", player) == {"firstName"} | STAMPS
    assert changed_in("tracker-user", user) == {"firstName", "phoneNumber"} | STAMPS
    assert changed_in("tracker-game", game) == {"opponentName"} | STAMPS
    with pytest.raises(Conflict):
        teams.edit(OWNER, TEAM, {"name": "Olympia Sluggers"}, seen_version=0)


def test_a_member_gets_another_role_and_leaves(theirs):
    before = next(raw for raw in theirs["membership"] if raw["userId"]["S"] == SCOREKEEPER.sub)
    members.change_role(OWNER, TEAM, SCOREKEEPER.sub, "manager", seen_version=0)
    assert changed_in("membership", before) == {"role"} | STAMPS
    members.leave(SCOREKEEPER, TEAM)
    assert now_stored(before)["status"] == {"S": "inactive"}


def test_a_ghost_of_theirs_is_linked_by_an_invitation(theirs):
    ghost = theirs["player"][4]
    invited = invitations.invite(OWNER, TEAM, player_id=ghost["playerId"]["S"], email="", role="player")
    invitations.accept(STRANGER, invited.invitation)
    after = now_stored(ghost)
    assert (after["userId"], after["isGhost"]) == ({"S": STRANGER.sub}, {"BOOL": False})
    assert query(TABLE, "GSI4", GSI4PK=f"USER#{STRANGER.sub}") == [after]


def test_a_game_of_theirs_is_scored_to_its_end(theirs):
    before = raw_game(theirs, 3)
    games.move(SCOREKEEPER, game_of(3), IN_PROGRESS)
    turn = {"player_id": uuid("player", 0, 0), "result": "HR", "inning": 1, "outs": 0, "batting_order": 1}
    scoring.record(SCOREKEEPER, game_of(3), turn, seen=0)
    games.move(SCOREKEEPER, game_of(3), FINAL)
    after = now_stored(before)
    assert (after["teamScore"], after["status"]) == ({"N": "1"}, {"S": FINAL})
    assert after["lineup"] == before["lineup"]
    (at_bat,) = query(TABLE, "GSI5", GSI5PK=f"PLAYER#{uuid('player', 0, 0)}", GSI5SK="ATBAT#")
    assert at_bat["result"] == {"S": "HR"}


def test_a_line_up_of_theirs_is_changed(theirs):
    order = [uuid("player", 0, number) for number in (8, 7, 6, 5, 4, 3, 2, 1, 0)]
    typed = [{"playerId": each, "battingOrder": place, "position": ""} for place, each in enumerate(order, 1)]
    seen = game_writing.fingerprint(repository.games.of(game_of(3)), lineup.FIELDS)
    lineup.save(OWNER, game_of(3), typed, seen=seen)
    assert [each["playerId"] for each in unwrap(now_stored(raw_game(theirs, 3))["lineup"])] == order


# --- Deleting -----------------------------------------------------------------------------------------------


def test_a_game_comes_back_as_it_was(theirs):
    before = raw_game(theirs, 4)
    trash_id = game_removal.delete(OWNER, game_of(4))
    assert now_stored(before) is None
    game_removal.restore(OWNER, game_of(4), trash_id)
    assert changed_in("tracker-game", before) <= STAMPS


def test_a_ghost_who_is_in_no_game_is_deleted_and_comes_back(theirs):
    ghost, batter = theirs["player"][10], theirs["player"][5]
    roster.remove(OWNER, TEAM, ghost["playerId"]["S"])
    assert now_stored(ghost) is None
    roster.restore(OWNER, TEAM, ghost["playerId"]["S"])
    assert changed_in("player", ghost) <= {"version"}
    adopt()
    roster.remove(OWNER, TEAM, batter["playerId"]["S"])
    assert now_stored(batter)["status"] == {"S": "inactive"}


def test_a_team_is_deleted_for_thirty_days(theirs):
    teams.delete(OWNER, TEAM, seen_version=0)
    assert changed_in("tracker-team", theirs["tracker-team"][0]) > {"status", "deletedAt"}
    teams.restore(OWNER, TEAM)
    assert now_stored(theirs["tracker-team"][0])["status"] == {"S": "active"}


def test_each_of_the_two_hundred_is_changed_and_deleted(theirs):
    edit_and_delete(repository.games, theirs["tracker-game"], opponent_name="Salem")
    edit_and_delete(repository.players, theirs["player"], first_name="Jane")
    edit_and_delete(repository.memberships, theirs["membership"], role="player")
    edit_and_delete(repository.teams, theirs["tracker-team"], name="Tacoma Sluggers")
    edit_and_delete(repository.profiles, theirs["tracker-user"], first_name="Jane")
    assert [raw["SK"]["S"] for raw in everything(TABLE) if not raw["SK"]["S"].startswith("BOX#")] == []
    assert left_behind() == []


# --- Adopting -----------------------------------------------------------------------------------------------


def test_an_adoption_adds_our_keys_and_touches_nothing_of_theirs(db):
    written = other_program.write()
    report = {f"{kind}: {len(raws)} seen, {len(raws)} adopted" for kind, raws in written.items()}
    told = adopt()
    assert {line.partition(", 0 already")[0] for line in told if " 0 seen" not in line} == report
    assert [line for line in told if "0 problems." not in line] == []

    for kind, raws in written.items():
        for raw in raws:
            assert changed(raw, now_stored(raw)) <= ADDED[kind]
    assert {each.user_id for each in repository.memberships.of_team(TEAM)} == {
        uuid("user", number) for number in (0, 5, 10)
    }
    assert [each.team_id for each in repository.players.of_person(OWNER.sub)] == [TEAM]
    boxes = repository.boxes.of_team(TEAM)
    assert {(box.game_id, box.runs) for box in boxes} == {
        (game_of(number), number if number % 3 == 1 else 0) for number in range(GAMES)
    }
    assert rebuilt() == ["Every box score and every count is what was written down."]
    assert [line for line in adopt() if ", 0 adopted, " not in line] == []


def rebuilt():
    told = StringIO()
    call_command("tracker", "rebuild", "--dry-run", stdout=told)
    return told.getvalue().splitlines()


def test_a_number_that_two_players_have_is_named(db):
    store(TABLE, [other_program.team(0)])
    twice = [other_program.player(0, number) | {"playerNumber": 7} for number in (1, 2)]
    store(TABLE, twice)
    (problem,) = (line for line in adopt() if "belongs to" in line)
    assert problem.startswith("player TEAM#")
    for raw in twice:
        place = roster.allowed(CAST["admin"], TEAM, raw["playerId"])
        roster.edit(place, {"first_name": "Jane", "number": 7}, seen_version=0)


def test_what_arrives_later_comes_in_by_the_stream(streaming):
    store(TABLE, [other_program.team(0), other_program.membership(0), other_program.player(0, 0)])
    (raw,) = store(TABLE, [other_program.game(0, 1, lineup=[])])
    run()
    (box,) = repository.boxes.of_team(TEAM)
    assert (box.runs, [each.user_id for each in repository.memberships.of_team(TEAM)]) == (1, [OWNER.sub])

    other_program.update(raw, "SET teamScore = :runs", {":runs": 12})
    run()
    (box,) = repository.boxes.of_team(TEAM)
    assert box.runs == 12


# --- For them -----------------------------------------------------------------------------------------------


def test_what_we_write_is_found_by_the_patterns_of_the_document(theirs):
    game = games.create(OWNER, TEAM, {"opponent_name": "Salem"})
    ghost = roster.add(OWNER, TEAM, {"first_name": "New", "number": 77})
    of_team = query(TABLE, "GSI3", GSI3PK=f"TEAM#{TEAM}", GSI3SK="GAME#")
    assert len(of_team) == GAMES + 1
    ours = next(raw for raw in of_team if raw["gameId"]["S"] == game.id)
    assert (ours["status"], ours["lineup"], ours["teamScore"]) == ({"S": "SCHEDULED"}, {"L": []}, {"N": "0"})
    assert stored(TABLE, PK=f"GAME#{game.id}", SK="METADATA") == ours
    assert len(query(TABLE, "GSI2", GSI2PK="ENTITY#GAME")) == GAMES * TEAMS + 1
    roster_of_team = query(TABLE, PK=f"TEAM#{TEAM}", SK="PLAYER#")
    assert ghost.id in {raw["playerId"]["S"] for raw in roster_of_team}
    assert len(query(TABLE, PK=f"USER#{OWNER.sub}", SK="TEAM#")) == 1
    assert len(query(TABLE, "GSI1", GSI1PK=f"COGNITO#{OWNER.sub}", GSI1SK="USER")) == 1
    for kind, raws in theirs.items():
        names = {name for raw in raws for name in changed(raw, now_stored(raw))}
        assert names <= ADDED[kind]
