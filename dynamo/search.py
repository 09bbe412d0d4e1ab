"""Search over the words of records: one Query per scope, one BatchGet, however many records there are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dynamo import words
from dynamo.items import Item
from dynamo.paging import Page, StartKey
from dynamo.registry import is_known, listed_fields, records_at, repository_for
from dynamo.repository import Repository
from dynamo.words import WordRow

MOST_RECORDS = 25

MaySee = Callable[[Repository[Any], Item], bool]


@dataclass(frozen=True)
class Hit:
    entity: str
    key: str
    label: str
    item: Item


@dataclass(frozen=True)
class Found:
    """The records found, and where each scope's search goes on when there is more to look through."""

    hits: Sequence[Hit]
    next_keys: dict[str, StartKey] = field(default_factory=dict)


def search(
    text: str,
    scopes: Sequence[str],
    *,
    may_see: MaySee,
    start: dict[str, StartKey] | None = None,
) -> Found:
    """The records in which every word of the text begins a word, and which the person may see.

    `may_see` has no default: a search that forgets to ask must not show everything.

    With `start`, the `next_keys` of an earlier answer, the search goes on where that one stopped.
    """
    wanted = words.words_in([text])
    searched = [scope for scope in scopes if start is None or scope in start]
    if not wanted or not searched:
        return Found(hits=[])
    rarest = max(wanted, key=len)
    found = {
        scope: words.starting_with(scope, rarest, limit=MOST_RECORDS, start=start[scope] if start else None)
        for scope in searched
    }
    shares = _shares({scope: len(page.items) for scope, page in found.items()})
    pages = {scope: _first(page, shares[scope]) for scope, page in found.items()}
    rows = [row for page in pages.values() for row in page.items]
    next_keys = {scope: page.next_key for scope, page in pages.items() if page.next_key is not None}
    hits = [
        hit for hit in _live(rows) if _matches(hit, wanted) and may_see(repository_for(hit.entity), hit.item)
    ]
    return Found(hits=hits, next_keys=next_keys)


def _shares(found: Mapping[str, int]) -> dict[str, int]:
    """How many rows of each scope are taken: all together 25, of those that have few, all."""
    shares: dict[str, int] = {}
    for number, (scope, rows) in enumerate(sorted(found.items(), key=lambda each: each[1])):
        room = MOST_RECORDS - sum(shares.values())
        shares[scope] = min(rows, max(1, room // (len(found) - number)))
    return shares


def _first(page: Page[WordRow], most: int) -> Page[WordRow]:
    """The first rows of a page; the next one begins behind them."""
    return page if len(page.items) <= most else Page(page.items[:most], page.items[most - 1].raw_key())


def _live(rows: Sequence[WordRow]) -> list[Hit]:
    """The records behind the rows as lists show them, in the order of the rows, each once."""
    places = list(dict.fromkeys((row.entity, row.key) for row in rows if is_known(row.entity)))
    found = records_at(places, fields=listed_fields({entity for entity, _key in places}))
    return [
        Hit(entity, key, repository_for(entity).label_of(found[entity, key]), found[entity, key])
        for entity, key in places
        if (entity, key) in found
    ]


def _matches(hit: Hit, wanted: Sequence[str]) -> bool:
    own = repository_for(hit.entity).words_of(hit.item)
    return all(any(word.startswith(beginning) for word in own) for beginning in wanted)
