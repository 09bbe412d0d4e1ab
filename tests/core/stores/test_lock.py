"""One at a time, and a lock that is never released expires."""

from contextlib import AbstractContextManager
from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from core.stores import lock
from core.stores.lock import AlreadyLocked

pytestmark = pytest.mark.usefixtures("db")


def the_lock() -> AbstractContextManager[None]:
    return lock.lock("kitchen", busy="Somebody is cooking.")


def test_whoever_comes_meanwhile_is_told_and_another_name_is_another_turn() -> None:
    with the_lock():
        with pytest.raises(AlreadyLocked, match="Somebody is cooking"), the_lock():
            pass
        with lock.lock("garden", busy="Somebody is mowing."):
            pass

    with the_lock():
        pass


def test_a_turn_that_was_never_given_back_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = the_lock()
    crashed.__enter__()
    with pytest.raises(AlreadyLocked), the_lock():
        pass

    later = now() + lock.LONGEST_HOLD + timedelta(seconds=1)
    monkeypatch.setattr(lock, "now", lambda: later)

    with the_lock(), pytest.raises(AlreadyLocked), the_lock():
        pass


def test_a_turn_that_has_passed_on_is_not_given_back_by_its_former_holder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with the_lock():
        later = now() + lock.LONGEST_HOLD + timedelta(seconds=1)
        monkeypatch.setattr(lock, "now", lambda: later)
        second = the_lock()
        second.__enter__()

    with pytest.raises(AlreadyLocked), the_lock():
        pass
