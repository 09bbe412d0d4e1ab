"""The search index: one small item per word of a record, found by the word's first letters."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain

from pynamodb.attributes import UnicodeAttribute

from dynamo import transactions
from dynamo.paging import Page, StartKey
from dynamo.queries import query
from dynamo.support import SupportItem
from dynamo.transactions import Operation

MOST_WORDS = 25
SHORTEST = 2
LONGEST = 30

_WORD = re.compile(r"[^\W_]+")
# Letters that have no accent to take off but an agreed spelling without one.
_SPELLED = str.maketrans({"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"})
# How Germans write them where a keyboard has none.
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class WordRow(SupportItem):
    entity = UnicodeAttribute()
    key = UnicodeAttribute()


def fold(text: str) -> str:
    """Lower case without accents, so that Müllheim is found by mullheim."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_SPELLED))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def sort_form(text: str) -> str:
    """What a name is sorted by. A text of accents alone is sorted as it is: an index takes no empty key."""
    return fold(text) or text


def words_in(texts: Iterable[str]) -> list[str]:
    """The words of a search, in order, each once."""
    return _each_once(word for text in texts for word in _WORD.findall(fold(text)))


def indexed_words(texts: Iterable[str]) -> list[str]:
    """The words by which a record is found: größere by grossere and by groessere."""
    composed = [unicodedata.normalize("NFC", text.casefold()) for text in texts]
    plain = (word for text in composed for word in _WORD.findall(fold(text)))
    spelled_out = (word for text in composed for word in _WORD.findall(fold(text.translate(_UMLAUTS))))
    return _each_once(chain.from_iterable(zip(plain, spelled_out, strict=True)))


def _each_once(words: Iterable[str]) -> list[str]:
    cut = (word[:LONGEST] for word in words)
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


def _row(scope: str, word: str, entity: str, key: str) -> WordRow:
    return WordRow(pk=partition(scope, word), sk=f"{word}#{entity}#{key}", entity=entity, key=key)
