"""Items of CivicForge in our tables, as its document shows them: read, changed, booked, and still theirs."""

import threading
import time
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from core.accounts.user import User
from core.dynamo import history
from core.dynamo.attributes import now, unwrap
from core.dynamo.search import search
from quests import repository
from quests.levels import level_of
from quests.models import COMPLETE, PAID, PENDING
from quests.months import month_of
from quests.repository.ledger import ELSEWHERE, OPENING, SETTLED
from quests.services import accounts, lifecycle, rewards
from tests.api.programs import Program
from tests.cast import CAST, sign_in
from tests.core.dynamo.streamed import run
from tests.other_programs import changed, edit_and_delete, everything, left_behind, query, store, stored
from tests.quests import other_program
from tests.quests.board import CREATOR, PERFORMER, STEWARD, account_of, open_accounts
from tests.quests.other_program import STATUSES, TABLES
from tests.quests.test_audit import audited

pytestmark = pytest.mark.usefixtures("db")
QUESTS = "/api/v1/quests"
KEYS = {"user": "userId", "quest": "questId", "reward": "recordId"}
STAMPS = {"updatedAt", "version"}


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


@pytest.fixture
def steward(theirs):
    return Program("steward")


def adopt(*options):
    told = StringIO()
    call_command("tables", "adopt", "--app", "quests", *options, stdout=told)
    return told.getvalue().splitlines()


def now_stored(kind, raw):
    return stored(TABLES[kind], **{KEYS[kind]: raw[KEYS[kind]]["S"]})


def citizen(number):
    return User.of(sub=f"user-{number:02d}", name=f"citizen{number:02d}", email="", groups=["member"])


def quest_with(theirs, status):
    return next(raw for raw in theirs["quest"] if raw["status"] == {"S": status})


def figures(user_id):
    account = repository.accounts.get(user_id, strong=True)
    return int(account.points), int(account.experience), int(account.reputation)


def rows(user_id, kind):
    found = [row for row in repository.ledger.booked(user_id) if row.kind == kind]
    return [(row.points, row.experience, row.reputation) for row in found]


def test_there_are_two_hundred(theirs):
    assert sum(map(len, theirs.values())) == 200


# --- Reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", STATUSES)
def test_every_quest_is_listed_and_told_with_the_fields_of_the_document(steward, theirs, status):
    wanted = {raw["questId"]["S"]: raw for raw in theirs["quest"] if raw["status"] == {"S": status}}
    listed = steward.get(f"{QUESTS}?status={status}").json()
    assert {quest["questId"] for quest in listed} == set(wanted)
    for key, raw in wanted.items():
        answer = steward.get(f"{QUESTS}/{key}")
        told, theirs_told = answer.json(), {name: unwrap(value) for name, value in raw.items()}
        moments = {name for name in theirs_told if name.endswith("At")}
        assert {name: told[name] for name in theirs_told.keys() - moments} == {
            name: theirs_told[name] for name in theirs_told.keys() - moments
        }
        assert answer["ETag"] == '"0"'


def test_every_person_and_failed_reward_is_told(steward, theirs):
    for raw in theirs["user"]:
        told = steward.get(f"{QUESTS}/users/{raw['userId']['S']}").json()
        for name in ("username", "reputation", "experience", "questCreationPoints"):
            assert told[name] == unwrap(raw[name])
        assert told["level"] == level_of(unwrap(raw["experience"])).number
        assert "processedRewardIds" not in told
    pending = [raw["recordId"]["S"] for raw in theirs["reward"] if raw["status"] == {"S": PENDING}]
    assert {each["recordId"] for each in steward.get(f"{QUESTS}/failed-rewards").json()} == set(pending)


def test_every_screen_shows_them(theirs):
    pages = sign_in(Client(), "steward")
    addresses = [f"/quests/?status={status.lower()}" for status in STATUSES]
    addresses += [f"/quests/{quest_with(theirs, status)['questId']['S']}/" for status in STATUSES]
    addresses += ["/quests/people/user-03/", "/quests/people/user-03/?show=booked", "/quests/leaders/"]
    addresses += ["/quests/desk/", "/quests/desk/rewards/", "/quests/desk/expiring/"]
    answers = {address: pages.get(address).status_code for address in addresses}
    assert answers == dict.fromkeys(addresses, 200)


def test_they_are_found_once_they_are_adopted(db):
    other_program.write()
    adopt()

    def found(text):
        return [hit.key for hit in search(text, ["quests"], may_see=lambda *_: True).hits]

    assert (found("street 147"), found("citizen07")) == (["quest-147"], ["user-07"])


# --- Changing -----------------------------------------------------------------------------------------------


def test_a_quest_of_theirs_goes_all_the_way_here(theirs):
    before = quest_with(theirs, "OPEN")
    key, creator, performer = before["questId"]["S"], citizen(0), citizen(5)
    edited = lifecycle.edit(creator, key, {"reward_xp": 300}, seen_version=0)
    assert changed(before, now_stored("quest", before)) == {"rewardXp"} | STAMPS

    lifecycle.claim(performer, key, seen=str(edited.version))
    lifecycle.submit(performer, key, text="Thirteen bags of it", photos=[])
    lifecycle.attest(creator, key)
    assert lifecycle.attest(performer, key).status == COMPLETE
    assert figures("user-05") == (12, 800, 60)
    told = now_stored("quest", before)
    assert (told["performerId"], told["status"]) == ({"S": "user-05"}, {"S": COMPLETE})
    assert [each["role"] for each in unwrap(told["attestations"])] == ["requestor", "performer"]


def test_a_quest_of_theirs_is_deleted_and_its_point_goes_back(theirs):
    before = quest_with(theirs, "OPEN")
    points, *_others = figures("user-00")
    lifecycle.delete(citizen(0), before["questId"]["S"])
    assert now_stored("quest", before) is None
    assert figures("user-00")[0] == points + 1
    # Of its eight offers this one is counted, or all are.
    assert int(repository.accounts.get("user-00", strong=True).quests_created) in (0, 7)


def test_their_failed_rewards_are_paid_once(theirs):
    """What a person's set names is paid already: here that of every other one."""
    rewards.reprocess(limit=1000)
    states = {raw["recordId"]["S"]: now_stored("reward", raw)["status"]["S"] for raw in theirs["reward"]}
    assert set(states.values()) == {PAID}
    # reward-002 and reward-022 are of user-02, reward-001 of user-01, who has it already.
    assert (figures("user-02")[1], figures("user-01")[1]) == (400, 100)
    rewards.reprocess(limit=1000)
    assert figures("user-02")[1] == 400


@pytest.mark.parametrize(("left", "paid"), [(300, 0), (-1, 1)])
def test_a_lease_of_theirs_counts_until_it_ends(db, left, paid):
    store(TABLES["user"], [other_program.user(2)])
    ends = int(time.time()) + left
    store(TABLES["reward"], [other_program.reward(2, leaseOwner="lambda-1", leaseExpiresAt=ends)])
    assert rewards.reprocess().succeeded == paid
    assert figures("user-02")[1] == 200 + 100 * paid


def test_each_of_the_two_hundred_is_changed_and_deleted(theirs):
    edit_and_delete(repository.quests, theirs["quest"], title="Clean up the riverside")
    edit_and_delete(repository.failed_rewards, theirs["reward"], error="Throttled")
    edit_and_delete(repository.accounts, theirs["user"], username="Somebody")
    assert [kind for kind in TABLES if list(everything(TABLES[kind]))] == []
    assert left_behind() == []


# --- Adopting -----------------------------------------------------------------------------------------------


def test_an_adoption_opens_the_ledger_with_their_balances(db):
    written = other_program.write()
    report = [
        "quest: 150 seen, 150 adopted, 0 already ours, 0 problems.",
        "account: 20 seen, 20 adopted, 0 already ours, 0 problems.",
    ]
    assert adopt("--dry-run") == [line.replace(" adopted", " would be adopted") for line in report]
    assert len(audited()) > 20
    assert adopt() == report
    assert audited() == ["All 20 accounts agree with the ledger."]

    assert rows("user-07", OPENING) == [(8, 700, 70)]
    settled = [row.entry_id for row in repository.ledger.booked("user-07") if row.kind == SETTLED]
    assert settled == ["BOOKED#older-007", "BOOKED#reward-007"]
    for raw in written["user"]:
        assert changed(raw, now_stored("user", raw)) <= {"version", "questsCreated", "questsCompleted"}
    for raw in written["quest"]:
        assert changed(raw, now_stored("quest", raw)) == {"version"}
    assert repository.ledger.leaders(month_of(now()), limit=50) == []
    assert [line.split(", ")[1] for line in adopt()] == ["0 adopted"] * 2
    assert audited() == ["All 20 accounts agree with the ledger."]


def test_a_long_set_of_paid_rewards_is_adopted_in_several_transactions(db):
    marks = {f"reward-{number:04d}" for number in range(130)}
    store(TABLES["user"], [other_program.user(3, processedRewardIds=marks)])
    adopt()
    assert len(rows("user-03", SETTLED)) == 130
    assert rows("user-03", OPENING) == [(7, 300, 30)]
    assert audited() == ["All 1 accounts agree with the ledger."]


def test_what_they_book_later_is_one_more_row_and_counts_for_the_month(db):
    store(TABLES["user"], [other_program.user(1), other_program.user(2)])
    adopt()
    other_program.award("user-01", "reward-900", xp=50, reputation=5)
    assert len(audited()) == 3

    adopt()

    assert audited() == ["Other programs have booked 1 times.", "All 2 accounts agree with the ledger."]
    assert rows("user-01", ELSEWHERE) == [(0, 50, 5)]
    (leader,) = repository.ledger.leaders(month_of(now()), limit=50)
    assert (leader.user_id, leader.experience) == ("user-01", 50)
    assert len(rows("user-01", SETTLED)) == 3


def test_what_they_book_later_comes_in_by_the_stream(streaming):
    """Also where they mark no reward, and change only figures and the time."""
    store(TABLES["user"], [other_program.user(1)])
    run()
    assert rows("user-01", OPENING) == [(9, 100, 10)]
    other_program.award("user-01", "reward-900", xp=50, reputation=5)
    run()
    assert rows("user-01", ELSEWHERE) == [(0, 50, 5)]
    spent = {":points": 1, ":now": "2026-11-19T12:00:01.000000+00:00"}
    spend = "SET questCreationPoints = questCreationPoints - :points, updatedAt = :now"
    other_program.update("user", {"userId": "user-01"}, spend, spent)
    run()
    assert rows("user-01", ELSEWHERE) == [(0, 50, 5), (-1, 0, 0)]
    assert audited()[-1] == "All 1 accounts agree with the ledger."


def test_what_is_booked_here_is_no_booking_of_theirs(streaming):
    open_accounts()
    quest = lifecycle.create(CREATOR, OFFERED, key="ours")
    lifecycle.claim(PERFORMER, quest.id)
    accounts.adjust_points(STEWARD, PERFORMER.sub, points=3, note="For the cake")
    before = account_of(PERFORMER).stored
    run()
    adopt()
    assert audited() == ["All 4 accounts agree with the ledger."]
    assert account_of(PERFORMER).stored == before
    assert [entry.verb for entry in history.entries("account", PERFORMER.sub).items] == ["create"]


def test_a_booking_of_theirs_in_between_is_not_lost(db, monkeypatch):
    """It may change nothing but a figure."""
    store(TABLES["user"], [other_program.user(1)])
    booked, done = repository.ledger.booked, []

    def meanwhile(user_id):
        if not done:
            done.append(user_id)
            other_program.update("user", {"userId": user_id}, "ADD experience :xp", {":xp": 50})
        return booked(user_id)

    monkeypatch.setattr(repository.ledger, "booked", meanwhile)
    adopt()

    assert (rows("user-01", OPENING), rows("user-01", ELSEWHERE)) == ([(9, 150, 10)], [])
    assert audited() == ["All 1 accounts agree with the ledger."]


def test_both_may_book_all_the_time(db):
    """They award while we open the ledger: nothing is lost and nothing is counted twice."""
    store(TABLES["user"], [other_program.user(number) for number in range(4)])
    over = threading.Event()

    def award():
        for number in range(40):
            other_program.award(f"user-{number % 4:02d}", f"late-{number:03d}", xp=10, reputation=1)
        over.set()

    awarding = threading.Thread(target=award)
    awarding.start()
    while not over.is_set():
        adopt()
        accounts.adjust_points(STEWARD, "user-01", points=1, note="In between")
    awarding.join()
    adopt()

    assert audited()[-1] == "All 4 accounts agree with the ledger."
    assert [figures(f"user-{number:02d}")[1:] for number in range(4)] == [
        (100 * number + 100, 10 * number + 10) for number in range(4)
    ]


# --- For them -----------------------------------------------------------------------------------------------

OFFERED = {"title": "Mend the net", "description": "The left one has three holes, the yarn is in the box."}


def test_what_we_write_is_found_by_the_patterns_of_the_document(theirs):
    open_accounts(CAST["member"])
    quest = lifecycle.create(CREATOR, OFFERED, key="ours")
    (open_ones, of_creator) = (
        query(TABLES["quest"], "StatusIndex", status="OPEN"),
        query(TABLES["quest"], "CreatorIndex", creatorId=CREATOR.sub),
    )
    assert len(open_ones) == 26
    assert [raw["questId"]["S"] for raw in of_creator] == [quest.id]
    ours = stored(TABLES["user"], userId=CREATOR.sub)
    assert (ours["questCreationPoints"], ours["experience"]) == ({"N": "9"}, {"N": "0"})
    # They claim, by the condition of the document; nobody else can.
    other_program.update(
        "quest",
        {"questId": "ours"},
        "SET performerId = :pid, #s = :claimed, claimedAt = :now",
        {":pid": "user-01", ":claimed": "CLAIMED", ":now": "2026-11-19T12:00:00+00:00", ":open": "OPEN"},
        ConditionExpression="#s = :open AND attribute_not_exists(performerId)",
        ExpressionAttributeNames={"#s": "status"},
    )
    assert repository.quests.get("ours", strong=True).performer_id == "user-01"
    for kind in ("quest", "reward"):
        names = {name for raw in theirs[kind] for name in changed(raw, now_stored(kind, raw))}
        assert names <= {"version"}
