"""The dedupe store: what is asked for many times at once is done once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from core.dynamo import maintenance, metering
from core.dynamo.errors import TooLarge
from core.dynamo.faults import FaultProxy, Faults
from core.stores.codecs import Codec, JSONCodec, SignedPickleCodec
from core.stores.config import StoreConfig
from core.stores.dedupe import DedupeStore
from core.stores.errors import AlreadyInProgress, InvalidKey, JobFailed, JobLost, StoreClosed, WaitedTooLong
from core.stores.interfaces import DedupeStats
from core.stores.models import StoreItem
from tests.awaiting import eventually
from tests.core.stores.conftest import Clock
from tests.racing import at_once


@pytest.fixture
def store(config: StoreConfig, clock: Clock) -> DedupeStore:
    return DedupeStore(config, clock=clock)


def test_a_job_is_registered_done_and_its_result_is_there_for_all(store: DedupeStore) -> None:
    assert store.is_in_progress("hash") is False
    job_id = store.register("hash")
    assert store.is_in_progress("hash") is True
    store.complete("hash", {"answer": 42}, job_id=job_id)

    assert store.is_in_progress("hash") is False
    assert store.wait_for("hash") == {"answer": 42}
    assert store.wait_for("hash") == {"answer": 42}


def test_without_a_job_there_is_nothing_to_wait_for(store: DedupeStore) -> None:
    assert store.wait_for("hash") is None


def test_while_a_job_is_under_way_nobody_else_registers(store: DedupeStore) -> None:
    store.register("hash")
    with pytest.raises(AlreadyInProgress):
        store.register("hash")

    assert store.register("another hash")


def test_a_job_that_is_done_may_be_registered_again(store: DedupeStore) -> None:
    for _again in range(2):
        store.complete("hash", 1, job_id=store.register("hash"))

    assert store.register("hash")


def test_whoever_joins_learns_whose_job_it_is_and_what_came_of_it(store: DedupeStore) -> None:
    first = store.register_or_join("hash")
    second = store.register_or_join("hash")
    assert (first.is_owner, second.is_owner) == (True, False)
    assert second.job_id == first.job_id

    store.complete("hash", "result", job_id=first.job_id)
    third = store.register_or_join("hash")
    assert (third.is_owner, third.job.status, third.job.result) == (False, "completed", "result")


def test_a_stored_error_is_raised_to_those_who_wait_and_the_next_may_try(store: DedupeStore) -> None:
    store.fail("hash", ValueError("the far side said no"), job_id=store.register("hash"))

    with pytest.raises(JobFailed, match="the far side said no"):
        store.wait_for("hash")
    again = store.register_or_join("hash")
    assert (again.is_owner, again.job.attempt) == (True, 2)


def test_an_owner_that_crashed_loses_its_job_when_its_lease_ends(store: DedupeStore, clock: Clock) -> None:
    crashed = store.register("hash")
    clock.pass_ms(29_999)
    assert store.register_or_join("hash").is_owner is False
    clock.pass_ms(1)

    assert store.is_in_progress("hash") is False
    with pytest.raises(WaitedTooLong):
        store.wait_for("hash")
    heir = store.register_or_join("hash")
    assert (heir.is_owner, heir.job.attempt) == (True, 2)
    for late in (
        lambda: store.complete("hash", "late", job_id=crashed),
        lambda: store.fail("hash", ValueError("late"), job_id=crashed),
    ):
        with pytest.raises(JobLost):
            late()
    store.complete("hash", "by the heir", job_id=heir.job_id)
    assert store.wait_for("hash") == "by the heir"


def test_a_job_can_be_finished_once(store: DedupeStore) -> None:
    with pytest.raises(JobLost):
        store.complete("hash", 1, job_id="nobody's")
    job_id = store.register("hash")
    store.complete("hash", 1, job_id=job_id)
    with pytest.raises(JobLost):
        store.fail("hash", ValueError("after all"), job_id=job_id)
    with pytest.raises(JobLost):
        store.complete("hash", 2, job_id=job_id)

    assert store.wait_for("hash") == 1


def test_a_job_whose_time_is_over_cannot_be_finished(store: DedupeStore, clock: Clock) -> None:
    job_id = store.register("hash")
    clock.pass_ms(300_000)

    with pytest.raises(JobLost):
        store.complete("hash", 1, job_id=job_id)
    with pytest.raises(JobLost):
        store.fail("hash", ValueError("late"), job_id=job_id)
    assert store.wait_for("hash") is None


def test_a_result_is_kept_for_five_minutes(store: DedupeStore, clock: Clock) -> None:
    store.complete("hash", 1, job_id=store.register("hash"))
    clock.pass_ms(299_999)
    assert store.wait_for("hash") == 1
    clock.pass_ms(1)

    assert store.wait_for("hash") is None
    assert store.register_or_join("hash").is_owner is True


def test_a_result_that_is_too_large_fails_the_job(store: DedupeStore) -> None:
    job_id = store.register("hash")
    with pytest.raises(TooLarge):
        store.complete("hash", "x" * 400 * 1024, job_id=job_id)
    with pytest.raises(JobFailed, match="too large"):
        store.wait_for("hash")


def test_waiting_ends_when_its_time_is_up(config: StoreConfig) -> None:
    store = DedupeStore(config)
    store.register("hash")
    with pytest.raises(WaitedTooLong):
        store.wait_for("hash", timeout_seconds=0.05)


def test_the_numbers_count_jobs_by_state(config: StoreConfig, clock: Clock) -> None:
    store = DedupeStore(config, lifetime_ms=60_000, clock=clock)
    store.complete("old", 1, job_id=store.register("old"))
    clock.pass_ms(62_000)
    store.complete("done", 1, job_id=store.register("done"))
    store.fail("failed", ValueError(), job_id=store.register("failed"))
    store.register("pending")

    assert store.stats() == DedupeStats(4, 1, 1, 1, 1)
    assert store.clean_up() == 1
    assert store.stats() == DedupeStats(3, 1, 1, 1, 0)


def test_a_closed_store_refuses_everything(store: DedupeStore) -> None:
    store.close()
    uses: list[Callable[[], Any]] = [
        lambda: store.register("hash"),
        lambda: store.register_or_join("hash"),
        lambda: store.complete("hash", 1, job_id="x"),
        lambda: store.is_in_progress("hash"),
        lambda: store.wait_for("hash"),
        lambda: store.run("hash", int),
        store.clean_up,
        store.stats,
    ]
    for use in uses:
        with pytest.raises(StoreClosed):
            use()


def test_a_hash_that_makes_no_sense_is_refused(store: DedupeStore) -> None:
    with pytest.raises(InvalidKey):
        store.register("")


# --- run: register, do, complete, or wait


def test_24_threads_do_it_once_and_all_get_the_result(config: StoreConfig) -> None:
    store = DedupeStore(config)
    done: list[int] = []
    others_came = Event()

    def work() -> str:
        done.append(1)
        assert others_came.wait(30)
        return "result"

    def ask(number: int) -> Any:
        if number == 0:
            # By now somebody owns the job; the rest must join while it is under way.
            eventually(lambda: store.is_in_progress("hash"), bool)
            others_came.set()
        return store.run("hash", work)

    assert at_once(ask, 24) == ["result"] * 24
    assert done == [1]


def test_24_threads_register_and_one_of_them_owns(store: DedupeStore) -> None:

    def register(_number: int) -> str | None:
        try:
            return store.register("hash")
        except AlreadyInProgress:
            return None

    owners = [job_id for job_id in at_once(register, 24) if job_id is not None]
    assert len(owners) == 1


def test_those_who_wait_for_work_that_fails_are_told_and_do_not_repeat_it(config: StoreConfig) -> None:
    store = DedupeStore(config)
    done: list[int] = []
    waiting = Event()

    def work() -> None:
        done.append(1)
        assert waiting.wait(30)
        raise ValueError("no")

    with ThreadPoolExecutor(2) as pool:
        owner = pool.submit(store.run, "hash", work)
        assert eventually(lambda: store.is_in_progress("hash"), bool)
        waiter = pool.submit(store.wait_for, "hash")
        waiting.set()
        with pytest.raises(ValueError, match="no"):
            owner.result(30)
        with pytest.raises(JobFailed, match="no"):
            waiter.result(30)
    assert done == [1]


def test_whoever_lost_the_job_while_working_still_gets_what_the_work_gave(
    store: DedupeStore, clock: Clock
) -> None:
    def work() -> str:
        clock.pass_ms(30_000)
        store.register("hash")
        return "result"

    assert store.run("hash", work) == "result"


def test_whoever_lost_the_job_while_working_still_gets_the_error_of_the_work(
    store: DedupeStore, clock: Clock
) -> None:
    def work() -> None:
        clock.pass_ms(30_000)
        store.register("hash")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.run("hash", work)


# --- In DynamoDB


@pytest.fixture
def stored(db: object, clock: Clock) -> DedupeStore:
    return DedupeStore(clock=clock)


def test_each_operation_is_one_request(stored: DedupeStore) -> None:
    def cost(use: Callable[[], Any]) -> tuple[list[str], float]:
        with metering.metered() as meter:
            use()
        return meter.operations, meter.units

    assert cost(lambda: stored.register_or_join("hash")) == (["UpdateItem"], 2)
    job_id = stored.register_or_join("hash").job_id
    assert cost(lambda: stored.register_or_join("hash")) == (["UpdateItem"], 0), "a refusal tells no units"
    assert cost(lambda: stored.is_in_progress("hash")) == (["GetItem"], 1)
    assert cost(lambda: stored.complete("hash", 1, job_id=job_id)) == (["UpdateItem"], 1)
    assert cost(lambda: stored.wait_for("hash")) == (["GetItem"], 1)
    assert cost(lambda: stored.run("hash", int)) == (["UpdateItem"], 0)
    assert cost(lambda: stored.run("another", int)) == (["UpdateItem"] * 2, 3)


def test_a_job_looks_as_the_document_says_but_for_its_constant_sort_key(
    stored: DedupeStore, clock: Clock
) -> None:
    job_id = stored.register("abc")
    clock.pass_ms(1_500)
    stored.complete("abc", [1], job_id=job_id)

    (item,) = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    assert item == {
        "PK": {"S": "DEDUPE#abc"},
        "SK": {"S": "JOB"},
        "TTL": {"N": "1800000302"},
        "GSI1PK": {"S": "EXPIRES#DEDUPE"},
        "GSI1SK": {"S": "1800000302#DEDUPE#abc"},
        "jobId": {"S": job_id},
        "attempt": {"N": "1"},
        "expiresAt": {"N": "1800000301500"},
        "Data": {
            "M": {
                "status": {"S": "completed"},
                "result": {"S": "[1]"},
                "createdAt": {"N": "1800000000000"},
                "updatedAt": {"N": "1800000001500"},
            }
        },
    }


def test_a_result_that_cannot_be_read_any_more_is_none(db: object, settings: Any) -> None:
    store = DedupeStore(codec=SignedPickleCodec())
    for hash in ("joined", "run"):
        store.complete(hash, b"old", job_id=store.register(hash))
    settings.SECRET_KEY = "another" * 10

    assert store.wait_for("joined") is None
    assert store.is_in_progress("joined") is False
    registration = store.register_or_join("joined")
    assert (registration.is_owner, registration.job.attempt) == (True, 2)
    assert store.register_or_join("joined").is_owner is False
    assert store.run("run", lambda: b"new") == b"new"


def test_counting_jobs_opens_no_result(stored: DedupeStore, clock: Clock) -> None:
    signed = DedupeStore(codec=SignedPickleCodec(), clock=clock)
    signed.complete("hash", b"x", job_id=signed.register("hash"))

    assert stored.stats() == DedupeStats(1, 0, 1, 0, 0)


@pytest.mark.parametrize("codec", [JSONCodec(), SignedPickleCodec()])
def test_a_lost_answer_makes_nobody_lose_their_own_job(proxy: FaultProxy, codec: Codec) -> None:
    store = DedupeStore(StoreConfig(max_retries=30, retry_delay_ms=1), codec=codec)
    for number in range(10):
        proxy.faults = Faults(lost_answer=0.4)
        job_id = store.register(f"hash {number}")
        store.complete(f"hash {number}", "result", job_id=job_id)
        proxy.faults = Faults()
        assert store.wait_for(f"hash {number}") == "result"
    assert proxy.injected["lost_answer"] > 0
    store.close()
