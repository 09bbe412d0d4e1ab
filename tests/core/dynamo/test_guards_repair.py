"""`manage.py guards repair`: what nobody saw expire keeps neither its name nor what it used."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from core.dynamo import guards, queries, references, transactions
from core.dynamo.actors import Actor
from core.dynamo.guards import UniqueGuard
from core.dynamo.items import Item
from tests.core.dynamo.library import Article, Picture, articles, pictures

pytestmark = pytest.mark.usefixtures("db")

PICTURE = "2026|1"
DERBY = "derby"


@pytest.fixture(autouse=True)
def picture(db: object, alice: Actor) -> Picture:
    return pictures.create(Picture(album="2026", number="1"), actor=alice)


def write(actor: Actor, key: str, slug: str, **fields: Any) -> Article:
    given = {"picture_ids": [PICTURE], "cover_id": PICTURE} | fields
    return articles.create(Article(article_id=key, title="Derby", slug=slug, **given), actor=actor)


def vanish(record: Item) -> None:
    """As by the engine, when its time is over and nobody reads the stream."""
    transactions.send(transactions.delete(type(record), record.raw_key()))


def run(*options: str) -> str:
    out = StringIO()
    call_command("guards", "repair", *options, stdout=out)
    return out.getvalue()


def uses() -> tuple[int, list[str]]:
    """How often the picture is used: as counted, and by whom."""
    rows = references.used_in("picture", PICTURE).items
    return int(pictures.get(PICTURE, strong=True).refs or 0), [row.key for row in rows]


def owners(*slugs: str) -> dict[str, str]:
    return guards.owners_of("article", "slug", slugs)


def test_a_record_that_is_gone_keeps_neither_its_name_nor_what_it_used(alice: Actor) -> None:
    vanish(write(alice, "gone", DERBY))
    write(alice, "there", "cup")
    told = "1 unique values would be released, 2 references would be removed, 1 counts would be corrected.\n"

    assert run("--dry-run") == told
    assert (owners(DERBY), uses()) == ({DERBY: "gone"}, (4, ["gone", "gone", "there", "there"]))
    assert run() == "1 unique values released, 2 references removed, 1 counts corrected.\n"

    assert (owners(DERBY, "cup"), uses()) == ({"cup": "there"}, (2, ["there", "there"]))
    assert run() == "0 unique values released, 0 references removed, 0 counts corrected.\n"


def test_of_a_record_entered_anew_under_the_same_key_only_its_own_stays(alice: Actor) -> None:
    vanish(write(alice, "1", DERBY))
    write(alice, "1", "cup", cover_id=None)
    assert uses() == (3, ["1", "1"])

    assert run() == "1 unique values released, 1 references removed, 1 counts corrected.\n"

    assert (owners(DERBY, "cup"), uses()) == ({"cup": "1"}, (1, ["1"]))


def test_what_belongs_to_an_app_that_is_not_here_is_left_alone() -> None:
    guard = UniqueGuard(pk=guards.partition("ghost", "slug", DERBY), sk="GUARD", owner="1")
    transactions.send(transactions.put(guard))

    assert run() == "0 unique values released, 0 references removed, 0 counts corrected.\n"

    assert guards.owners_of("ghost", "slug", [DERBY]) == {DERBY: "1"}


def test_what_a_record_gets_back_meanwhile_stays(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    vanish(write(alice, "1", DERBY))
    read = queries.get

    def entered_anew_after_it_was_read(model: type[Item], *arguments: Any, **options: Any) -> Any:
        found = read(model, *arguments, **options)
        if model is Article:
            monkeypatch.setattr(queries, "get", read)
            write(alice, "1", DERBY)
        return found

    monkeypatch.setattr(queries, "get", entered_anew_after_it_was_read)

    assert run() == "0 unique values released, 0 references removed, 1 counts corrected.\n"

    assert queries.get is read
    assert (owners(DERBY), uses()) == ({DERBY: "1"}, (2, ["1", "1"]))


def test_a_use_that_begins_while_it_is_counted_is_counted(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    vanish(write(alice, "gone", DERBY))
    count = references.count

    def another_begins_after_it_was_counted(entity: str, key: str) -> int:
        monkeypatch.setattr(references, "count", count)
        counted = count(entity, key)
        write(alice, "new", "cup")
        return counted

    monkeypatch.setattr(references, "count", another_begins_after_it_was_counted)
    run()

    assert references.count is count
    assert uses() == (2, ["new", "new"])


def test_a_name_that_somebody_takes_meanwhile_stays_theirs(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    vanish(write(alice, "gone", DERBY))
    read = queries.get

    def taken_after_it_was_read(model: type[Item], *arguments: Any, **options: Any) -> Any:
        found = read(model, *arguments, **options)
        if model is UniqueGuard:
            monkeypatch.setattr(queries, "get", read)
            transactions.send(guards.release("article", articles.unique[0], DERBY, "gone"))
            write(alice, "theirs", DERBY)
        return found

    monkeypatch.setattr(queries, "get", taken_after_it_was_read)

    assert run() == "0 unique values released, 2 references removed, 1 counts corrected.\n"

    assert queries.get is read
    assert owners(DERBY) == {DERBY: "theirs"}
