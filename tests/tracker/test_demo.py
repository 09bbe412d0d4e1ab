"""The example teams: believable, complete, loaded once, and exactly what scoring would have written."""

from collections import Counter
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils.timezone import localdate

from config.engines.dynoxide import Dynoxide
from core.accounts import demo as accounts
from core.accounts.cast import CAST
from core.accounts.user import User
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.example_data import read
from tests import engine_tables
from tests.connecting import connected_to
from tracker import demo, repository
from tracker.demo import played
from tracker.demo.played import id_of
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED
from tracker.games.services import games
from tracker.items import INACTIVE
from tracker.people import services as people
from tracker.roster.models import SUB
from tracker.rules import box_scores, game_states, season_rules
from tracker.rules.replay import Appearance, replay
from tracker.scoring import rules
from tracker.scoring.services import scoring
from tracker.teams.models import ACCEPTED, DECLINED, PENDING
from tracker.teams.services import invitations

PEOPLE = {
    person.given_name: User.of(
        sub=f"{person.given_name}-sub", name=person.name, email=person.email, groups=[person.group or ""]
    )
    for person in CAST
}
MAVERICKS, FOXES = id_of("team", "mavericks"), id_of("team", "foxes")
OWN = people.own_id(PEOPLE["Milan"].sub, "team")
GAMES = {key: read(demo.__file__, f"games_{key}") for key in ("mavericks", "foxes")}
(LIVE,) = [game for game in GAMES["mavericks"] if game["status"] == "in_progress"]


@pytest.fixture
def demo_people(monkeypatch):
    monkeypatch.setattr(accounts, "people", lambda: PEOPLE)


@pytest.fixture(scope="module")
def _filled():
    """An engine with the example teams, and what loading them cost: most share it, for it takes long."""
    with Dynoxide() as engine, connected_to(engine.endpoint), pytest.MonkeyPatch.context() as patched:
        engine_tables.make(engine)
        patched.setattr(accounts, "people", lambda: PEOPLE)
        with metering.metered() as cost:
            demo.load()
        yield engine, cost


@pytest.fixture
def loaded(_filled, demo_people):
    """The example teams for a test that changes nothing."""
    engine, cost = _filled
    with connected_to(engine.endpoint):
        yield cost


def games_of(*team_ids):
    return [game for team_id in team_ids for game in repository.games.of_team(team_id, limit=100).items]


def everything():
    """Every record with its version: what a second load must not change."""
    items = [repository.teams.of(id_of("team", "friday"), strong=True)]
    for team_id in (MAVERICKS, FOXES, OWN):
        roster = repository.teams.roster(team_id, strong=True)
        items += [repository.teams.of(team_id, strong=True), *roster.players, *roster.seasons]
        items += [*repository.memberships.of_team(team_id), *repository.invitations.of_team(team_id)]
        for game in games_of(team_id):
            story = repository.games.story(game.id, strong=True)
            items += [story.game, *story.at_bats, *story.answers]
    revisions = {box.game_id: int(box.revision) for box in repository.boxes.of_team(MAVERICKS)}
    return {(item.pk, item.sk): int(item.version) for item in items}, revisions


def test_a_second_load_changes_nothing_and_none_takes_many_requests(loaded):
    before = everything()
    assert len(before[0]) > 480
    assert len(loaded.calls) < 800

    demo.load()

    assert everything() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "step",
    [
        "scoring.services.lineup.substitute",
        "games.services.availability.answer",
        "teams.services.invitations.decline",
        "teams.services.teams.delete",
    ],
)
def test_an_interrupted_load_is_finished_by_the_next_one(db, demo_people, monkeypatch, step):
    with monkeypatch.context() as broken:
        broken.setattr(f"tracker.{step}", lambda *_args, **_options: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            demo.load()
    demo.load()

    assert Counter(game.status for game in games_of(MAVERICKS, FOXES)) == {
        FINAL: 11,
        SCHEDULED: 7,
        IN_PROGRESS: 1,
        POSTPONED: 1,
    }
    assert repository.teams.of(id_of("team", "friday"), strong=True).is_recoverable()


def test_what_is_stored_is_what_was_written_down(loaded, capsys):
    call_command("tracker", "rebuild", "--dry-run")

    assert "Every box score and every count is what was written down." in capsys.readouterr().out
    for team_id in (MAVERICKS, FOXES, OWN):
        stories = [repository.games.story(game.id) for game in games_of(team_id)]
        counted = Counter(each.player_id for story in stories for each in story.at_bats)
        players = repository.teams.roster(team_id).players
        assert {p.id: int(p.at_bats or 0) for p in players if p.at_bats} == counted


def test_many_plate_appearances_at_once_are_what_scoring_records_one_by_one(db, demo_people):
    demo.load()
    sina = PEOPLE["Sina"]
    live = repository.games.story(id_of("game", LIVE["key"]))
    games.move(sina, live.game.id, FINAL)
    other = games.create(sina, MAVERICKS, {"season_id": live.game.season_id, "is_home": True})
    played.begin(sina, other, live.game.lineup)
    for number, told in enumerate(live.at_bats):
        scoring.record(sina, other.id, {name: getattr(told, name) for name in rules.ENTERED}, seen=number)

    again = repository.games.story(other.id)

    assert [facts(each) for each in again.at_bats] == [facts(each) for each in live.at_bats]
    assert (
        box_scores.box_of(again.game, again.at_bats).lines == box_scores.box_of(live.game, live.at_bats).lines
    )
    assert again.game.team_score == live.game.team_score


def facts(at_bat):
    own = {"PK", "SK", "atBatId", "gameId", "GSI5SK", "version", "createdAt", "updatedAt"}
    return {name: value for name, value in at_bat.stored.items() if name not in own}


def test_ten_games_are_scored_and_can_have_been_played_like_that_but_for_one_that_does_not_add_up(loaded):
    final = [game for game in games_of(MAVERICKS, FOXES) if game.status == FINAL]
    stories = [repository.games.story(game.id) for game in final]
    scored = [story for story in stories if story.at_bats]
    assert (len(final), len(scored)) == (11, 10)

    results = Counter(each.result for story in scored for each in story.at_bats)
    assert {"1B", "2B", "3B", "HR", "BB", "K", "GO", "FO", "LO", "PO", "FC", "DP", "SF", "SH", "E"} <= set(
        results
    )
    assert results.total() > 350
    hit = [each for story in scored for each in story.at_bats if each.hit_location]
    assert len(hit) > 200
    assert all(0 <= each.hit_location[axis] <= 1 for each in hit for axis in "xy")
    outcomes = Counter(game_states.outcome(game) for game in final)
    assert min(outcomes["won"], outcomes["lost"]) >= 3
    for story in scored:
        assert story.game.substitutions
        assert all(each.created_at < now() for each in story.at_bats)
        assert season_rules.from_stored(story.game.rules).innings == 7
    (wrong,) = [game for game in GAMES["mavericks"] if "corrected_to" in game]
    told = {story.game.id: box_scores.box_of(story.game, story.at_bats) for story in stories}
    unbalanced = {
        game_id: (box.imbalance, len(box.problems))
        for game_id, box in told.items()
        if box.imbalance or box.problems
    }
    assert unbalanced == {id_of("game", wrong["key"]): (1, 2)}
    for team_id, low, high in ((MAVERICKS, 0.3, 0.6), (FOXES, 0.2, 0.42)):
        for season in repository.teams.roster(team_id).seasons:
            kept = repository.boxes.of_season(team_id, season.id)
            line = sum(
                (line for box in kept for line in box_scores.lines_in(box).values()), box_scores.Line()
            )
            assert low < line.average < high, (season.name, float(line.average))


def test_a_game_is_live_and_shared_and_others_are_to_come_this_week_next_week_later_and_some_day(loaded):
    (live,) = [game for game in games_of(MAVERICKS, FOXES) if game.status == IN_PROGRESS]
    box = box_scores.box_of(live, repository.games.story(live.id).at_bats)

    assert (box.inning, box.outs) == (4, 1)
    assert box.on_base
    assert repository.games.shared_as(games.live_token(live)).id == live.id
    assert timedelta(0) < now() - live.scheduled_start < timedelta(hours=1)
    coming = [game for game in games_of(MAVERICKS) if game.status == SCHEDULED]
    days = [(localdate(g.scheduled_start) - localdate()).days if g.scheduled_start else None for g in coming]
    soon = repository.games.story(id_of("game", "m8"))

    assert sorted(days, key=str) == [2, 37, 9, None]
    assert len(soon.game.lineup) == 10
    assert {answer.answer for answer in soon.answers} == {"yes", "maybe", "no"}
    assert len({answer.player_id for answer in soon.answers}) < 14


def test_rosters_have_everybody_whom_they_can_have_with_invitations_in_every_state(loaded):
    for team_id in (MAVERICKS, FOXES):
        roster = repository.teams.roster(team_id).players
        assert 12 <= len(roster) <= 16
        assert len([player for player in roster if player.is_private]) == 1
        assert len([player for player in roster if player.status == SUB]) == 1
        assert [bool(player.at_bats) for player in roster if player.status == INACTIVE] == [True]
        assert len([player for player in roster if player.is_ghost]) > 6
        roles = {member.role for member in repository.memberships.of_team(team_id)}
        assert roles == {"owner", "manager", "scorekeeper", "player"}
    made = repository.invitations.of_team(MAVERICKS)

    assert Counter(each.status for each in made) == {PENDING: 3, ACCEPTED: 4, DECLINED: 1}
    assert [each.is_open() for each in made if each.status == PENDING].count(False) == 1
    assert [each.team.id for each in invitations.waiting_for(PEOPLE["Leandro"])] == [MAVERICKS]
    own = repository.boxes.of_team(OWN)
    line = sum((line for box in own for line in box_scores.lines_in(box).values()), box_scores.Line())

    assert (len(own), line.plate_appearances, line.hits, line.runs) == (3, 12, 7, 2)
    assert repository.teams.of(id_of("team", "friday")).is_recoverable()


def test_each_play_stands_in_the_inning_with_the_outs_and_the_batter_that_follow_from_those_before_it():
    for team in read(demo.__file__, "teams"):
        league = season_rules.PRESETS[team["preset"]][1]
        for game in GAMES[team["key"]]:
            order = game.get("lineup", [])
            before = []
            for turn in played.turns(order, game.get("plays", ())):
                box = replay(before, league, slots=len(order))
                assert (turn["inning"], turn["outs"]) == (box.inning, box.outs)
                assert turn["batting_order"] == box.next_slot
                moves = box_scores.moves_in(turn["runners"]) if "runners" in turn else None
                before.append(
                    Appearance(turn["number"], box.next_slot, turn["player_id"], turn["result"], moves)
                )


def test_without_a_local_user_pool_there_is_nothing(db, settings):
    settings.COGNITO_ENDPOINT = None
    demo.load()

    assert repository.teams.all().items == []
