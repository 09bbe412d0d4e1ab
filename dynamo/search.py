"""Search over the words of records: one Query per scope, one BatchGet, however many records there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dynamo import words
from dynamo.items import Item
from dynamo.paging import StartKey
from dynamo.registry import is_known, records_at, repository_for
from dynamo.repository import Repository
from dynamo.words import WordRow

MOST_RECORDS = 50
FEWEST_PER_SCOPE = 10

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
    per_scope = max(FEWEST_PER_SCOPE, MOST_RECORDS // len(searched))
    rows: list[WordRow] = []
    next_keys: dict[str, StartKey] = {}
    for scope in searched:
        page = words.starting_with(
            scope, max(wanted, key=len), limit=per_scope, start=start[scope] if start else None
        )
        rows.extend(page.items)
        if page.next_key is not None:
            next_keys[scope] = page.next_key
    hits = [
        hit for hit in _live(rows) if _matches(hit, wanted) and may_see(repository_for(hit.entity), hit.item)
    ]
    return Found(hits=hits, next_keys=next_keys)


def _live(rows: Sequence[WordRow]) -> list[Hit]:
    """The records behind the rows as they are now, in the order of the rows, each once."""
    places = list(dict.fromkeys((row.entity, row.key) for row in rows if is_known(row.entity)))
    found = records_at(places)
    return [
        Hit(entity, key, repository_for(entity).label_of(found[entity, key]), found[entity, key])
        for entity, key in places
        if (entity, key) in found
    ]


def _matches(hit: Hit, wanted: Sequence[str]) -> bool:
    own = repository_for(hit.entity).words_of(hit.item)
    return all(any(word.startswith(beginning) for word in own) for beginning in wanted)
