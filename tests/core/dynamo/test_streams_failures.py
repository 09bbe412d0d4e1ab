"""A change that cannot be handled stops no other: it is put aside with its images, to be handled later."""

import base64
import os
import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Unavailable
from core.dynamo.streams import Change, failures, handlers, on
from core.dynamo.streams.worker import Worker
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.fake_streams import FakeStreams
from tests.core.dynamo.streamed import Notice, notices
from tests.core.dynamo.streamed_changes import TABLE, create, run, seen_by

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")


class TestAChangeThatCannotBeHandled:
    @pytest.fixture(autouse=True)
    def bad(self, streaming: Dynoxide, no_other_handlers: None, alice: Actor) -> list[str]:
        """Its handler fails as long as it is in here."""
        bad = ["b"]
        self.tried: list[str] = []

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            key = change.image["id"]["S"]
            self.tried.append(key)
            if key in bad:
                raise ValueError("no such thing")

        create(alice, "a", "b", "c")
        run("--once")
        return bad

    def test_is_tried_again_and_then_put_aside_so_that_others_are_handled(self) -> None:
        assert self.tried == ["a", *["b"] * failures.ATTEMPTS, "c"]
        lines = run("failed").splitlines()
        assert len(lines) == 2
        assert lines[0].startswith(f"{TABLE} 2: INSERT of ")
        assert lines[0].endswith(": ValueError: no such thing")
        assert lines[1] == "1 changes were put aside."

    def test_can_be_handled_later(self, bad: list[str]) -> None:
        with pytest.raises(CommandError, match=r"^1 changes still cannot be handled; see the lines above\.$"):
            run("retry")
        assert run("failed").endswith("1 changes were put aside.\n")

        bad.clear()
        assert run("retry") == "1 changes were handled.\n"

        assert self.tried[-1] == "b"
        assert run("failed") == "0 changes were put aside.\n"


def test_two_images_larger_than_one_item_are_kept_in_several_where_there_is_no_bucket(alice: Actor) -> None:
    """Chance cannot be compressed: both images together take half a megabyte."""
    before, after = (base64.b64encode(os.urandom(190_000)).decode() for _image in range(2))
    seen: list[tuple[str, ...]] = []
    is_broken = threading.Event()
    is_broken.set()

    @on("notice", "MODIFY")
    def modify(change: Change) -> None:
        if is_broken.is_set():
            raise ValueError("not now")
        seen.append(tuple(image["title"]["S"] for image in (change.before, change.after) if image))

    notice = notices.create(Notice(id="large", title=before), actor=alice)
    notices.update(notice, {"title": after}, actor=alice)
    run("--once", "--tables", TABLE)
    assert run("failed").endswith("1 changes were put aside.\n")

    is_broken.clear()
    assert run("retry") == "1 changes were handled.\n"
    assert seen == [(before, after)]
    left = maintenance.request("Scan", TableName=SupportItem.Meta.table_name)["Items"]
    assert [item for item in left if item["PK"]["S"].startswith(("STREAMFAIL#", "STREAMPART#"))] == []


def test_a_change_that_is_handed_over_twice_is_put_aside_once_with_the_first_reason(alice: Actor) -> None:
    reasons = iter(["first", "second"])
    change = Change(TABLE, "INSERT", "7", now(), None, {"id": {"S": "a"}})

    for reason in reasons:
        failures._put_aside(change, ValueError(reason))

    (failure,) = failures.failed([TABLE])
    assert (failure.reason, failure.change) == ("ValueError: first", change)


def test_a_reason_that_cannot_be_stored_as_it_is_keeps_no_change_from_being_put_aside() -> None:
    change = Change(TABLE, "INSERT", "7", now(), None, {"id": {"S": "a"}})
    failures._put_aside(change, ValueError("a lone \udcff"))
    assert [failure.reason for failure in failures.failed([TABLE])] == [r"ValueError: a lone \udcff"]


def test_a_change_of_which_nobody_can_tell_whom_it_concerns_is_put_aside(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = seen_by("INSERT")
    steps = handlers.steps

    def fail(change: Change) -> object:
        if change.image["id"]["S"] == "a":
            raise KeyError("entity")
        return steps(change)

    monkeypatch.setattr(handlers, "steps", fail)
    create(alice, "a", "b")
    run("--once", "--tables", TABLE)

    assert seen == ["b"]
    assert [failure.reason for failure in failures.failed([TABLE])] == ["KeyError: 'entity'"]


class TestAChangeForWhichSomethingCannotBeReached:
    @pytest.fixture(autouse=True)
    def down(self, no_other_handlers: None) -> threading.Event:
        down = threading.Event()
        down.set()

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            if down.is_set():
                raise Unavailable("The bucket is away.")

        return down

    def handle(self, age: timedelta) -> None:
        failures.handle_or_put_aside(Change(TABLE, "INSERT", "7", now() - age, None, {"id": {"S": "a"}}))

    def test_waits_for_half_of_the_day_that_the_stream_holds_it(self) -> None:
        with pytest.raises(Unavailable):
            self.handle(timedelta(hours=11, minutes=59))
        assert run("failed") == "0 changes were put aside.\n"

    def test_is_put_aside_then_before_it_is_lost(self, down: threading.Event) -> None:
        self.handle(timedelta(hours=12))
        assert run("failed").endswith(": Unavailable: The bucket is away.\n1 changes were put aside.\n")

        down.clear()
        assert run("retry") == "1 changes were handled.\n"
        assert run("failed") == "0 changes were put aside.\n"

    def test_holds_up_no_shard_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        streams = FakeStreams(monkeypatch)
        streams.open("only")
        streams.add("only", "a", at=now() - timedelta(hours=13))
        streams.add("only", "b", event="MODIFY")
        seen = seen_by("MODIFY")

        Worker([TABLE]).run(once=True)

        assert seen == ["b"]
        assert run("failed", "--tables", TABLE).endswith("1 changes were put aside.\n")
