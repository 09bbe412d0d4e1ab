"""The outbound client: fresh answers from the cache, one request for all, never too often."""

import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django import Settings

from config.engines.dynoxide import Dynoxide
from core.dynamo import metering
from core.dynamo.errors import TooManyRequests, Unavailable
from core.stores.cache import CacheStore
from core.stores.capacity import AdaptiveSettings
from core.stores.http import FetchFailed
from core.stores.http.bounds import Caps
from core.stores.interfaces import Decision, Limit
from tests.awaiting import eventually
from tests.core.stores.conftest import Clock
from tests.core.stores.far_side import MINUTE, FarSide, Make, Reply

# --- Cache, then dedupe, then limit, then the request


def test_an_answer_is_asked_for_once_while_it_is_fresh(make: Make, far: FarSide, clock: Clock) -> None:
    client = make(ttl_seconds=300, headers={"X-Api-Key": "abc"})
    first = client.get(f"{far.origin}/teams", {"b": 2, "a": True})
    clock.pass_ms(299_999)
    second = client.get(f"{far.origin}/teams", {"a": True, "b": 2})

    assert first == second
    assert (first.status, first.json(), first.is_stale) == (200, {"answer": 42}, False)
    assert far.asked == ["/teams?a=true&b=2"]
    assert far.headers[0]["X-Api-Key"] == "abc"
    clock.pass_ms(1)
    client.get(f"{far.origin}/teams", {"a": True, "b": 2})
    assert len(far.asked) == 2


def test_what_is_not_there_is_remembered_too(make: Make, far: FarSide) -> None:
    far.reply = Reply(b"", status=404)
    client = make()

    assert [client.get(f"{far.origin}/none").status for _again in range(2)] == [404, 404]
    assert len(far.asked) == 1


def test_24_threads_ask_once(make: Make, far: FarSide) -> None:
    client = make()
    far.may_answer.clear()
    with ThreadPoolExecutor(24) as pool:
        answers = [pool.submit(client.get, f"{far.origin}/teams") for _thread in range(24)]
        assert eventually(lambda: far.asked, bool) == ["/teams"]
        far.may_answer.set()
        assert {answer.result(60).body for answer in answers} == {b'{"answer": 42}'}
    assert far.asked == ["/teams"]


def test_who_looked_before_another_one_finished_does_not_ask_again(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    make().get(f"{far.origin}/teams")
    late = make()
    look, seen = late._cached, [None]
    monkeypatch.setattr(late, "_cached", lambda key: seen.pop() if seen else look(key))

    assert late.get(f"{far.origin}/teams").json() == {"answer": 42}
    assert len(far.asked) == 1


def test_what_it_costs(make: Make, far: FarSide) -> None:
    client = make()

    def cost(**options: Any) -> list[str]:
        with metering.metered() as meter:
            client.get(f"{far.origin}/teams", **options)
        return meter.operations

    # Look, register, look again, turn, keep, complete.
    asked = ["GetItem", "UpdateItem", "GetItem", "UpdateItem", "BatchWriteItem", "UpdateItem"]
    assert cost(priority="user") == asked
    assert cost() == ["GetItem"]


def test_people_and_jobs_share_the_limit(make: Make, far: FarSide) -> None:
    client = make(limit=Limit(10, MINUTE))
    waits: list[int | None] = []

    def ask(priority: str) -> int:
        asked = 0
        for _try in range(12):
            try:
                client.get(f"{far.origin}/{len(far.asked)}-{priority}", priority=priority)
                asked += 1
            except TooManyRequests as refusal:
                waits.append(refusal.retry_after)
        return asked

    assert (ask("background"), ask("user")) == (5, 5)
    assert len(far.asked) == 10
    assert set(waits) == {63}


def test_a_redirect_takes_a_place_of_its_own(make: Make, far: FarSide) -> None:
    client = make(limit=Limit(3, MINUTE))
    far.reply = Reply(status=302, headers={"Location": "/again"})
    with pytest.raises(TooManyRequests):
        client.get(f"{far.origin}/teams", priority="user")

    assert far.asked == ["/teams", "/again", "/again"]


def test_a_person_does_not_wait_for_the_turn_of_a_job(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    client = make(limit=Limit(10, MINUTE))
    for page in range(5):
        client.get(f"{far.origin}/{page}")
    asked_by_a_person = []

    def meanwhile(seconds: float) -> None:
        """The share of jobs is used up, so one sleeps; people have places left."""
        asked_by_a_person.append(client.get(f"{far.origin}/teams", priority="user"))
        clock.pass_ms(round(seconds * 1000))

    monkeypatch.setattr(
        "core.stores.http.client.time", SimpleNamespace(monotonic=time.monotonic, sleep=meanwhile)
    )
    answer = client.get(f"{far.origin}/teams", patience_seconds=100)

    assert asked_by_a_person == [answer]
    assert far.asked.count("/teams") == 1, "who waited finds what the person got"


def test_a_person_does_not_wait_for_the_answer_to_a_job_either(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, person = make(), make()
    take, answers = job.limits.acquire, []

    def acquire(*arguments: Any) -> Decision:
        answers.append(person.get(f"{far.origin}/teams", priority="user").status)
        return take(*arguments)

    monkeypatch.setattr(job.limits, "acquire", acquire)

    assert (job.get(f"{far.origin}/teams").status, answers) == (200, [200])


def test_who_asks_with_a_job_that_is_refused_is_told_when_to_come_back(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, waiter = make(limit=Limit(1, MINUTE)), make(limit=Limit(1, MINUTE))
    owner.get(f"{far.origin}/1", priority="user")
    take, is_asked, waits = owner.limits.acquire, Event(), Event()

    def acquire(*arguments: Any) -> Decision:
        is_asked.set()
        assert waits.wait(30)
        return take(*arguments)

    look = waiter._jobs.wait_for
    monkeypatch.setattr(owner.limits, "acquire", acquire)
    monkeypatch.setattr(waiter._jobs, "wait_for", lambda *key, **how: (waits.set(), look(*key, **how))[1])
    with ThreadPoolExecutor(2) as pool:
        refused = [pool.submit(owner.get, f"{far.origin}/2", priority="user")]
        assert is_asked.wait(30)
        refused.append(pool.submit(waiter.get, f"{far.origin}/2", priority="user"))
        for answer in refused:
            with pytest.raises(TooManyRequests) as refusal:
                answer.result(60)
            assert refusal.value.retry_after == 63


def test_a_job_may_wait_for_its_turn(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    client = make(limit=Limit(1, MINUTE), shares=AdaptiveSettings(min_user_reserved=0))
    monkeypatch.setattr(
        "core.stores.http.client.time.sleep", lambda seconds: clock.pass_ms(round(seconds * 1000))
    )
    client.get(f"{far.origin}/1")
    with pytest.raises(TooManyRequests):
        client.get(f"{far.origin}/2", patience_seconds=10)

    assert client.get(f"{far.origin}/2", patience_seconds=100).status == 200


# --- When the far side is busy or down


@pytest.mark.parametrize(
    ("status", "retry_after", "seconds"),
    [
        (429, "120", 120),
        (503, formatdate(1_800_000_090, usegmt=True), 90),
        (429, "", 60),
        (503, "soon", 60),
        (429, "9999999", 3600),
        (429, "Fri, 31 Dec 9999 23:59:59 -2359", 60),
    ],
)
def test_a_far_side_that_asks_for_rest_gets_it(
    make: Make, far: FarSide, clock: Clock, status: int, retry_after: str, seconds: int
) -> None:
    far.reply = Reply(status=status, headers={"Retry-After": retry_after})
    client = make()
    with pytest.raises(FetchFailed) as refusal:
        client.get(f"{far.origin}/teams")
    assert refusal.value.status == status

    far.reply = Reply()
    with pytest.raises(TooManyRequests) as rest:
        make().get(f"{far.origin}/other", priority="user")
    assert rest.value.retry_after == seconds
    clock.pass_ms(seconds * 1000 - 1)
    with pytest.raises(TooManyRequests):
        client.get(f"{far.origin}/teams")
    assert len(far.asked) == 1
    clock.pass_ms(1)
    assert client.get(f"{far.origin}/teams").status == 200


def test_an_earlier_answer_serves_while_the_far_side_is_down(make: Make, far: FarSide, clock: Clock) -> None:
    client = make(ttl_seconds=60, stale_seconds=3600)
    fresh = client.get(f"{far.origin}/teams")
    clock.pass_ms(MINUTE)
    far.reply = Reply(status=500)
    stale = client.get(f"{far.origin}/teams")
    assert (stale.is_stale, stale.body, stale.fetched_at) == (True, fresh.body, fresh.fetched_at)

    far.reply = Reply(status=302, headers={"Location": "https://maintenance.example/"})
    assert client.get(f"{far.origin}/teams").is_stale is True
    far.stop()
    assert client.get(f"{far.origin}/teams").is_stale is True
    clock.pass_ms(3600 * 1000)
    with pytest.raises(FetchFailed, match="is not responding"):
        client.get(f"{far.origin}/teams")


def test_those_who_wait_for_a_failure_are_told_too(make: Make, far: FarSide) -> None:
    client = make()
    far.reply = Reply(status=500)
    far.may_answer.clear()
    with ThreadPoolExecutor(2) as pool:
        owner = pool.submit(client.get, f"{far.origin}/teams")
        assert eventually(lambda: far.asked, bool)
        waiter = pool.submit(client.get, f"{far.origin}/teams")
        far.may_answer.set()
        for answer in (owner, waiter):
            with pytest.raises(FetchFailed):
                answer.result(60)


def test_an_earlier_answer_serves_while_another_one_takes_too_long(
    make: Make, far: FarSide, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make(ttl_seconds=60)
    client.get(f"{far.origin}/teams")
    clock.pass_ms(MINUTE)
    monkeypatch.setattr(client, "_lease_seconds", 0.1)
    far.may_answer.clear()
    with ThreadPoolExecutor(1) as pool:
        owner = pool.submit(client.get, f"{far.origin}/teams")
        assert eventually(lambda: far.asked[1:], bool)
        assert client.get(f"{far.origin}/teams").is_stale is True
        far.may_answer.set()
        assert owner.result(60).is_stale is False


def test_those_who_wait_do_so_as_long_as_the_owner_has_time(make: Make) -> None:
    client = make(caps=Caps(total_seconds=20))

    assert client._lease_seconds == 65, "the request, looking up names and asking DynamoDB"
    assert client._jobs._lease_ms == 65_000


def test_an_answer_that_cannot_be_kept_is_given_all_the_same(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make()

    def fails(*_arguments: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(client._cache, "set_many", fails)

    assert client.get(f"{far.origin}/teams").json() == {"answer": 42}
    assert client._jobs.stats().pending_jobs == 0, "those who wait are told"


def test_a_rest_outlasts_the_cache(make: Make, far: FarSide) -> None:
    client = make()
    far.reply = Reply(status=429, headers={"Retry-After": "600"})
    with pytest.raises(FetchFailed):
        client.get(f"{far.origin}/teams", priority="user")
    CacheStore().clear()

    with pytest.raises(TooManyRequests):
        client.get(f"{far.origin}/teams", priority="user")
    assert len(far.asked) == 1


def test_without_dynamodb_nothing_is_asked(make: Make, far: FarSide, own_engine: Dynoxide) -> None:
    client = make()
    own_engine.kill()
    with pytest.raises(Unavailable):
        client.get(f"{far.origin}/teams")

    assert far.asked == []


def test_a_site_of_one_process_needs_no_table(make: Make, far: FarSide, settings: Settings) -> None:
    settings.STORES = "memory"
    client = make()
    with metering.metered() as meter:
        for _again in range(3):
            client.get(f"{far.origin}/teams")

    assert (len(far.asked), meter.requests) == (1, 0)
