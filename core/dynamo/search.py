"""Search over the words of records, with a bounded number of requests however many records there are."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.dynamo import search_index
from core.dynamo.items import Item
from core.dynamo.paging import StartKey
from core.dynamo.registry import RecordRef, is_known, listed_fields, records_at, repository_for
from core.dynamo.repository import Repository
from core.dynamo.search_index import IndexedWord

MOST_RECORDS = 25
# Of the words that were typed, the longest ones are looked up; the others are asked of the records.
MOST_LOOKED_UP = 3
# Rows of a word that are read at first, and once more where those do not decide.
FEW_ROWS, MANY_ROWS = 100, 1000
# Records that are looked at where the rows did not decide.
MOST_LOOKED_AT = 100

MaySee = Callable[[Repository[Any], Item], bool]


@dataclass(frozen=True)
class Hit:
    entity: str
    key: str
    label: str
    item: Item


@dataclass(frozen=True)
class SearchResult:
    """The records found, and where each scope's search goes on when there is more to look through."""

    hits: Sequence[Hit]
    next_keys: dict[str, StartKey] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidates:
    """Rows of one scope whose records may have every word, in the order of the rows."""

    rows: Sequence[IndexedWord] = ()
    # Where the rows begin that were not read.
    end: StartKey | None = None
    # The last row whose record was looked at.
    last: StartKey | None = None
    # If not, some rows of another word were not read: whether a record has that word, only the record says.
    are_certain: bool = True
    are_many_rows_read: bool = False

    @property
    def next_key(self) -> StartKey | None:
        return self.last if self.rows else self.end

    @property
    def are_decided(self) -> bool:
        """Whether there is nothing to gain from reading more rows."""
        are_few = self.end is None and len(self.rows) <= MOST_RECORDS
        return self.are_certain or are_few or self.are_many_rows_read


@dataclass(frozen=True)
class Lookup:
    """What is looked for: words of which none begins another one, in records of these entities."""

    wanted: Sequence[str]
    entities: Collection[str] | None

    @property
    def looked_up(self) -> Sequence[str]:
        return self.wanted[:MOST_LOOKED_UP]

    def candidates(self, scope: str, start: StartKey | None, *, limit: int) -> Candidates:
        """One Query for each word, until one has no rows.

        The rarest word leads; a record that has no row of another word is left out.
        """
        leading = self._leading(start)
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
                if self._is_searched(row.entity) and all((row.entity, row.key) in each for each in others)
            ],
            end=end,
            are_certain=len({*complete, leading}) == len(self.wanted),
            are_many_rows_read=limit == MANY_ROWS,
        )

    def _leading(self, start: StartKey | None) -> str | None:
        """A search that goes on keeps to the word whose rows it has begun with."""
        if start is None:
            return None
        return next((word for word in self.looked_up if start["SK"]["S"].startswith(word)), None)

    def _is_searched(self, entity: str) -> bool:
        return is_known(entity) if self.entities is None else entity in self.entities


def search(
    text: str,
    scopes: Sequence[str],
    *,
    may_see: MaySee,
    entities: Collection[str] | None = None,
    start: dict[str, StartKey] | None = None,
) -> SearchResult:
    """The records in which every word of the text begins a word, and which the person may see.

    `may_see` has no default: a search that forgets to ask must not show everything. Records of other
    `entities` are not even read.

    For each word (the three longest ones) and scope it takes one Query, then one BatchGet. Where the rows of
    very common words do not decide, or nothing of what they lead to may be seen, it takes that once more
    with more of them: at most 2 * words * scopes + 2 requests. If nothing is found even so, `next_keys`
    lead on.

    With `start`, the `next_keys` of an earlier answer, the search goes on where that one stopped.
    """
    lookup = Lookup(_longest_first(search_index.words_in([text])), entities)
    starts = {scope: start[scope] if start else None for scope in scopes if start is None or scope in start}
    if not lookup.wanted or not starts:
        return SearchResult(hits=[])
    # With a single word there is nothing to compare: no more rows are read than records are shown.
    limit = MOST_RECORDS if len(lookup.wanted) == 1 else FEW_ROWS
    found = {scope: lookup.candidates(scope, key, limit=limit) for scope, key in starts.items()}
    found |= {
        scope: lookup.candidates(scope, starts[scope], limit=MANY_ROWS)
        for scope, each in found.items()
        if not each.are_decided
    }
    most = MOST_RECORDS if all(each.are_certain for each in found.values()) else MOST_LOOKED_AT
    hits, rest = _look_at(found, lookup.wanted, may_see, most=most)
    if not hits and rest:
        rest |= {
            scope: lookup.candidates(scope, each.end, limit=MANY_ROWS)
            for scope, each in rest.items()
            if not each.rows and not each.are_many_rows_read
        }
        hits, rest = _look_at(rest, lookup.wanted, may_see, most=MOST_LOOKED_AT)
    return SearchResult(
        hits, {scope: key for scope, each in rest.items() if (key := each.next_key) is not None}
    )


def _longest_first(wanted: Sequence[str]) -> list[str]:
    """Without those that begin another one: whatever has the longer word has the shorter one as well."""
    needed = [word for word in wanted if not any(each != word and each.startswith(word) for each in wanted)]
    return sorted(needed, key=len, reverse=True)


def _look_at(
    found: Mapping[str, Candidates], wanted: Sequence[str], may_see: MaySee, *, most: int
) -> tuple[list[Hit], dict[str, Candidates]]:
    """The hits among the first candidates, by one BatchGet, and the candidates behind those."""
    counts = {scope: len(each.rows) for scope, each in found.items()}
    looked_at, shown = _shares(counts, most), _shares(counts, MOST_RECORDS)
    live = _live([row for scope, each in found.items() for row in each.rows[: looked_at[scope]]])
    hits: dict[RecordRef, Hit] = {}
    rest: dict[str, Candidates] = {}
    for scope, each in found.items():
        room = len(hits) + shown[scope]
        passed = 0
        for row in each.rows[: looked_at[scope]]:
            hit = live.get((row.entity, row.key))
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


def _shares(counts: Mapping[str, int], most: int) -> dict[str, int]:
    """How many rows of each scope are taken: all together `most`, of those that have few, all."""
    shares: dict[str, int] = {}
    for number, (scope, count) in enumerate(sorted(counts.items(), key=lambda each: each[1])):
        room = most - sum(shares.values())
        shares[scope] = min(count, max(1, room // (len(counts) - number)))
    return shares


def _live(rows: Iterable[IndexedWord]) -> dict[RecordRef, Hit]:
    """The records behind the rows as lists show them."""
    places = list(dict.fromkeys((row.entity, row.key) for row in rows))
    found = records_at(places, fields=listed_fields({entity for entity, _key in places}))
    return {
        (entity, key): Hit(entity, key, repository_for(entity).label_of(item), item)
        for (entity, key), item in found.items()
    }


def _matches(hit: Hit, wanted: Sequence[str]) -> bool:
    own = repository_for(hit.entity).words_of(hit.item)
    return all(any(word.startswith(beginning) for word in own) for beginning in wanted)
