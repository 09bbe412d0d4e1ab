"""A value that a process keeps for some seconds."""

import time

import pytest

from core.common.kept import KeptFor


def counter() -> KeptFor[int]:
    numbers = iter(range(1, 10))
    return KeptFor(10, lambda: next(numbers))


def test_it_is_read_anew_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = counter()
    assert (kept.get(), kept.get()) == (1, 1)

    clock = time.monotonic() + 10
    monkeypatch.setattr(time, "monotonic", lambda: clock)

    assert kept.last == 1
    assert (kept.get(), kept.get()) == (2, 2)


def test_it_is_read_anew_after_a_forget() -> None:
    kept = counter()
    kept.get()
    kept.forget()

    assert kept.last is None
    assert kept.get() == 2


def test_what_was_read_before_another_value_was_written_is_not_kept() -> None:
    def overtaken() -> str:
        kept.keep("written")
        return "read before"

    kept = KeptFor(10, overtaken)

    assert kept.get() == "read before"
    assert kept.get() == "written"
