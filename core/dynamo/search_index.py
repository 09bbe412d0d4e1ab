"""The search index: one small item per word of a record, found by the word's first letters."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from pynamodb.attributes import UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.paging import Page, StartKey
from core.dynamo.queries import query, query_raw
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Operation

MOST_WORDS = 25
SHORTEST = 2
LONGEST = 30
LONGEST_ADDRESS = 100

# An e-mail address is a word of its own. It may end after the @, for who is still typing it.
_ADDRESS = re.compile(r"([^\W_][\w.+%'-]*)@[\w-]*(?:\.[\w-]+)*")
_WORD = re.compile(r"[^\W_]+")
# Letters that have no accent to take off but an agreed spelling without one.
_SPELLED = str.maketrans({"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"})
# How Germans write them where a keyboard has none.
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class WordRow(SupportItem):
    entity = UnicodeAttribute()
    key = UnicodeAttribute()


class IndexedWord(NamedTuple):
    """A word and the record that has it, as the sort key of a row says."""

    word: str
    entity: str
    key: str


def fold(text: str) -> str:
    """Lower case without accents, so that Müllheim is found by mullheim."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_SPELLED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def sort_form(text: str) -> str:
    """What a name is sorted by. A text of accents alone is sorted as it is: an index takes no empty key."""
    return fold(text) or text


def words_in(texts: Iterable[str]) -> list[str]:
    """The words of a search, in order, each once; an e-mail address is one word."""
    return _each_once(word for text in texts for word in _split(fold(text), parts_of_addresses=False))


def indexed_words(texts: Iterable[str]) -> list[str]:
    """The words by which a record is found: größere by grossere and by groessere.

    An e-mail address is found as a whole and by the words before its @. Its provider is no word: it would
    lead to everybody who has an address there.
    """
    composed = [unicodedata.normalize("NFC", text.casefold()) for text in texts]
    plain = (word for text in composed for word in _split(fold(text), parts_of_addresses=True))
    spelled_out = (
        word for text in composed for word in _split(fold(text.translate(_UMLAUTS)), parts_of_addresses=True)
    )
    return _each_once(chain.from_iterable(zip(plain, spelled_out, strict=True)))


def _split(folded: str, *, parts_of_addresses: bool) -> Iterator[str]:
    end = 0
    for address in _ADDRESS.finditer(folded) if "@" in folded else ():
        yield from _WORD.findall(folded, end, address.start())
        yield address[0]
        if parts_of_addresses:
            yield from _WORD.findall(address[1])
        end = address.end()
    yield from _WORD.findall(folded, end)


def _each_once(words: Iterable[str]) -> list[str]:
    cut = (word[: LONGEST_ADDRESS if "@" in word else LONGEST] for word in words)
    return list(dict.fromkeys(word for word in cut if len(word) >= SHORTEST))[:MOST_WORDS]


def put(scope: str, word: str, *, entity: str, key: str) -> Operation:
    return transactions.put(_row(scope, word, entity, key))


def remove(scope: str, word: str, *, entity: str, key: str) -> Operation:
    return transactions.delete(WordRow, _row(scope, word, entity, key).raw_key())


def partition(scope: str, word: str) -> str:
    """Words are spread by their first two letters, so that no partition grows hot."""
    return f"WORD#{scope}#{word[:2]}"


def starting_with(
    scope: str, beginning: str, *, limit: int = 100, start: StartKey | None = None
) -> Page[WordRow]:
    return query(WordRow, partition(scope, beginning), prefix=beginning, limit=limit, start=start)


def indexed_words_starting_with(
    scope: str, beginning: str, *, limit: int, start: StartKey | None = None
) -> tuple[list[IndexedWord], StartKey | None]:
    """Where records have a word that begins so, by word, and where the next rows begin; one request.

    Only sort keys are read: a thousand rows are looked through here in the time of a few records.
    """
    page = query_raw(
        WordRow, partition(scope, beginning), prefix=beginning, limit=limit, start=start, fields=("sk",)
    )
    return [_indexed_place(raw["SK"]["S"]) for raw in page.items], page.next_key


def key_of_row(scope: str, place: IndexedWord) -> StartKey:
    """Where a search goes on behind this row."""
    word, entity, key = place
    return _row(scope, word, entity, key).raw_key()


def _indexed_place(sort_key: str) -> IndexedWord:
    # Words and entities have no #, but keys may.
    word, entity, key = sort_key.split("#", 2)
    return IndexedWord(word, entity, key)


def _row(scope: str, word: str, entity: str, key: str) -> WordRow:
    return WordRow(pk=partition(scope, word), sk=f"{word}#{entity}#{key}", entity=entity, key=key)
