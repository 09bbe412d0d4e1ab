"""How long an answer is waited for when the machine is busy, and when DynamoDB is silent."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest
from django.test import Client, override_settings

from config.engines.dynoxide import Dynoxide
from core.dynamo import pressure, queries, transport
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.support_table import SupportItem
from tests.bench import busy as busy_bench
from tests.cast import sign_in

KEY = {"PK": {"S": "1"}, "SK": {"S": "1"}}
Pressure = Callable[[float], None]
AS_IN_PRODUCTION = override_settings(DYNAMODB_READ_SECONDS=0.7, DYNAMODB_REQUEST_SECONDS=2.5)


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Pressure:
    """`busy(share)`: in this share of all time some task on the machine waits for a processor."""

    def set_share(share: float) -> None:
        monkeypatch.setattr(pressure, "stalled", lambda: time.monotonic() * share)

    return set_share


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def waited(ours: socket.socket, seconds: float) -> tuple[bool, float, float]:
    """Whether there was an answer, what was forgiven, and how long it took."""
    started = time.monotonic()
    has_answer, forgiven = transport._wait_for_answer(ours, seconds)
    return has_answer, forgiven, time.monotonic() - started


def test_silence_on_an_idle_machine_is_waited_for_as_long_as_told(
    pair: tuple[socket.socket, socket.socket], busy: Pressure
) -> None:
    busy(0)

    has_answer, forgiven, seconds = waited(pair[0], 0.2)

    assert (has_answer, forgiven) == (False, 0)
    assert seconds >= 0.2


def test_silence_on_a_busy_machine_is_forgiven_to_a_limit(
    pair: tuple[socket.socket, socket.socket], busy: Pressure
) -> None:
    busy(1)

    has_answer, forgiven, seconds = waited(pair[0], 0.2)

    assert (has_answer, forgiven) == (False, pytest.approx(0.6))
    assert seconds >= 0.8


def test_an_answer_that_is_late_on_a_busy_machine_is_still_taken(
    pair: tuple[socket.socket, socket.socket], busy: Pressure
) -> None:
    busy(1)
    ours, theirs = pair
    late = Timer(0.4, theirs.sendall, [b"x"])
    late.start()

    has_answer, forgiven, _seconds = waited(ours, 0.2)
    late.join()

    assert has_answer
    assert 0.2 < forgiven <= 0.6


def test_a_prompt_answer_asks_nothing_of_the_machine_and_costs_nothing(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pressure, "stalled", lambda: pytest.fail("not asked for"))
    ours, theirs = pair
    theirs.sendall(b"x")

    assert transport._wait_for_answer(ours, 0.7) == (True, 0.0)
    with request_deadline(2.5) as remaining:
        transport._charge(0.09)
        assert remaining.left == 2.5


def test_what_is_forgiven_is_not_charged_and_runs_out() -> None:
    with request_deadline(1) as remaining:
        remaining.spend(2, forgiven=1.5)
        assert (remaining.left, remaining.forgivable) == (0.5, 1.5)
        assert not remaining.used_up


def test_slow_answers_cost_nothing_while_the_machine_is_busy(proxy: FaultProxy, busy: Pressure) -> None:
    proxy.faults = Faults(latency=150)

    def read_four() -> None:
        with request_deadline(0.6):
            for _call in range(4):
                queries.get(SupportItem, KEY)

    busy(1)
    read_four()
    busy(0)
    with pytest.raises(Unavailable):
        read_four()


def test_a_hang_on_a_busy_machine_ends_in_bounded_time(proxy: FaultProxy, busy: Pressure) -> None:
    proxy.faults = Faults(hang=1)
    busy(1)
    started = time.monotonic()

    with request_deadline(0.3), pytest.raises(Unavailable):
        queries.get(SupportItem, KEY)

    # 0.3 s of its own and three times as much that is forgiven; the rest is for a busy machine of tests.
    assert 1.1 < time.monotonic() - started < 60


@pytest.mark.slow
def test_with_every_core_busy_no_page_is_refused_and_no_write_is_lost() -> None:
    outcome = busy_bench.measure(1000, 8)

    assert (outcome.unavailable, outcome.errors, outcome.lost, outcome.doubled) == (0, 0, 0, 0)
    assert outcome.creates > 0
    assert outcome.saves > 0


@pytest.mark.slow
@AS_IN_PRODUCTION
def test_an_engine_that_gets_no_processor_for_three_seconds_is_waited_for(
    client: Client, own_engine: Dynoxide
) -> None:
    sign_in(client, "member")
    # Two loops for each core: one of them always waits, as the engine would.
    with busy_bench.busy_cores(), busy_bench.busy_cores():
        own_engine.pause()
        resumed = Timer(3, own_engine.resume)
        resumed.start()
        response = client.get("/desk/")
        resumed.join()

    assert response.status_code == 200


@pytest.mark.slow
@AS_IN_PRODUCTION
def test_with_every_core_busy_an_engine_that_hangs_still_gives_503(
    client: Client, own_engine: Dynoxide
) -> None:
    sign_in(client, "member")
    with busy_bench.busy_cores():
        own_engine.pause()
        started = time.monotonic()
        response = client.get("/desk/")
        seconds = time.monotonic() - started
        own_engine.resume()
        assert response.status_code == 503
        # 2.5 s of its own, 7.5 s that may be forgiven, and time for the page itself.
        assert seconds < 60
        assert client.get("/desk/").status_code == 200


def test_the_kernel_tells_how_long_tasks_waited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "cpu.pressure"
    told.write_text("some avg10=71.70 avg60=50.23 avg300=16.65 total=2500000\nfull avg10=0.00 total=0\n")

    monkeypatch.setattr(pressure, "FILES", (tmp_path / "none", told))
    assert pressure.stalled() == 2.5
    monkeypatch.setattr(pressure, "FILES", (tmp_path / "none",))
    assert pressure.stalled() == 0
    assert isinstance(pressure.stalled(), float)
