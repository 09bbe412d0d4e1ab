"""Finding records by the beginnings of their words."""

from io import StringIO

import pytest
from django.core.management import call_command

from dynamo import control, metering, search, words
from dynamo.actors import Actor
from dynamo.items import Item
from dynamo.repository import Repository
from tests.dynamo.library import Article, Picture, articles, pictures

pytestmark = pytest.mark.usefixtures("db")


def titles(text: str, *scopes: str) -> list[str]:
    return sorted(hit.label for hit in search.search(text, scopes or ["cms"]).hits)


@pytest.fixture
def shelf(db: object, alice: Actor) -> None:
    for title in ("Sommerfest in Müllheim", "Sommercamp der Jugend", "Straßenfest", "Łódź grüßt São Paulo"):
        articles.create(Article(title=title), actor=alice)
    pictures.create(Picture(album="2026", number="1", caption="Sommer am See"), actor=alice)


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sommer", ["Sommer am See", "Sommercamp der Jugend", "Sommerfest in Müllheim"]),
        ("SOMMERF", ["Sommerfest in Müllheim"]),
        ("mullheim", ["Sommerfest in Müllheim"]),
        ("Müll somm", ["Sommerfest in Müllheim"]),
        ("sommer jugend", ["Sommercamp der Jugend"]),
        ("strasse", ["Straßenfest"]),
        ("lodz sao", ["Łódź grüßt São Paulo"]),
        ("sommer winter", []),
        ("fest", []),
        ("s", []),
        ("", []),
        ("!? -- #", []),
    ],
)
def test_every_word_of_the_search_begins_a_word_of_the_record(text: str, found: list[str]) -> None:
    assert titles(text) == found


@pytest.mark.usefixtures("shelf")
def test_only_the_scopes_of_the_person_are_searched() -> None:
    assert titles("sommer", "quests", "team:1") == []


@pytest.mark.usefixtures("shelf")
def test_records_that_the_person_may_not_see_are_left_out() -> None:
    def no_pictures(repository: Repository[Item], _item: Item) -> bool:
        return repository.entity != "picture"

    hits = search.search("sommer am", ["cms"], may_see=no_pictures).hits

    assert hits == []


@pytest.mark.usefixtures("shelf")
def test_a_search_costs_a_query_per_scope_and_one_batch() -> None:
    with metering.metered() as meter:
        search.search("sommer", ["cms", "quests", "scouting"])

    assert meter.operations == ["Query", "Query", "Query", "BatchGetItem"]


def test_words_follow_the_record(alice: Actor) -> None:
    article = articles.create(Article(title="Winterball", tags={"gala"}), actor=alice)
    article = articles.update(article, {"title": "Sommerball"}, actor=alice)

    assert titles("winterball") == []
    assert titles("sommerball") == titles("gala") == ["Sommerball"]


def test_at_most_25_words_are_kept_and_long_ones_are_cut() -> None:
    assert words.words_in([" ".join(f"word{n}" for n in range(40))]) == [f"word{n}" for n in range(25)]
    assert words.words_in(["x" * 100]) == ["x" * 30]
    assert words.words_in(["a b cc CC ćć"]) == ["cc"]


def test_a_search_can_go_on_where_it_stopped(alice: Actor) -> None:
    for number in range(70):
        articles.create(Article(title=f"Spieltag {number:02}"), actor=alice)

    first = search.search("spieltag", ["cms"])
    rest = search.search("spieltag", ["cms"], start=first.next_keys)

    assert (len(first.hits), len(rest.hits), rest.next_keys) == (50, 20, {})
    assert len({hit.key for hit in [*first.hits, *rest.hits]}) == 70


class TestRebuild:
    def rebuild(self, *options: str) -> str:
        out = StringIO()
        call_command("search", "rebuild", *options, stdout=out)
        return out.getvalue()

    @pytest.mark.usefixtures("shelf")
    def test_it_writes_lost_words_and_removes_stray_ones(self, alice: Actor) -> None:
        lost = articles.create(Article(title="Verloren"), actor=alice)
        self.delete_words("verloren")
        self.put_word("stray", lost.article_id)
        self.put_word("verloren", "no-such-record")

        assert self.rebuild() == "6 records indexed, 2 stray words removed.\n"

        assert titles("verloren") == ["Verloren"]
        assert words.starting_with("cms", "stray").items == []
        assert len(words.starting_with("cms", "verloren").items) == 1
        assert self.rebuild() == "6 records indexed, 0 stray words removed.\n"

    @pytest.mark.usefixtures("shelf")
    def test_a_dry_run_changes_nothing(self) -> None:
        self.delete_words("strassenfest")

        assert self.rebuild("--dry-run") == "5 records would be indexed, 0 stray words would be removed.\n"
        assert titles("strassenfest") == []

    def delete_words(self, word: str) -> None:
        for row in words.starting_with("cms", word).items:
            control.request("DeleteItem", TableName="fieldhouse", Key=row.raw_key())

    def put_word(self, word: str, key: str) -> None:
        operation = words.put("cms", word, entity="article", key=key)
        control.request("PutItem", TableName="fieldhouse", Item=operation.item)
