"""Finding records by the beginnings of their words."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from core.dynamo import maintenance, metering, search, search_index
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.items import Item
from core.dynamo.repository import Repository
from tests.core.dynamo.found import put_word, rows_of, titles
from tests.core.dynamo.library import Article, Picture, Trip, articles, everybody_may, pictures, trips

pytestmark = pytest.mark.usefixtures("db")


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
        search.search("sommer", ["cms", "quests", "scouting"], may_see=everybody_may)

    assert meter.operations == ["Query", "Query", "Query", "BatchGetItem"]


def test_words_follow_the_record(alice: Actor) -> None:
    article = articles.create(Article(title="Winterball", tags={"gala"}), actor=alice)
    article = articles.update(article, {"title": "Sommerball"}, actor=alice)

    assert titles("winterball") == []
    assert titles("sommerball") == titles("gala") == ["Sommerball"]


def test_at_most_25_words_are_kept_and_long_ones_are_cut() -> None:
    assert search_index.words_in([" ".join(f"word{n}" for n in range(40))]) == [f"word{n}" for n in range(25)]
    assert search_index.words_in(["x" * 100]) == ["x" * 30]
    assert search_index.words_in(["a b cc CC ćć"]) == ["cc"]


def test_a_search_can_go_on_where_it_stopped(alice: Actor) -> None:
    for number in range(55):
        articles.create(Article(title=f"Spieltag {number:02}"), actor=alice)

    first = search.search("spieltag", ["cms"], may_see=everybody_may)
    second = search.search("spieltag", ["cms"], start=first.next_keys, may_see=everybody_may)
    rest = search.search("spieltag", ["cms"], start=second.next_keys, may_see=everybody_may)

    assert (len(first.hits), len(second.hits), len(rest.hits), rest.next_keys) == (20, 20, 15, {})
    assert len({hit.key for hit in [*first.hits, *second.hits, *rest.hits]}) == 55


def test_a_search_that_goes_on_keeps_to_the_scopes_of_the_person_now(alice: Actor) -> None:
    for number in range(35):
        articles.create(Article(title=f"Spieltag {number:02}"), actor=alice)
    start = search.search("spieltag", ["cms"], may_see=everybody_may).next_keys
    assert start.keys() == {"cms"}

    assert search.search("spieltag", ["quests"], start=start, may_see=everybody_may) == search.SearchResult(
        hits=[]
    )
    assert len(search.search("spieltag", ["quests", "cms"], start=start, may_see=everybody_may).hits) == 15
    assert search.search("spieltag", ["cms"], start={}, may_see=everybody_may).hits == []


def test_20_records_are_read_of_all_scopes_together_and_none_is_passed_over(alice: Actor) -> None:
    for number in range(30):
        articles.create(Article(title=f"Spieltag {number:02}"), actor=alice)
        trips.create(Trip(pk=f"TRIP#{number:02}", goal=f"Spieltag {number:02}", team="1"), actor=alice)
    trips.create(Trip(pk="TRIP#few", goal="Spieltag", team="2"), actor=alice)
    scopes = ["cms", "team:1", "team:2", "quests"]

    with metering.metered() as meter:
        pages = [search.search("spieltag", scopes, may_see=everybody_may)]
    while pages[-1].next_keys:
        start = pages[-1].next_keys
        pages.append(search.search("spieltag", scopes, may_see=everybody_may, start=start))

    assert meter.calls[-1].items == 20
    assert Counter(hit.entity for hit in pages[0].hits) == {"article": 9, "trip": 11}
    found = [(hit.entity, hit.key) for page in pages for hit in page.hits]
    assert len(found) == len(set(found)) == 61


def test_a_scope_without_hits_leaves_its_room_to_the_others(alice: Actor) -> None:
    for number in range(30):
        articles.create(Article(title=f"Spieltag {number:02}"), actor=alice)

    def found(scopes: int) -> int:
        others = [f"team:{number}" for number in range(scopes - 1)]
        return len(search.search("spieltag", ["cms", *others], may_see=everybody_may).hits)

    assert (found(1), found(2), found(10)) == (20, 20, 20)


def shelve(alice: Actor, *titles: str) -> None:
    for title in titles:
        articles.create(Article(title=title), actor=alice)


def fill(titles: Iterable[str], alice: Actor) -> None:
    """Many articles, stored with their words as a transaction would, but by batches."""
    items = [Article(title=title, created_at=now(), updated_at=now(), version=1) for title in titles]
    stored: dict[str, list[dict[str, Any]]] = {}
    for item in items:
        stored.setdefault(Article.Meta.table_name, []).append(item.serialize())
        for word in articles.words_of(item):
            row = search_index.put("cms", word, entity="article", key=articles.key_of(item))
            stored.setdefault("fieldhouse", []).append(row.item or {})
    for table, rows in stored.items():
        for first in range(0, len(rows), 25):
            puts = [{"PutRequest": {"Item": row}} for row in rows[first : first + 25]]
            maintenance.request("BatchWriteItem", RequestItems={table: puts})


@pytest.mark.parametrize("records", [50, 500])
def test_a_rare_word_is_found_among_any_number_of_records_with_a_longer_one(
    alice: Actor, records: int
) -> None:
    fill((f"Wagner {number:03}" for number in range(records)), alice)
    shelve(alice, "Zoe Wagner")

    with metering.metered() as meter:
        assert titles("zoe wagner") == ["Zoe Wagner"]

    assert meter.operations == ["Query", "Query", "BatchGetItem"]
    assert [call.items for call in meter.calls[1:]] == [1, 1]
    assert meter.units <= 3.5


def test_of_two_common_words_only_the_records_that_have_both_are_read(alice: Actor) -> None:
    shelve(alice, *(f"Heimspiel {number:02}" for number in range(40)))
    shelve(alice, *(f"Turnier {number:02}" for number in range(40)), "Turnier mit Heimspiel")

    with metering.metered() as meter:
        assert titles("heim turn") == ["Turnier mit Heimspiel"]

    assert [call.items for call in meter.calls] == [41, 41, 1]


def test_where_the_first_rows_of_two_common_words_decide_nothing_more_rows_are_read_once(
    alice: Actor,
) -> None:
    fill((f"Heimspiel {number:03}" for number in range(250)), alice)
    fill((f"Turnier {number:03}" for number in range(250)), alice)
    shelve(alice, "Turnier mit Heimspiel")

    with metering.metered() as meter:
        found = search.search("heimspiel turnier", ["cms"], may_see=everybody_may)

    assert ([hit.label for hit in found.hits], found.next_keys) == (["Turnier mit Heimspiel"], {})
    assert meter.operations == ["Query"] * 4 + ["BatchGetItem"]
    assert [call.items for call in meter.calls] == [100, 100, 251, 251, 1]


def test_where_every_word_is_in_a_thousand_records_a_search_leads_on_until_it_finds(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With tenths of the limits, so that a hundred records are as a thousand."""
    monkeypatch.setattr(search, "FEW_ROWS", 10)
    monkeypatch.setattr(search, "MANY_ROWS", 100)
    monkeypatch.setattr(search, "MOST_CHECKED", 50)
    fill((f"Heimspiel {number:03}" for number in range(120)), alice)
    fill((f"Turnier {number:03}" for number in range(120)), alice)
    shelve(alice, "Turnier mit Heimspiel")

    pages: list[search.SearchResult] = []
    requests: list[int] = []
    while not pages or pages[-1].next_keys:
        with metering.metered() as meter:
            start = pages[-1].next_keys if pages else None
            pages.append(search.search("heimspiel turnier", ["cms"], may_see=everybody_may, start=start))
        requests.append(meter.requests)

    assert [hit.label for page in pages for hit in page.hits] == ["Turnier mit Heimspiel"]
    assert max(requests) == 6


def test_what_the_person_may_not_see_leaves_no_empty_page_before_what_they_may(alice: Actor) -> None:
    shelve(alice, *(f"Spieltag {number:02}" for number in range(60)))

    def may_see(_repository: Repository[Item], item: Item) -> bool:
        return isinstance(item, Article) and item.title == "Spieltag 59"

    with metering.metered() as meter:
        found = search.search("spieltag", ["cms"], may_see=may_see)

    assert ([hit.label for hit in found.hits], found.next_keys) == (["Spieltag 59"], {})
    assert meter.operations == ["Query", "BatchGetItem", "Query", "BatchGetItem"]
    assert [call.items for call in meter.calls] == [20, 20, 40, 40]


def test_records_of_other_entities_are_not_read(alice: Actor) -> None:
    shelve(alice, *(f"Spieltag {number:02}" for number in range(40)))
    pictures.create(Picture(album="2026", number="1", caption="Spieltag"), actor=alice)

    with metering.metered() as meter:
        found = search.search("spieltag", ["cms"], may_see=everybody_may, entities={"picture"})

    assert [hit.label for hit in found.hits] == ["Spieltag"]
    assert meter.operations == ["Query", "Query", "BatchGetItem"]
    assert [call.items for call in meter.calls] == [20, 21, 1]


def test_of_many_words_the_three_longest_are_looked_up_and_the_others_asked_of_the_record(
    alice: Actor,
) -> None:
    shelve(alice, "Der Ball ist rund und das Spiel dauert", "Der Ball ist eckig, denn Spiel dauert")

    with metering.metered() as meter:
        assert titles("ball rund das spiel dauert") == ["Der Ball ist rund und das Spiel dauert"]

    assert meter.operations == ["Query", "Query", "Query", "BatchGetItem"]


def test_a_word_that_begins_another_one_is_not_looked_up(alice: Actor) -> None:
    shelve(alice, "Sommerfest")

    with metering.metered() as meter:
        assert titles("so sommer sommerfest") == ["Sommerfest"]

    assert meter.operations == ["Query", "BatchGetItem"]


def test_an_address_is_found_as_a_whole_among_many_of_the_same_provider(alice: Actor) -> None:
    fill((f"Person{number:03} person{number:03}@gmail.com" for number in range(150)), alice)
    shelve(alice, "Zoe zoe_w.wagner+club@gmail.com")

    for text in ("zoe_w.wagner+club@gmail.com", "ZOE_W.Wagner+club@gm", "zoe_w.wagner+club@", "zoe wagner"):
        with metering.metered() as meter:
            assert titles(text) == ["Zoe zoe_w.wagner+club@gmail.com"]
        assert meter.calls[-1].items == 1
    assert titles("gmail") == titles("com") == titles("@gmail.com") == []


def test_an_address_is_one_word_with_the_words_before_its_at_and_without_its_provider() -> None:
    assert search_index.indexed_words(["Mail an zoe.wagner@gmail.com."]) == [
        *("mail", "an", "zoe.wagner@gmail.com", "zoe", "wagner"),
    ]
    assert search_index.indexed_words(["jürgen@web.de"]) == [
        *("jurgen@web.de", "juergen@web.de", "jurgen", "juergen"),
    ]
    assert search_index.words_in(["Mail an zoe.wagner@gmail.com"]) == ["mail", "an", "zoe.wagner@gmail.com"]
    assert search_index.words_in(["a" * 200 + "@gmail.com"]) == ["a" * 100]


def test_letters_that_are_written_as_one_are_found_as_two(alice: Actor) -> None:
    articles.create(Article(title="\ufb01nale \uff21\uff22"), actor=alice)

    assert len(titles("finale")) == len(titles("ab")) == 1


@pytest.mark.parametrize(
    "text",
    ["größere", "grössere", "grossere", "groessere", "GRÖSSERE", "groess", "gros", "groe", "gro\u0308ssere"],
)
def test_umlauts_are_found_with_and_without_them_and_spelled_out(alice: Actor, text: str) -> None:
    articles.create(Article(title="Eine größere Halle"), actor=alice)

    assert titles(text) == ["Eine größere Halle"]


def test_a_word_without_umlauts_is_indexed_once() -> None:
    assert search_index.indexed_words(["Neue Poeten in Müllheim"]) == [
        "neue",
        "poeten",
        "in",
        "mullheim",
        "muellheim",
    ]


def test_a_record_is_found_in_its_own_scope_and_moves_with_it(alice: Actor) -> None:
    trip = trips.create(Trip(pk="TRIP#1", goal="Hamburg", team="1"), actor=alice)
    assert (titles("hamburg", "team:1"), titles("hamburg", "trips")) == (["Hamburg"], [])

    trips.update(trip, {"team": "2"}, actor=alice)

    assert (titles("hamburg", "team:1"), titles("hamburg", "team:2")) == ([], ["Hamburg"])
    assert rows_of("team:1", "hamburg") == []


def test_words_of_an_entity_that_is_no_more_are_passed_over(alice: Actor) -> None:
    articles.create(Article(title="Geisterstunde"), actor=alice)
    put_word("geist", "1", entity="ghost")

    assert titles("geist") == ["Geisterstunde"]
