"""One at a time, and a turn that is never given back passes on."""

from contextlib import AbstractContextManager
from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from core.stores import lock
from core.stores.lock import Busy, turn

pytestmark = pytest.mark.usefixtures("db")


def the_turn() -> AbstractContextManager[None]:
    return turn("kitchen", busy="Somebody is cooking.")


def test_whoever_comes_meanwhile_is_told_and_another_name_is_another_turn() -> None:
    with the_turn():
        with pytest.raises(Busy, match="Somebody is cooking"), the_turn():
            pass
        with turn("garden", busy="Somebody is mowing."):
            pass

    with the_turn():
        pass


def test_a_turn_that_was_never_given_back_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = the_turn()
    crashed.__enter__()
    with pytest.raises(Busy), the_turn():
        pass

    later = now() + lock.LONGEST_TURN + timedelta(seconds=1)
    monkeypatch.setattr(lock, "now", lambda: later)

    with the_turn(), pytest.raises(Busy), the_turn():
        pass


def test_a_turn_that_has_passed_on_is_not_given_back_by_its_former_holder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with the_turn():
        later = now() + lock.LONGEST_TURN + timedelta(seconds=1)
        monkeypatch.setattr(lock, "now", lambda: later)
        second = the_turn()
        second.__enter__()

    with pytest.raises(Busy), the_turn():
        pass
