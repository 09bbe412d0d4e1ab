"""The differences between two versions of a record, field by field, as display texts."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django import forms

from core.crud.display import EMPTY, Names, UnparsedText, display_parts, display_value, title_of
from core.crud.fields.richtext import RichTextField
from core.dynamo.errors import Text

WORD = re.compile(r"\S+\s*|\s+")
# From this length on, a change is marked within the text; shorter texts are shown before and after.
LONG = 80
# The number of words shown around a change, and below which words between two changes join them.
CONTEXT = 12
TOO_FEW = 2
# The worst case of the comparison is the product of both lengths; beyond this the texts are shown whole.
MOST_WORK = 1_000_000

PieceKind = Literal["same", "removed", "added", "skipped"]
Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class Piece:
    """A part of a text. A skipped one is equal on both sides and too long to show."""

    kind: PieceKind
    text: str = ""


@dataclass(frozen=True)
class Difference:
    """One field that differs. `kind` says which of the attributes are set."""

    name: str
    title: Text
    kind: Literal["values", "words", "list", "formatting"]
    before: str = ""
    after: str = ""
    pieces: Sequence[Piece] = ()
    removed: Sequence[str] = ()
    added: Sequence[str] = ()


def differences(
    fields: Mapping[str, forms.Field], before: Mapping[str, Any], after: Mapping[str, Any], names: Names
) -> list[Difference]:
    found = (
        difference(name, each, before.get(name), after.get(name), names) for name, each in fields.items()
    )
    return [each for each in found if each is not None]


def difference(
    name: str, shown_field: forms.Field, before: Any, after: Any, names: Names
) -> Difference | None:
    if is_same(before, after):
        return None
    title = title_of(shown_field)
    if _is_list(before) or _is_list(after):
        return _list_difference(name, title, *(_parts(shown_field, each, names) for each in (before, after)))
    old, new = display_value(shown_field, before, names), display_value(shown_field, after, names)
    if old == new:
        is_formatted = isinstance(shown_field, RichTextField)
        return Difference(name, title, "formatting" if is_formatted else "values", old, new)
    if is_long(old) or is_long(new):
        return Difference(name, title, "words", old, new, pieces=words(old, new))
    return Difference(name, title, "values", old, new)


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal; all empty values are equal to each other."""
    if one in EMPTY or other in EMPTY:
        return one in EMPTY and other in EMPTY
    if isinstance(one, set | frozenset) or isinstance(other, set | frozenset):
        return set(one) == set(other)
    return bool(one == other) and isinstance(one, UnparsedText) == isinstance(other, UnparsedText)


def is_long(text: str) -> bool:
    return len(text) > LONG or "\n" in text


def words(before: str, after: str) -> list[Piece]:
    """The words removed from a text and added to it, with a few words around each change."""
    return list(_shortened(list(_joined(_word_steps(before, after)))))


def _list_difference(name: str, title: Text, before: list[str], after: list[str]) -> Difference:
    """Added and removed entries; if there are none, the order changed and both lists are shown."""
    removed = [part for part in before if part not in after]
    added = [part for part in after if part not in before]
    if removed or added:
        return Difference(name, title, "list", removed=removed, added=added)
    return Difference(name, title, "values", ", ".join(before), ", ".join(after))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset)


def _parts(shown_field: forms.Field, value: Any, names: Names) -> list[str]:
    if isinstance(value, UnparsedText):
        return [value]
    return [] if value in EMPTY else [part for part in display_parts(shown_field, value, names) if part]


def _word_steps(before: str, after: str) -> Iterator[Piece]:
    """Compare by lines, then by words within the lines that differ, which is fast for long texts as well."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    steps = [
        (tag, WORD.findall("".join(old[i1:i2])), WORD.findall("".join(new[j1:j2])))
        for tag, i1, i2, j1, j2 in _opcodes(old, new)
    ]
    work = sum(len(gone) * len(come) for tag, gone, come in steps if tag == "replace")
    for tag, gone, come in steps:
        if tag == "equal":
            yield Piece("same", "".join(gone))
        elif tag != "replace" or work > MOST_WORK:
            yield from _replaced(gone, come)
        else:
            yield from _by_words(gone, come)


def _by_words(old: list[str], new: list[str]) -> Iterator[Piece]:
    opcodes = _opcodes([word.strip() for word in old], [word.strip() for word in new])
    for place, (tag, i1, i2, j1, j2) in enumerate(opcodes):
        between = 0 < place < len(opcodes) - 1
        if tag == "equal" and not (between and i2 - i1 < TOO_FEW):
            yield Piece("same", "".join(new[j1:j2]))
        else:
            yield from _replaced(old[i1:i2], new[j1:j2])


def _replaced(gone: list[str], come: list[str]) -> Iterator[Piece]:
    if gone:
        yield Piece("removed", "".join(gone))
    if come:
        yield Piece("added", "".join(come))


def _opcodes(old: list[str], new: list[str]) -> list[Opcode]:
    """The difflib opcodes; above MOST_WORK one replacement between the common beginning and end."""
    shorter = min(len(old), len(new))
    begin = next((place for place in range(shorter) if old[place] != new[place]), shorter)
    rest = shorter - begin
    end = next((place for place in range(rest) if old[-1 - place] != new[-1 - place]), rest)
    middle = old[begin : len(old) - end], new[begin : len(new) - end]
    if len(middle[0]) * len(middle[1]) > MOST_WORK:
        steps: Iterable[Opcode] = [("replace", 0, len(middle[0]), 0, len(middle[1]))]
    else:
        steps = difflib.SequenceMatcher(None, *middle, autojunk=False).get_opcodes()
    opcodes = [(tag, i1 + begin, i2 + begin, j1 + begin, j2 + begin) for tag, i1, i2, j1, j2 in steps]
    if begin:
        opcodes.insert(0, ("equal", 0, begin, 0, begin))
    if end:
        opcodes.append(("equal", len(old) - end, len(old), len(new) - end, len(new)))
    return opcodes


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join adjacent pieces; in each change the removed text comes before the added text."""
    change: dict[PieceKind, str] = {"removed": "", "added": ""}
    same = ""
    for piece in pieces:
        if piece.kind == "same":
            yield from _changed_pieces(change)
            change = {"removed": "", "added": ""}
            same += piece.text
        else:
            if same:
                yield Piece("same", same)
                same = ""
            change[piece.kind] += piece.text
    yield from _changed_pieces(change)
    if same:
        yield Piece("same", same)


def _changed_pieces(change: Mapping[PieceKind, str]) -> Iterator[Piece]:
    for kind, text in change.items():
        if text:
            yield Piece(kind, text)


def _shortened(pieces: list[Piece]) -> Iterator[Piece]:
    for place, piece in enumerate(pieces):
        found = WORD.findall(piece.text)
        is_first, is_last = place == 0, place == len(pieces) - 1
        kept = CONTEXT if is_first or is_last else 2 * CONTEXT
        if piece.kind != "same" or len(found) <= kept + TOO_FEW:
            yield piece
            continue
        if not is_first:
            yield Piece("same", "".join(found[:CONTEXT]))
        yield Piece("skipped")
        if not is_last:
            yield Piece("same", "".join(found[-CONTEXT:]))
