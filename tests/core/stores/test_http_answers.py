"""The outbound client: how large, how packed and how slow an answer may be."""

import gzip
import random
import tracemalloc

import pytest

from core.stores.http import FetchFailed
from core.stores.http.bounds import Caps
from tests.core.stores.conftest import Clock
from tests.core.stores.far_side import MINUTE, FarSide, Make, Reply


def test_an_answer_that_is_too_large_is_not_read_to_its_end(make: Make, far: FarSide) -> None:
    client = make(caps=Caps(most_bytes=100_000))
    far.reply = Reply(b"x" * 100_001)
    with pytest.raises(FetchFailed) as refusal:
        client.get(f"{far.origin}/large")
    assert refusal.value.reason == "too large"


def test_a_packed_answer_is_unpacked_only_as_far_as_it_may_be_large(make: Make, far: FarSide) -> None:
    client = make(caps=Caps(most_bytes=100_000))
    far.reply = Reply(gzip.compress(b"x" * 100_000), headers={"Content-Encoding": "gzip"})
    assert len(client.get(f"{far.origin}/fits").body) == 100_000

    far.reply = Reply(gzip.compress(b"x" * 50_000_000), headers={"Content-Encoding": "gzip"})
    tracemalloc.start()
    with pytest.raises(FetchFailed) as refusal:
        client.get(f"{far.origin}/packed")
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refusal.value.reason == "too large"
    assert peak < 10_000_000


@pytest.mark.parametrize(
    ("body", "encoding", "reason"),
    [
        (gzip.compress(gzip.compress(b"{}")), "gzip, gzip", "packed in another way"),
        (b"{}", "br", "packed in another way"),
        (b"{}", "gzip", "cannot be unpacked"),
        (gzip.compress(b"{}")[:-1], "gzip", "cannot be unpacked"),
        (gzip.compress(b"{}") + b"more", "gzip", "cannot be unpacked"),
    ],
    ids=["twice", "unknown", "not at all", "cut off", "with more behind it"],
)
def test_an_answer_may_be_packed_once_and_whole(
    make: Make, far: FarSide, body: bytes, encoding: str, reason: str
) -> None:
    far.reply = Reply(body, headers={"Content-Encoding": encoding})
    with pytest.raises(FetchFailed) as refusal:
        make().get(f"{far.origin}/packed")

    assert refusal.value.reason == reason
    assert far.headers[0]["Accept-Encoding"] == "gzip"


def test_no_request_brings_what_an_earlier_answer_asked_to_keep(make: Make, far: FarSide) -> None:
    client = make()
    far.reply = Reply(headers={"Set-Cookie": "session=1; Path=/"})
    for page in ("a", "b"):
        client.get(f"{far.origin}/{page}", priority="user")

    assert [headers.get("Cookie") for headers in far.headers] == [None, None]


def test_an_answer_too_large_to_keep_leaves_the_earlier_one(make: Make, far: FarSide, clock: Clock) -> None:
    """Otherwise nothing would be left to serve in need, and those who wait for it would go without."""
    client = make(caps=Caps(most_bytes=1_000_000), ttl_seconds=60)
    client.get(f"{far.origin}/picture")
    clock.pass_ms(MINUTE)
    far.reply = Reply(random.Random(1).randbytes(600_000))

    answers = [client.get(f"{far.origin}/picture") for _again in range(2)]
    assert [(answer.json(), answer.is_stale) for answer in answers] == [({"answer": 42}, True)] * 2
    with pytest.raises(FetchFailed) as refusal:
        client.get(f"{far.origin}/another")
    assert (refusal.value.reason, refusal.value.status) == ("too large to keep", 200)


def test_as_much_as_is_read_can_be_kept_even_if_it_does_not_pack(make: Make, far: FarSide) -> None:
    far.reply = Reply(random.Random(1).randbytes(Caps().most_bytes))
    client = make()
    for priority in ("user", "background"):
        assert client.get(f"{far.origin}/picture", priority=priority).body == far.reply.body

    assert far.asked == ["/picture"]


def test_what_packs_well_may_be_larger(make: Make, far: FarSide) -> None:
    far.reply = Reply(b"x" * 1_000_000)
    client = make(caps=Caps(most_bytes=1_000_000))
    for _again in range(2):
        assert len(client.get(f"{far.origin}/list").body) == 1_000_000

    assert far.asked == ["/list"]


def test_an_answer_that_drips_is_given_up(make: Make, far: FarSide) -> None:
    far.reply = Reply(b"x" * 40, pieces=40, pause=0.05)
    with pytest.raises(FetchFailed) as refusal:
        make(caps=Caps(total_seconds=0.2)).get(f"{far.origin}/slow")
    assert refusal.value.reason == "too slow"


@pytest.mark.parametrize(("status", "lines"), [(200, 10_000), (302, 300)])
def test_headers_that_drip_and_redirects_that_dawdle_are_given_up(
    make: Make, far: FarSide, status: int, lines: int
) -> None:
    """Every line and every redirect comes in time, all together do not."""
    far.reply = Reply(status=status, headers={"Location": "/elsewhere"}, drips=lines, pause=0.001)
    with pytest.raises(FetchFailed) as refusal:
        make(caps=Caps(total_seconds=1)).get(f"{far.origin}/slow")

    assert refusal.value.reason == "too slow"
    assert far.dripped < 5_000


def test_no_answer_is_given_up(make: Make, far: FarSide) -> None:
    far.may_answer.clear()
    with pytest.raises(FetchFailed) as refusal:
        make(caps=Caps(read_seconds=0.1)).get(f"{far.origin}/hangs")
    far.may_answer.set()
    assert refusal.value.reason == "ReadTimeout"
