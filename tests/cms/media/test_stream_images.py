"""The images of a change that was put aside are in the bucket where no item is large enough for them."""

import base64
import random
import threading
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from cms.media import check
from config.engines.dynoxide import Dynoxide
from core.dynamo.attributes import now
from core.dynamo.items import RawItem
from core.dynamo.streams import Change, failures, handlers, on
from core.media import stream_images
from tests.core.dynamo.streamed import Notice
from tests.media_bucket import Bucket

TABLE = Notice.Meta.table_name
CHANCE = random.Random(19)


@pytest.fixture
def down(streaming: Dynoxide, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Handlers fail while it is set."""
    handlers.discover()
    monkeypatch.setattr(handlers, "_on", {})
    monkeypatch.setattr(failures, "FIRST_PAUSE", 0)
    down = threading.Event()
    down.set()
    return down


@pytest.fixture
def seen(down: threading.Event) -> list[Change]:
    """What was handled."""
    seen: list[Change] = []

    @on("notice", "MODIFY")
    def modify(change: Change) -> None:
        if down.is_set():
            raise ValueError("not now")
        seen.append(change)

    return seen


def image_of(size: int) -> RawItem:
    """Chance cannot be compressed."""
    return {"id": {"S": "large"}, "title": {"S": base64.b64encode(CHANCE.randbytes(size)).decode()}}


def put_aside(size: int = 285_000, number: str = "7") -> Change:
    """A change of two images: by default of 380,000 letters each, almost as large as an item can be."""
    change = Change(TABLE, "MODIFY", number, now(), image_of(size), image_of(size))
    failures.handle_or_put_aside(change)
    return change


def stored() -> failures.FailedChange:
    (failure,) = failures.failed([TABLE])
    return failure


def run(action: str) -> str:
    output = StringIO()
    call_command("streams", action, stdout=output, stderr=output)
    return output.getvalue()


def test_images_too_large_for_an_item_are_handled_from_the_bucket_and_deleted_there(
    seen: list[Change], bucket: Bucket, down: threading.Event
) -> None:
    change = put_aside()
    (key,) = bucket.keys()
    assert key.startswith("private/streams/")
    assert (stored().images, stored().images_key, stored().parts) == (None, key, [])
    with pytest.raises(CommandError, match=r"^1 changes still cannot be handled; see the lines above\.$"):
        run("retry")
    assert bucket.keys() == [key]

    down.clear()
    assert run("retry") == "1 changes were handled.\n"

    assert seen == [change]
    assert bucket.keys() == []
    assert run("failed") == "0 changes were put aside.\n"


def test_smaller_images_are_in_the_item(seen: list[Change], bucket: Bucket) -> None:
    change = put_aside(100_000)
    assert bucket.keys() == []
    assert (stored().images_key, stored().change) == (None, change)


def test_nobody_gets_them_without_a_key_to_the_bucket(seen: list[Change], bucket: Bucket) -> None:
    put_aside()
    assert bucket.served(bucket.keys()[0]).status_code == 403


def test_a_change_that_is_put_aside_twice_leaves_no_second_file(seen: list[Change], bucket: Bucket) -> None:
    change = put_aside()
    kept = bucket.keys()
    failures.handle_or_put_aside(change)
    assert bucket.keys() == kept == [stored().images_key]


@pytest.mark.parametrize("missing", ["MEDIA_BUCKET", "S3_ENDPOINT"])
def test_without_a_bucket_or_while_it_is_down_they_are_in_several_items(
    seen: list[Change], bucket: Bucket, down: threading.Event, settings: Any, missing: str
) -> None:
    usual = getattr(settings, missing)
    setattr(settings, missing, "" if missing == "MEDIA_BUCKET" else "http://127.0.0.1:1")
    change = put_aside()
    setattr(settings, missing, usual)
    assert bucket.keys() == []
    assert [part.sk for part in stored().parts] == ["002"]

    down.clear()
    run("retry")

    assert seen == [change]


def test_while_the_bucket_is_down_they_wait(
    seen: list[Change], bucket: Bucket, down: threading.Event, settings: Any
) -> None:
    put_aside()
    down.clear()
    usual, settings.S3_ENDPOINT = settings.S3_ENDPOINT, "http://127.0.0.1:1"
    with pytest.raises(CommandError, match=r"^1 changes still cannot be handled"):
        run("retry")
    settings.S3_ENDPOINT = usual

    assert run("retry") == "1 changes were handled.\n"
    assert len(seen) == 1


class TestTheCheckOfTheBucket:
    @pytest.fixture(autouse=True)
    def old(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """All files are older than a day."""
        monkeypatch.setattr(check, "ORPHAN_AGE", -timedelta(days=1))

    def found(self) -> list[str]:
        return [str(problem) for problem in check.check(lambda items, _name: items).problems]

    def test_leaves_the_images_of_what_is_put_aside(self, seen: list[Change], bucket: Bucket) -> None:
        put_aside()
        assert self.found() == []

    def test_asks_again_before_it_takes_a_file_for_left_behind(
        self, seen: list[Change], bucket: Bucket, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The change was put aside after its owner was asked for all keys."""
        put_aside()
        late = stream_images.OWNER._replace(keys=list)
        monkeypatch.setitem(check.OTHERS, stream_images.FOLDER, late)
        assert self.found() == []

    def test_finds_those_that_a_kill_left_behind(
        self,
        seen: list[Change],
        bucket: Bucket,
        down: threading.Event,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        put_aside()
        down.clear()
        with monkeypatch.context() as killed:
            killed.setattr(stream_images, "delete", lambda _key: None)
            run("retry")
        (key,) = bucket.keys()
        assert self.found() == [f"{key} belongs to no record"]

        call_command("media", "check", "--repair", stdout=StringIO())

        assert bucket.keys() == []
