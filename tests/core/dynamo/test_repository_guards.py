"""Whose a unique value is, and writes that hold only while a record is as it was read."""

import pytest

from core.dynamo import guards, maintenance
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, Conflict
from core.dynamo.transactions import Transaction
from tests.core.dynamo.library import Article, articles

pytestmark = [pytest.mark.usefixtures("db"), pytest.mark.aws]


class TestWhoseGuardItIs:
    """Records that were imported may show a value whose guard belongs to somebody else, or to themselves."""

    def imported(self, **attributes: str) -> Article:
        raw = {"articleId": {"S": "old-1"}, "title": {"S": "From before"}}
        raw |= {name: {"S": value} for name, value in attributes.items()}
        maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=raw)
        return articles.get("old-1", strong=True)

    def test_a_guard_of_another_record_is_not_released(self, alice: Actor) -> None:
        articles.create(Article(title="One", slug="mine"), actor=alice)

        assert articles.update(self.imported(slug="mine"), {"slug": "other"}, actor=alice).slug == "other"

        with pytest.raises(AlreadyExists):
            articles.create(Article(title="Two", slug="mine"), actor=alice)

    def test_a_value_without_a_guard_can_be_given_up(self, alice: Actor) -> None:
        assert articles.update(self.imported(slug="mine"), {"slug": "other"}, actor=alice).slug == "other"

    def test_a_guard_of_its_own_does_not_stand_in_its_way(self, alice: Actor) -> None:
        claim = guards.take("article", articles.unique[0], "mine", "old-1")
        maintenance.request("PutItem", TableName=claim.model.Meta.table_name, Item=claim.item)

        assert articles.update(self.imported(), {"slug": "mine"}, actor=alice).slug == "mine"


# --- A record that another write depends on ---------------------------------------------------------------


def write_beside(article: Article, alice: Actor) -> None:
    """Another write, which holds only while the article is as it was read."""
    transaction = Transaction()
    transaction.add(articles.check_unchanged(article))
    articles.create(Article(title="Beside it"), actor=alice, transaction=transaction)
    transaction.commit()


def test_another_write_holds_while_the_record_is_as_it_was_read(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day"), actor=alice)

    write_beside(article, alice)

    articles.update(article, {"title": "Closing day"}, actor=alice)
    with pytest.raises(Conflict):
        write_beside(article, alice)


def test_another_write_is_refused_once_the_record_is_gone(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day"), actor=alice)
    articles.delete(article, actor=alice)

    with pytest.raises(Conflict):
        write_beside(article, alice)


def test_a_record_without_a_version_is_not_taken_for_a_missing_one(alice: Actor) -> None:
    maintenance.request(
        "PutItem",
        TableName=Article.Meta.table_name,
        Item={"articleId": {"S": "old-2"}, "title": {"S": "Before"}},
    )
    read = articles.get("old-2", strong=True)

    write_beside(read, alice)

    articles.update(read, {"title": "Now"}, actor=alice)
    with pytest.raises(Conflict):
        write_beside(read, alice)
