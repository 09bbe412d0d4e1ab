"""`manage.py tables adopt`: records of other programs come into our lists and searches as they are."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import adoption, guards, maintenance, metering, references, trash
from core.dynamo.actors import Actor
from core.dynamo.connection import connection
from core.dynamo.errors import Conflict, InUse, NotFound
from core.dynamo.items import RawItem
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.found import titles
from tests.core.dynamo.library import Article, Picture, articles, pictures

pytestmark = pytest.mark.usefixtures("db")

TABLES = (Article.Meta.table_name, Picture.Meta.table_name, SupportItem.Meta.table_name)


@pytest.fixture(autouse=True)
def others_write_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for repository in (articles, pictures):
        monkeypatch.setattr(repository, "adopts", True)


def as_json(raw: RawItem) -> str:
    return json.dumps(raw, sort_keys=True)


def put(key: str, **attributes: Any) -> RawItem:
    """An article as another program writes it: with nothing of ours."""
    raw: RawItem = {"articleId": {"S": key}, "title": {"S": f"Fest {key}"}, "updatedAt": {"S": "2026-01-05"}}
    raw |= attributes
    maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=raw)
    return raw


def put_picture(number: str = "1") -> str:
    raw = {"PK": {"S": "2026"}, "SK": {"S": number}, "caption": {"S": f"Sommer {number}"}}
    maintenance.request("PutItem", TableName=Picture.Meta.table_name, Item=raw)
    return f"2026|{number}"


def texts(*values: str) -> Mapping[str, Any]:
    return {"L": [{"S": value} for value in values]}


def everything() -> dict[str, list[RawItem]]:
    return {
        name: sorted(maintenance.scan_items(TableName=name, ConsistentRead=True), key=as_json)
        for name in TABLES
    }


def adopt(*options: str) -> list[str]:
    out = StringIO()
    call_command("tables", "adopt", *options, stdout=out)
    return [line for line in out.getvalue().splitlines() if line.startswith(("article", "picture"))]


def test_a_record_of_another_program_gets_what_it_lacks_and_keeps_what_it_has() -> None:
    picture = put_picture()
    stored = put("a", slug={"S": "fest"}, pictureIds=texts(picture), coverId={"NULL": True})

    assert adopt() == [
        "article: 1 seen, 1 adopted, 0 already ours, 0 problems.",
        "picture: 1 seen, 1 adopted, 0 already ours, 0 problems.",
    ]

    assert articles.get("a", strong=True).stored == stored | {"version": {"N": "0"}}
    assert pictures.get(picture, strong=True).stored["shelf"] == {"S": "SHELF#S"}
    assert (titles("fest"), titles("sommer")) == (["Fest a"], ["Sommer 1"])
    assert guards.owners_of("article", "slug", ["fest"]) == {"fest": "a"}
    assert [row.key for row in references.used_in("picture", picture).items] == ["a"]
    with pytest.raises(InUse):
        pictures.delete(pictures.get(picture, strong=True), actor=Actor(sub="1", name="One"))


def test_a_second_run_writes_nothing() -> None:
    put("a", slug={"S": "fest"}, pictureIds=texts(put_picture(), "2026|gone"))
    adopt()
    before = everything()

    with metering.metered() as meter:
        assert adopt()[:2] == [
            "article: 1 seen, 0 adopted, 1 already ours, 1 problems.",
            "picture: 1 seen, 0 adopted, 1 already ours, 0 problems.",
        ]

    assert everything() == before
    assert {call.operation for call in meter.calls} == {"BatchGetItem"}


def test_a_dry_run_tells_the_same_and_changes_nothing() -> None:
    put("a", slug={"S": "fest"}, pictureIds=texts(put_picture()))
    before = everything()

    assert adopt("--dry-run")[:2] == [
        "article: 1 seen, 1 would be adopted, 0 already ours, 0 problems.",
        "picture: 1 seen, 1 would be adopted, 0 already ours, 0 problems.",
    ]
    assert everything() == before


def test_of_two_records_with_one_address_one_has_it_and_the_other_is_named(alice: Actor) -> None:
    put("a", slug={"S": "fest"})
    adopt()
    put("b", slug={"S": "fest"})

    assert adopt() == [
        "article: 2 seen, 1 adopted, 1 already ours, 1 problems.",
        "picture: 0 seen, 0 adopted, 0 already ours, 0 problems.",
        "article b: slug “fest” belongs to a.",
    ]

    assert titles("fest") == ["Fest a", "Fest b"]
    articles.update(articles.get("b", strong=True), {"slug": "fest-2"}, actor=alice)
    assert guards.owners_of("article", "slug", ["fest", "fest-2"]) == {"fest": "a", "fest-2": "b"}


def test_a_reference_to_nothing_is_named_and_can_be_taken_out(alice: Actor) -> None:
    put("a", pictureIds=texts("2026|9"), coverId={"S": "2026|9"})

    assert adopt()[2:] == [
        "article a: picture_ids leads to picture 2026|9, which is not there.",
        "article a: cover_id leads to picture 2026|9, which is not there.",
    ]
    articles.update(articles.get("a", strong=True), {"picture_ids": []}, actor=alice)
    assert adopt()[2:] == ["article a: cover_id leads to picture 2026|9, which is not there."]


def test_what_cannot_be_read_is_named_and_does_not_stop_the_others() -> None:
    put("a", updatedAt={"S": "yesterday"})
    put("b")

    assert adopt() == [
        "article: 2 seen, 1 adopted, 1 already ours, 1 problems.",
        "picture: 0 seen, 0 adopted, 0 already ours, 0 problems.",
        "article a: it cannot be read (ValueError(\"Invalid isoformat string: 'yesterday'\")).",
    ]


def test_more_than_one_transaction_holds_is_adopted_in_several() -> None:
    many = [put_picture(str(number)) for number in range(70)]
    put("a", pictureIds=texts(*many))

    assert adopt()[0] == "article: 1 seen, 1 adopted, 0 already ours, 0 problems."
    assert [int(pictures.get(key, strong=True).refs) for key in many] == [1] * 70
    assert adopt()[0] == "article: 1 seen, 0 adopted, 1 already ours, 0 problems."


def test_a_new_name_by_the_other_program_is_adopted_too(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Sommer"), actor=alice)
    renamed = {"caption": {"Value": {"S": "Winter"}}}
    maintenance.request(
        "UpdateItem",
        TableName=Picture.Meta.table_name,
        Key={"PK": {"S": "2026"}, "SK": {"S": "1"}},
        AttributeUpdates=renamed,
    )

    assert adopt()[1] == "picture: 1 seen, 1 adopted, 0 already ours, 0 problems."
    assert (titles("winter"), pictures.get("2026|1").shelf) == (["Winter"], "SHELF#W")


def test_a_record_that_the_other_program_writes_anew_is_adopted_again_and_counted_once() -> None:
    picture = put_picture()
    put("a", pictureIds=texts(picture))
    adopt()
    put("a", pictureIds=texts(picture))
    put_picture()

    assert [line.split(",")[1] for line in adopt()] == [" 1 adopted", " 1 adopted"]
    assert pictures.get(picture, strong=True).refs == 1


def test_a_record_that_is_not_adopted_yet_is_saved_deleted_and_restored(alice: Actor) -> None:
    """Its first save adopts it, so that nothing is counted down that was never counted up."""
    kept, removed = put_picture("1"), put_picture("2")
    put("a", slug={"S": "fest"}, pictureIds=texts(kept, removed))

    saved = articles.update(articles.get("a", strong=True), {"picture_ids": [kept]}, actor=alice)
    assert (saved.version, titles("fest")) == (1, ["Fest a"])
    assert [pictures.get(key, strong=True).refs for key in (kept, removed)] == [1, 0]

    put("b", pictureIds=texts(kept))
    trashed = articles.delete(articles.get("b", strong=True), actor=alice)
    assert pictures.get(kept, strong=True).refs == 1
    image = trash.of_record("article", "b")
    assert image is not None
    articles.restore(image.trash_id, actor=alice)
    assert (trashed.title, pictures.get(kept, strong=True).refs, titles("fest")) == (
        "Fest b",
        2,
        ["Fest a", "Fest b"],
    )


def test_nothing_that_was_not_changed_is_written(alice: Actor) -> None:
    stored = put("a", coverId={"NULL": True}, slug={"NULL": True}, pictureIds=texts())
    seen = articles.get("a", strong=True)
    nothing: dict[str, Any] = {
        "cover_id": None,
        "slug": None,
        "picture_ids": [],
        "body": None,
        "title": "Fest a",
    }

    assert articles.update(seen, nothing, actor=alice).stored == stored
    articles.update(seen, nothing | {"priority": 2}, actor=alice)

    now = articles.get("a", strong=True).stored
    assert now == stored | {"priority": {"N": "2"}, "version": {"N": "1"}, "updatedAt": now["updatedAt"]}


def test_only_the_tables_of_one_app() -> None:
    with pytest.raises(CommandError, match="No app ghosts has tables for other programs; these have: "):
        adopt("--app", "ghosts")


# --- While others write ----------------------------------------------------------------------------------


def test_a_record_that_changes_meanwhile_gets_what_it_lacks_then() -> None:
    put("a", slug={"S": "fest"})
    seen = articles.get("a", strong=True)
    put("a", slug={"S": "ball"}, title={"S": "Ball"})

    adoption.adopt(articles, seen)

    assert (titles("fest"), titles("ball")) == ([], ["Ball"])
    assert guards.owners_of("article", "slug", ["fest", "ball"]) == {"ball": "a"}


def test_a_save_that_was_overtaken_by_the_other_program_is_refused(alice: Actor) -> None:
    put("a")
    seen = articles.get("a", strong=True)
    put("a", title={"S": "Ball"})

    with pytest.raises(Conflict) as refused:
        articles.update(seen, {"title": "Camp"}, actor=alice)
    assert refused.value.current.title == articles.get("a", strong=True).title == "Ball"


def test_a_save_of_what_the_other_program_has_deleted_is_refused(alice: Actor) -> None:
    put("a")
    seen = articles.get("a", strong=True)
    maintenance.request("DeleteItem", TableName=Article.Meta.table_name, Key=seen.raw_key())

    with pytest.raises(NotFound):
        articles.update(seen, {"title": "Camp"}, actor=alice)
    assert titles("fest") == []


def test_the_other_program_may_write_all_the_time() -> None:
    """It writes whole items, so that each time the record has nothing of ours."""
    keys = [f"r{number}" for number in range(12)]
    pages = [put_picture(str(number)) for number in range(4)]
    stop = threading.Event()

    def write(thread: int) -> None:
        turn = 0
        while not stop.is_set() or turn < 3:
            for number, key in enumerate(keys):
                if number % 2 == thread:
                    put(key, title={"S": f"Fest {turn}"}, pictureIds=texts(pages[(turn + number) % 4]))
            turn += 1

    others = [threading.Thread(target=write, args=(thread,)) for thread in range(2)]
    for other in others:
        other.start()
    for _run in range(3):
        adopt()
    stop.set()
    for other in others:
        other.join()
    adopt()
    call_command("guards", "repair", stdout=StringIO())

    for record in articles.get_many(keys, strong=True).values():
        assert record.version == 0
        rows = references.used_in("picture", record.picture_ids[0]).items
        assert record.article_id in {row.key for row in rows}
    for page in pages:
        uses = sum(page in record.picture_ids for record in articles.get_many(keys, strong=True).values())
        assert int(pictures.get(page, strong=True).refs or 0) == uses
    assert len(titles("fest")) == 12


def test_two_runs_at_once_count_each_reference_once() -> None:
    picture = put_picture()
    for number in range(20):
        put(f"r{number}", pictureIds=texts(picture), slug={"S": f"fest-{number}"})

    runs = [threading.Thread(target=adopt) for _run in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()

    assert pictures.get(picture, strong=True).refs == 20
    assert len(references.used_in("picture", picture, limit=100).items) == 20
    assert adopt()[0] == "article: 20 seen, 0 adopted, 20 already ours, 0 problems."


def test_a_run_that_was_killed_is_repeated(own_engine: Dynoxide) -> None:
    picture = put_picture()
    for number in range(200):
        put(f"r{number}", pictureIds=texts(picture), slug={"S": f"fest-{number}"})
    code = (
        "import django; django.setup()\n"
        "from django.core.management import call_command\n"
        "from tests.core.dynamo.library import articles, pictures\n"
        "articles.adopts = pictures.adopts = True\n"
        "call_command('tables', 'adopt')\n"
    )
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DYNAMODB_ENDPOINT": own_engine.endpoint,
    }
    run = subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=Path(__file__).parents[3])
    while not connection().dispatch("GetItem", _key(picture)).get("Item", {}).get("refs"):
        assert run.poll() is None
    run.send_signal(signal.SIGKILL)
    run.wait()

    assert int(pictures.get(picture, strong=True).refs) < 200
    adopt()

    assert pictures.get(picture, strong=True).refs == 200
    assert adopt()[0] == "article: 200 seen, 0 adopted, 200 already ours, 0 problems."


def _key(picture: str) -> dict[str, Any]:
    return {"TableName": Picture.Meta.table_name, "Key": pictures.raw_key(picture), "ConsistentRead": True}
