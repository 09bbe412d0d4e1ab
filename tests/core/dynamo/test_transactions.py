"""Several writes as one: all of them or none, within what DynamoDB takes at once."""

import pytest

from core.dynamo import metering, queries, transactions
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, Conflict, NotFound, TooLarge
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Transaction
from tests.core.dynamo.library import Article, Picture, Trip, articles, pictures, trips

pytestmark = pytest.mark.usefixtures("db")


def row(number: int, text: str = "") -> transactions.Operation:
    raw = {"PK": {"S": "row"}, "SK": {"S": str(number)}, "text": {"S": text}}
    return transactions.put_raw(SupportItem, raw)


def test_several_writes_within_one_transaction_are_one_request(alice: Actor) -> None:
    old = articles.create(Article(title="Old"), actor=alice)
    gone = articles.create(Article(title="Gone"), actor=alice)
    transaction = Transaction()

    with metering.metered() as meter:
        new = articles.create(Article(title="New"), transaction=transaction, actor=alice)
        articles.update(old, {"title": "Older"}, transaction=transaction, actor=alice)
        articles.delete(gone, transaction=transaction, actor=alice)
        assert meter.requests == 0
        transaction.commit()

    assert meter.operations == ["TransactWriteItems"]
    found = articles.get_many([old.article_id, gone.article_id, new.article_id], strong=True)
    assert sorted(item.title for item in found.values()) == ["New", "Older"]


def test_when_one_write_is_refused_none_is_made(alice: Actor) -> None:
    articles.create(Article(title="One", slug="taken"), actor=alice)
    transaction = Transaction()
    pictures.create(Picture(album="2026", number="1"), transaction=transaction, actor=alice)
    articles.create(Article(title="Two", slug="taken"), transaction=transaction, actor=alice)

    with pytest.raises(AlreadyExists):
        transaction.commit()

    with pytest.raises(NotFound):
        pictures.get("2026|1", strong=True)


def test_an_optional_write_that_is_refused_is_left_out_and_no_other_one() -> None:
    missing = transactions.exists(SupportItem)
    optional = transactions.delete(SupportItem, row(1).key, condition=missing, is_optional=True)
    transactions.commit(optional, row(2))
    assert queries.get(SupportItem, row(2).key, strong=True) is not None

    needed = transactions.delete(SupportItem, row(3).key, condition=missing)
    with pytest.raises(Conflict):
        transactions.commit(optional, needed, row(4))
    assert queries.get(SupportItem, row(4).key, strong=True) is None


def test_a_record_may_be_created_and_used_in_one_transaction(alice: Actor) -> None:
    transaction = Transaction()
    pictures.create(Picture(album="2026", number="1", caption="Field"), transaction=transaction, actor=alice)
    articles.create(Article(title="One", cover_id="2026|1"), transaction=transaction, actor=alice)
    transaction.commit()

    assert (pictures.get("2026|1").refs, pictures.get("2026|1").caption) == (1, "Field")


def test_a_record_may_be_changed_and_used_in_one_transaction(alice: Actor) -> None:
    picture = pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    transaction = Transaction()
    pictures.update(picture, {"caption": "Pitch"}, transaction=transaction, actor=alice)
    articles.create(Article(title="One", cover_id="2026|1"), transaction=transaction, actor=alice)
    transaction.commit()

    assert (pictures.get("2026|1").refs, pictures.get("2026|1").caption) == (1, "Pitch")


def test_what_must_hold_of_a_record_may_be_asked_while_it_comes_into_use(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="open"), actor=alice)
    key = pictures.raw_key("2026|1")

    def use_when(caption: str) -> None:
        transaction = Transaction()
        transaction.add(transactions.check(Picture, key, Picture.caption == caption))
        articles.create(Article(title="One", cover_id="2026|1"), transaction=transaction, actor=alice)
        transaction.commit()

    with pytest.raises(Conflict):
        use_when("closed")
    assert pictures.get("2026|1").refs is None

    use_when("open")
    assert pictures.get("2026|1").refs == 1


def test_a_condition_that_a_missing_record_meets_does_not_bring_it_about(alice: Actor) -> None:
    transaction = Transaction()
    missing = pictures.raw_key("2026|404")
    transaction.add(transactions.check(Picture, missing, Picture.caption.does_not_exist()))
    articles.create(Article(title="One", cover_id="2026|404"), transaction=transaction, actor=alice)

    with pytest.raises(Conflict):
        transaction.commit()


def test_a_use_that_moves_from_one_record_to_another_leaves_the_count_alone(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1"), actor=alice)
    first = articles.create(Article(title="One", cover_id="2026|1"), actor=alice)
    second = articles.create(Article(title="Two"), actor=alice)
    transaction = Transaction()
    articles.update(first, {"cover_id": None}, transaction=transaction, actor=alice)
    articles.update(second, {"cover_id": "2026|1"}, transaction=transaction, actor=alice)

    assert Picture not in {operation.model for operation in transaction.operations()}
    transaction.commit()
    assert pictures.get("2026|1").refs == 1


def test_counts_of_several_names_are_kept_apart_and_the_item_must_exist(alice: Actor) -> None:
    trip = trips.create(Trip(pk="TRIP#1"), actor=alice)

    def book(key: dict[str, dict[str, str]]) -> None:
        transaction = Transaction()
        for name, step in (("seats", 2), ("refs", 1), ("seats", 1)):
            transaction.count(Trip, key, name, step, refused=lambda _stored: NotFound())
        transaction.commit()

    book(trip.raw_key())
    with pytest.raises(NotFound):
        book({"PK": {"S": "TRIP#404"}, "SK": {"S": "TRIP"}})

    stored = trips.get("TRIP#1|TRIP", strong=True)
    assert (stored.seats, stored.refs, stored.version) == (3, 1, trip.version)


def test_what_is_deleted_cannot_be_counted(alice: Actor) -> None:
    picture = pictures.create(Picture(album="2026", number="1"), actor=alice)
    transaction = Transaction()
    pictures.delete(picture, transaction=transaction, actor=alice)
    articles.create(Article(title="One", cover_id="2026|1"), transaction=transaction, actor=alice)

    with pytest.raises(ValueError, match="deleted and counted"):
        transaction.commit()


def test_an_item_is_written_once_in_a_transaction() -> None:
    transaction = Transaction()
    transaction.add(row(1))

    with pytest.raises(ValueError, match="only one operation on one item"):
        transaction.add(row(1, "other"))


def test_nothing_to_write_is_no_request() -> None:
    with metering.metered() as meter:
        transactions.commit()

    assert meter.requests == 0


def test_a_hundred_operations_are_the_most() -> None:
    transactions.commit(*(row(number) for number in range(100)))

    with metering.metered() as meter, pytest.raises(TooLarge, match="smaller steps"):
        transactions.commit(*(row(number) for number in range(101)))
    assert meter.requests == 0


def test_four_megabytes_are_the_most() -> None:
    with metering.metered() as meter, pytest.raises(TooLarge):
        transactions.commit(*(row(number, "x" * 390_000) for number in range(11)))
    assert meter.requests == 0

    transactions.commit(*(row(number, "x" * 390_000) for number in range(10)))
