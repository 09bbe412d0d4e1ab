"""The words of a search are made anew from the records."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance, queries, reindex
from core.dynamo.actors import Actor
from tests.core.dynamo.found import put_word, rows_of, titles
from tests.core.dynamo.library import Article, Picture, Trip, articles, pictures, trips

pytestmark = pytest.mark.usefixtures("db")


class TestRebuild:
    def rebuild(self, *options: str) -> str:
        out = StringIO()
        call_command("search", "rebuild", *options, stdout=out)
        return out.getvalue()

    @pytest.mark.usefixtures("shelf")
    def test_it_writes_lost_words_and_removes_stray_ones(self, alice: Actor) -> None:
        lost = articles.create(Article(title="Verloren"), actor=alice)
        self.delete_words("verloren")
        put_word("stray", lost.article_id)
        put_word("verloren", "no-such-record")

        assert self.rebuild() == "6 records indexed, 2 stray words removed.\n"

        assert titles("verloren") == ["Verloren"]
        assert rows_of("cms", "stray") == []
        assert len(rows_of("cms", "verloren")) == 1
        assert self.rebuild() == "6 records indexed, 0 stray words removed.\n"

    @pytest.mark.usefixtures("shelf")
    def test_a_dry_run_changes_nothing(self) -> None:
        self.delete_words("strassenfest")

        assert self.rebuild("--dry-run") == "5 records would be indexed, 0 stray words would be removed.\n"
        assert titles("strassenfest") == []

    def delete_words(self, word: str) -> None:
        for row in rows_of("cms", word):
            maintenance.request("DeleteItem", TableName="fieldhouse", Key=row.raw_key())

    def test_words_in_another_scope_or_of_an_entity_that_is_no_more_are_stray(self, alice: Actor) -> None:
        article = articles.create(Article(title="Sommerfest"), actor=alice)
        put_word("sommerfest", article.article_id, scope="quests")
        put_word("sommerfest", "1", entity="ghost")

        assert self.rebuild() == "1 records indexed, 2 stray words removed.\n"
        assert rows_of("quests", "sommerfest") == []
        assert [row.place.entity for row in rows_of("cms", "sommerfest")] == ["article"]

    def test_a_row_is_nothing_but_its_key_and_those_of_earlier_releases_stay(self, alice: Actor) -> None:
        article = articles.create(Article(title="Sommerfest"), actor=alice)
        (row,) = rows_of("cms", "sommerfest")
        assert row.stored == row.raw_key()
        told = {"entity": {"S": "article"}, "key": {"S": article.article_id}}
        maintenance.request("PutItem", TableName="fieldhouse", Item=row.stored | told)

        assert titles("sommerfest") == ["Sommerfest"]
        assert self.rebuild() == "1 records indexed, 0 stray words removed.\n"
        articles.delete(article, actor=alice)
        assert rows_of("cms", "sommerfest") == []

    def test_records_that_share_a_table_are_each_indexed_by_their_own_repository(self, alice: Actor) -> None:
        pictures.create(Picture(album="2026", number="1", caption="Sommer"), actor=alice)
        trips.create(Trip(pk="TRIP#1", goal="Sommercamp"), actor=alice)
        self.delete_words("sommer")

        assert self.rebuild() == "2 records indexed, 0 stray words removed.\n"
        assert titles("sommer", "cms", "team:1") == ["Sommer", "Sommercamp"]

    def test_a_record_that_is_changed_meanwhile_gets_the_words_it_has_then(self, alice: Actor) -> None:
        article = articles.create(Article(title="Winterball"), actor=alice)
        deleted = articles.create(Article(title="Herbstball"), actor=alice)

        def while_people_work(items: Iterable[Any], name: str) -> Iterator[Any]:
            for item in items:
                if name == "article" and item.article_id == article.article_id:
                    articles.update(item, {"title": "Sommerball"}, actor=alice)
                elif name == "article":
                    articles.delete(item, actor=alice)
                yield item

        result = reindex.rebuild(while_people_work)

        assert (result.records, result.removed) == (2, 0)
        assert (titles("sommerball"), titles("winterball")) == (["Sommerball"], [])
        assert rows_of("cms", "herbstball") == []
        assert deleted.article_id not in articles.get_many([deleted.article_id])

    def test_a_word_that_its_record_gets_meanwhile_is_not_removed(
        self, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        article = articles.create(Article(title="Winterball"), actor=alice)
        put_word("sommerball", article.article_id)
        read = queries.get

        def edited_after_it_was_read(*arguments: Any, **options: Any) -> Any:
            monkeypatch.setattr(queries, "get", read)
            item = read(*arguments, **options)
            articles.update(item, {"title": "Sommerball"}, actor=alice)
            return item

        monkeypatch.setattr(queries, "get", edited_after_it_was_read)
        reindex.rebuild(lambda items, _name: items)

        assert queries.get is read
        assert titles("sommerball") == ["Sommerball"]

    def test_the_command_knows_the_repositories_of_every_app(
        self, db: Dynoxide, alice: Actor, tmp_path: Path
    ) -> None:
        articles.create(Article(title="Verloren"), actor=alice)
        self.delete_words("verloren")
        app = tmp_path / "shelf_app"
        app.mkdir()
        (app / "__init__.py").touch()
        (app / "repository.py").write_text("from tests.core.dynamo import library\n")
        script = "from tests import settings; settings.INSTALLED_APPS += ['shelf_app']\n"
        script += "from django.core.management import execute_from_command_line as execute\n"
        script += "execute(['manage.py', 'search', 'rebuild'])"

        ended = subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                "DYNAMODB_ENDPOINT": db.endpoint,
                "PYTHONPATH": str(tmp_path),
            },
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=False,
        )

        assert ended.stdout == "1 records indexed, 0 stray words removed.\n", ended.stderr
        assert titles("verloren") == ["Verloren"]
