"""A German in which every text of ours is «the English one in marks», whatever has been translated so far."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.utils.translation import trans_real

from tests.messages.extract import entries


class Catalog(dict[Any, str]):
    def plural(self, text: str, number: int) -> str:
        return self[text, int(number != 1)]


def marked(text: str) -> str:
    return f"«{text}»"


def _texts() -> Iterable[tuple[Any, str]]:
    for entry in entries():
        key = entry.msgid if entry.msgctxt is None else f"{entry.msgctxt}\x04{entry.msgid}"
        if entry.msgid_plural:
            yield (key, 0), marked(entry.msgid)
            yield (key, 1), marked(entry.msgid_plural)
        else:
            yield key, marked(entry.msgid)


@pytest.fixture(scope="session")
def _marked_texts() -> dict[Any, str]:
    return dict(_texts())


@pytest.fixture
def marked_german(_marked_texts: dict[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    german = trans_real.translation("de")
    monkeypatch.setattr(german, "_catalog", Catalog(dict(german._catalog.items()) | _marked_texts))
