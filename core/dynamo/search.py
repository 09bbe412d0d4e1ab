"""Search by words, with a bounded number of requests however many records there are."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.dynamo import search_index
from core.dynamo.items import Item
from core.dynamo.paging import StartKey
from core.dynamo.registry import RecordRef, is_known, listed_fields, records_at, repository_for
from core.dynamo.repository import Repository
from core.dynamo.search_index import IndexedWord

# A page of results: twice as many cost twice as much, since each is read by its key.
MOST_RECORDS = 20
# The longest typed words are looked up in the index; the others are checked on the records.
MOST_LOOKED_UP = 3
# Rows of a word that are read at first, and in a second attempt if those do not decide.
FEW_ROWS, MANY_ROWS = 100, 1000
# Records that are checked if the rows did not decide.
MOST_CHECKED = 100

MaySee = Callable[[Repository[Any], Item], bool]


@dataclass(frozen=True)
class Hit:
    entity: str
    key: str
    label: str
    item: Item


@dataclass(frozen=True)
class SearchResult:
    """The records found, and by scope the start key of the rows that were not looked through."""

    hits: Sequence[Hit]
    next_keys: dict[str, StartKey] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidates:
    """Index rows of one scope whose records may have every word, in their order."""

    rows: Sequence[IndexedWord] = ()
    # The start key of the rows that were not read.
    end: StartKey | None = None
    # The key of the last row whose record was checked.
    last: StartKey | None = None
    # False if not all rows of another word were read: then that word must be checked on the record.
    are_certain: bool = True
    are_many_rows_read: bool = False

    @property
    def next_key(self) -> StartKey | None:
        return self.last if self.rows else self.end

    @property
    def are_decided(self) -> bool:
        """Whether reading more rows would gain nothing."""
        are_few = self.end is None and len(self.rows) <= MOST_RECORDS
        return self.are_certain or are_few or self.are_many_rows_read


@dataclass(frozen=True)
class Lookup:
    """A search: words of which none is a prefix of another one, in records of these entities."""

    wanted: Sequence[str]
    entities: Collection[str] | None

    @property
    def looked_up(self) -> Sequence[str]:
        return self.wanted[:MOST_LOOKED_UP]

    def candidates(self, scope: str, start: StartKey | None, *, limit: int) -> Candidates:
        """One Query for each word, until one has no rows.

        The rarest word leads; a record that has no row of another word is left out.
        """
        # With a start key, it belongs to the rows of one word.
        leading = next((word for word in self.looked_up if start and start["SK"]["S"].startswith(word)), None)
        read: dict[str, tuple[list[IndexedWord], StartKey | None]] = {}
        for word in self.looked_up:
            read[word] = search_index.indexed_words_starting_with(
                scope, word, limit=limit, start=start if word == leading else None
            )
            if read[word] == ([], None):
                return Candidates()
        complete = [word for word, (_rows, next_key) in read.items() if next_key is None]
        if leading is None:
            leading = min(complete, key=lambda word: len(read[word][0])) if complete else self.looked_up[0]
        rows, end = read[leading]
        others = [{(row.entity, row.key) for row in read[word][0]} for word in complete if word != leading]
        return Candidates(
            rows=[
                row
                for row in rows
                if (is_known(row.entity) if self.entities is None else row.entity in self.entities)
                and all((row.entity, row.key) in each for each in others)
            ],
            end=end,
            are_certain=len({*complete, leading}) == len(self.wanted),
            are_many_rows_read=limit == MANY_ROWS,
        )


def search(
    text: str,
    scopes: Sequence[str],
    *,
    may_see: MaySee,
    entities: Collection[str] | None = None,
    start: dict[str, StartKey] | None = None,
    limit: int = MOST_RECORDS,
) -> SearchResult:
    """The records of which every word of the text is the prefix of a word, and which the person may see.

    `may_see` has no default, so that no search shows everything by mistake. Records of entities that are not
    in `entities` are not read.

    It takes one Query for each scope and word (the three longest ones), then one BatchGet. If the rows of
    very common words do not decide, or the person may see none of their records, this is repeated once with
    more rows: at most 2 * words * scopes + 2 requests. If nothing is found even so, `next_keys` are set.

    With `start`, the `next_keys` of an earlier result, the search continues there. `limit` is at most
    MOST_RECORDS; each scope shows at least one record.
    """
    lookup = Lookup(_longest_first(search_index.words_in([text])), entities)
    starts = {scope: start[scope] if start else None for scope in scopes if start is None or scope in start}
    if not lookup.wanted or not starts:
        return SearchResult(hits=[])
    # The rows of a single word are compared with no others: no more are read than records are shown.
    rows = MOST_RECORDS if len(lookup.wanted) == 1 else FEW_ROWS
    found = {scope: lookup.candidates(scope, key, limit=rows) for scope, key in starts.items()}
    found |= {
        scope: lookup.candidates(scope, starts[scope], limit=MANY_ROWS)
        for scope, each in found.items()
        if not each.are_decided
    }
    most = MOST_RECORDS if all(each.are_certain for each in found.values()) else MOST_CHECKED
    hits, rest = _check_records(found, lookup.wanted, may_see, checked=most, shown=limit)
    if not hits and rest:
        rest |= {
            scope: lookup.candidates(scope, each.end, limit=MANY_ROWS)
            for scope, each in rest.items()
            if not each.rows and not each.are_many_rows_read
        }
        hits, rest = _check_records(rest, lookup.wanted, may_see, checked=MOST_CHECKED, shown=limit)
    return SearchResult(
        hits, {scope: key for scope, each in rest.items() if (key := each.next_key) is not None}
    )


def _longest_first(wanted: Sequence[str]) -> list[str]:
    """The words without those that are the prefix of another one: a match of that matches these too."""
    needed = [word for word in wanted if not any(each != word and each.startswith(word) for each in wanted)]
    return sorted(needed, key=len, reverse=True)


def _check_records(
    found: Mapping[str, Candidates], wanted: Sequence[str], may_see: MaySee, *, checked: int, shown: int
) -> tuple[list[Hit], dict[str, Candidates]]:
    """The hits among the first candidates, by one BatchGet, and the remaining candidates."""
    counts = {scope: len(each.rows) for scope, each in found.items()}
    checks, shows = _split_fairly(counts, checked), _split_fairly(counts, shown)
    existing = _fetch([row for scope, each in found.items() for row in each.rows[: checks[scope]]])
    hits: dict[RecordRef, Hit] = {}
    rest: dict[str, Candidates] = {}
    for scope, each in found.items():
        room = len(hits) + shows[scope]
        passed = 0
        for row in each.rows[: checks[scope]]:
            hit = existing.get((row.entity, row.key))
            if hit and _matches(hit, wanted) and may_see(repository_for(hit.entity), hit.item):
                hits[hit.entity, hit.key] = hit
            passed += 1
            if len(hits) == room:
                break
        last = search_index.key_of_row(scope, each.rows[passed - 1]) if passed else None
        left = replace(each, rows=each.rows[passed:], last=last)
        if left.next_key is not None:
            rest[scope] = left
    return list(hits.values()), rest


def _split_fairly(counts: Mapping[str, int], most: int) -> dict[str, int]:
    """How many rows of each scope are taken, `most` in total: all of small scopes, else equal shares."""
    shares: dict[str, int] = {}
    for number, (scope, count) in enumerate(sorted(counts.items(), key=lambda each: each[1])):
        room = most - sum(shares.values())
        shares[scope] = min(count, max(1, room // (len(counts) - number)))
    return shares


def _fetch(rows: Iterable[IndexedWord]) -> dict[RecordRef, Hit]:
    """The records of the rows, with the attributes that lists show."""
    places = list(dict.fromkeys((row.entity, row.key) for row in rows))
    found = records_at(places, fields=listed_fields({entity for entity, _key in places}))
    return {
        (entity, key): Hit(entity, key, repository_for(entity).label_of(item), item)
        for (entity, key), item in found.items()
    }


def _matches(hit: Hit, wanted: Sequence[str]) -> bool:
    own = repository_for(hit.entity).words_of(hit.item)
    return all(any(word.startswith(beginning) for word in own) for beginning in wanted)
