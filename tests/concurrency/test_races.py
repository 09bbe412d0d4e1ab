"""Many people at once: nothing is lost, nothing is doubled."""

from collections import Counter

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import connection, history, references, search, trash
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, Conflict, DataError
from tests.core.dynamo.library import Article, Picture, articles, everybody_may, pictures
from tests.racing import at_once, let_go

pytestmark = pytest.mark.usefixtures("db")
THREADS = 40


def test_of_40_creates_of_one_key_one_wins(alice: Actor) -> None:
    results = at_once(
        lambda n: pictures.create(Picture(album="2026", number="1", caption=f"by {n}"), actor=alice),
        THREADS,
    )

    winners = [result for result in results if isinstance(result, Picture)]
    assert len(winners) == 1
    assert Counter(type(result) for result in results)[AlreadyExists] == THREADS - 1
    assert pictures.get("2026|1", strong=True).caption == winners[0].caption
    assert len(history.entries("picture", "2026|1").items) == 1


def test_of_40_creates_with_one_slug_one_wins_and_the_rest_leave_nothing(alice: Actor) -> None:
    results = at_once(
        lambda n: articles.create(Article(title=f"Treffer {n}", slug="one"), actor=alice), THREADS
    )

    assert len([result for result in results if isinstance(result, Article)]) == 1
    assert len(articles.latest(limit=100).items) == 1
    assert len(search.search("treffer", ["cms"], may_see=everybody_may).hits) == 1


def test_of_40_edits_of_one_version_one_is_applied(alice: Actor) -> None:
    article = articles.create(Article(title="Start"), actor=alice)

    results = at_once(lambda n: articles.update(article, {"title": f"by {n}"}, actor=alice), THREADS)

    winners = [result for result in results if isinstance(result, Article)]
    assert len(winners) == 1
    assert all(isinstance(result, Conflict) for result in results if result not in winners)
    assert articles.get(article.article_id, strong=True).title == winners[0].title


def test_40_people_who_retry_until_they_win_lose_no_edit(alice: Actor) -> None:
    article = articles.create(Article(title="0", tags={"start"}), actor=alice)

    def add_own_tag(number: int) -> int:
        refusals = 0
        while True:
            current = articles.get(article.article_id, strong=True)
            try:
                articles.update(current, {"tags": {*current.tags, f"tag-{number}"}}, actor=alice)
            except Conflict:
                refusals += 1
            else:
                return refusals

    refusals = at_once(add_own_tag, THREADS)

    final = articles.get(article.article_id, strong=True)
    assert final.tags == {"start", *(f"tag-{n}" for n in range(THREADS))}
    assert final.version == THREADS + 1
    assert sum(count for count in refusals if isinstance(count, int)) > 0


def test_40_new_uses_of_a_picture_are_all_counted(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)

    results = at_once(
        lambda n: articles.create(Article(title=f"{n}", cover_id="2026|1"), actor=alice), THREADS
    )

    assert all(isinstance(result, Article) for result in results)
    assert pictures.get("2026|1", strong=True).refs == THREADS
    assert len(references.used_in("picture", "2026|1", limit=100).items) == THREADS


def test_a_picture_is_either_deleted_or_used_never_both(alice: Actor) -> None:
    for round_number in range(10):
        key = f"2026|{round_number}"
        picture = pictures.create(Picture(album="2026", number=str(round_number)), actor=alice)

        def delete_or_use(number: int, picture: Picture = picture, key: str = key) -> object:
            if number == 0:
                return pictures.delete(picture, actor=alice)
            return articles.create(Article(title="uses it", cover_id=key), actor=alice)

        deleted, used = at_once(delete_or_use, threads=2)

        assert isinstance(deleted, DataError) != isinstance(used, DataError)


def test_one_client_serves_all_threads(db: Dynoxide) -> None:
    connection.reset()

    clients = let_go(lambda _n: connection.connection().client, THREADS)

    assert all(client is clients[0] for client in clients)


def test_of_40_restores_of_one_image_one_wins(alice: Actor) -> None:
    articles.delete(articles.create(Article(article_id="1", title="One"), actor=alice), actor=alice)
    trashed = trash.of_record("article", "1")
    assert trashed is not None
    place = trashed.trash_id

    results = at_once(lambda _n: articles.restore(place, actor=alice), THREADS)

    assert len([result for result in results if isinstance(result, Article)]) == 1
    assert len(history.entries("article", "1").items) == 3
