"""There is always an administrator left, also when two of them act in the same moment."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from core.accounts.user import User
from core.dynamo.errors import DataError
from core.people import services
from core.stores.lock import AlreadyLocked
from tests.core.people.people_pages import errors
from tests.user_pool import Pool

THREADS = 8


@pytest.fixture
def two_admins(pool: Pool) -> tuple[User, User]:
    pool.ask("admin_add_user_to_group", Username=pool["moderator"].sub, GroupName="admin")
    one, other = pool["admin"], pool["moderator"]
    return one, User.of(sub=other.sub, name=other.name, email=other.email, groups=["admin", "moderator"])


def persistently(change: Callable[[], object]) -> None:
    """As a person does: try again while another administrator is at it, give up when refused."""
    while True:
        try:
            change()
        except AlreadyLocked:
            continue
        except (DataError, PermissionDenied):
            return
        return


def at_once(changes: Iterator[Callable[[], object]]) -> None:
    changes_made = list(changes)
    start = threading.Barrier(len(changes_made))

    def run(change: Callable[[], object]) -> None:
        start.wait()
        persistently(change)

    with ThreadPoolExecutor(len(changes_made)) as threads:
        list(threads.map(run, changes_made))


def admins_left(pool: Pool) -> int:
    members = pool.ask("list_users_in_group", GroupName="admin")["Users"]
    return sum(member["Enabled"] for member in members)


def test_two_admins_who_disable_each_other_leave_one(pool: Pool, two_admins: tuple[User, User]) -> None:
    one, other = two_admins
    pairs = [(one, other), (other, one)] * (THREADS // 2)

    at_once((lambda actor=actor, sub=target.sub: services.disable(actor, sub)) for actor, target in pairs)

    assert admins_left(pool) == 1


def test_two_admins_who_take_each_others_right_leave_one(pool: Pool, two_admins: tuple[User, User]) -> None:
    one, other = two_admins
    pairs = [(one, other), (other, one)] * (THREADS // 2)

    def take(actor: User, target: User) -> Callable[[], object]:
        seen = ["admin"] if target is one else ["admin", "moderator"]
        return lambda: services.change_groups(actor, target.sub, groups=[], seen=seen)

    at_once(take(actor, target) for actor, target in pairs)

    assert admins_left(pool) == 1


def test_one_disables_while_the_other_takes_the_right(pool: Pool, two_admins: tuple[User, User]) -> None:
    one, other = two_admins

    at_once(
        iter(
            [
                lambda: services.disable(one, other.sub),
                lambda: services.change_groups(other, one.sub, groups=[], seen=["admin"]),
            ]
        )
    )

    assert admins_left(pool) == 1


def test_whoever_comes_during_a_change_is_told_and_keeps_what_they_chose(admin: Client, pool: Pool) -> None:
    with services.changing_rights():
        response = admin.post(f"/people/{pool['scout'].sub}/groups", {"groups": ["steward"], "seen": "scout"})

    assert response.status_code == 409
    assert errors(response) == ["Another administrator is changing permissions right now. Try again."]
    assert 'value="steward" checked' in response.content.decode()
    assert pool.groups_of("scout") == {"scout"}
    assert admin.post(f"/people/{pool['scout'].sub}/disable").status_code == 302
