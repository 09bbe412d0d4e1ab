"""The search index: one small item per word of a record, found by a prefix of the word."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Self

from core.dynamo import transactions
from core.dynamo.paging import StartKey
from core.dynamo.queries import query_raw
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Operation

MOST_WORDS = 25
SHORTEST = 2
LONGEST = 30
LONGEST_ADDRESS = 100

# An e-mail address is one word. It may end after the @, because it is searched while it is being typed.
_ADDRESS = re.compile(r"([^\W_][\w.+%'-]*)@[\w-]*(?:\.[\w-]+)*")
_WORD = re.compile(r"[^\W_]+")
# Letters that Unicode does not decompose, with their usual spelling.
_SPELLED = str.maketrans({"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"})
# How umlauts are written without an umlaut key.
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class IndexedWord(NamedTuple):
    """A word and the entity and key of a record that has it, read from a sort key."""

    word: str
    entity: str
    key: str

    @classmethod
    def of(cls, sort_key: str) -> Self:
        # Words and entities have no #, but keys may.
        return cls(*sort_key.split("#", 2))

    @property
    def record(self) -> tuple[str, str]:
        return self.entity, self.key


class WordRow(SupportItem):
    """Most items are such rows, so they have nothing but their key."""

    @property
    def place(self) -> IndexedWord:
        return IndexedWord.of(self.sk)


def fold(text: str) -> str:
    """Lower case without accents, so that Müllheim is found by mullheim."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_SPELLED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def sort_form(text: str) -> str:
    """The sort key of a name. A text of accents alone stays as it is, because a key must not be empty."""
    return fold(text) or text


def words_in(texts: Iterable[str]) -> list[str]:
    """The words of a search, in order, each once; an e-mail address is one word."""
    return _each_once(word for text in texts for word in _split(fold(text), parts_of_addresses=False))


def indexed_words(texts: Iterable[str]) -> list[str]:
    """The words by which a record is found: größere by grossere and by groessere.

    An e-mail address is found as a whole and by the words before its @, not by its domain.
    """
    return list(_indexed_words(tuple(texts)))


# A search compares the words of all records that it has found, often of the same ones.
@lru_cache(maxsize=1024)
def _indexed_words(texts: tuple[str, ...]) -> list[str]:
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
    """The partition key of a word: with its first two letters, to spread the load."""
    return f"WORD#{scope}#{word[:2]}"


def indexed_words_starting_with(
    scope: str, beginning: str, *, limit: int, start: StartKey | None = None
) -> tuple[list[IndexedWord], StartKey | None]:
    """The words with this prefix and their records, in order, and the next start key; one request.

    Only sort keys are read, so a thousand rows take as long as a few records.
    """
    page = query_raw(
        WordRow, partition(scope, beginning), prefix=beginning, limit=limit, start=start, fields=("sk",)
    )
    return [IndexedWord.of(raw["SK"]["S"]) for raw in page.items], page.next_key


def key_of_row(scope: str, place: IndexedWord) -> StartKey:
    """The start key behind this row."""
    return _row(scope, *place).raw_key()


def _row(scope: str, word: str, entity: str, key: str) -> WordRow:
    return WordRow(pk=partition(scope, word), sk=f"{word}#{entity}#{key}")
