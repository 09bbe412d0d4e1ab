"""Who may do what to events: officials to their own, moderators and admins to all, others nothing."""

import pytest
from django.test import Client

from cms.events.repository import events
from tests.cast import sign_in
from tests.cms.occasions import NEW_EVENT, address_of, event

pytestmark = pytest.mark.usefixtures("db")

MAY_ALL = ("admin", "moderator")
MAY_NOTHING = ("scout-lead", "scout", "steward", "member", "other-member")


def get(role: str, address: str) -> int:
    return sign_in(Client(), role).get(address).status_code


def post(role: str, address: str, **fields: str) -> int:
    return sign_in(Client(), role).post(address, fields).status_code


@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
def test_officials_moderators_and_admins_see_and_write_events(role: str) -> None:
    item = event(by="moderator")

    assert [get(role, address) for address in ("/cms/events/", NEW_EVENT, address_of(item))] == [200] * 3


@pytest.mark.parametrize("role", MAY_NOTHING)
def test_others_do_not_come_in(role: str) -> None:
    item = event()

    for address in ("/cms/events/", NEW_EVENT, address_of(item), address_of(item, "preview")):
        assert get(role, address) == 403
    assert post(role, address_of(item), title="Mine now", version="1") == 403
    assert events.get(item.id).title == "Summer party"


@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
@pytest.mark.parametrize("own", [True, False])
def test_an_event_is_changed_by_its_authors_and_by_those_who_may_change_all(role: str, own: bool) -> None:
    may = own or role in MAY_ALL
    item = event(by="official" if own else "moderator")

    for screen in ("unpublish", "archive"):
        version = str(events.get(item.id).version)
        assert post(role, address_of(item, screen), version=version) == (302 if may else 403)
    assert events.get(item.id).status == ("archived" if may else "published")

    version = str(events.get(item.id).version)
    assert post(role, address_of(item), title="Winter party", version=version) == (302 if may else 403)
    assert events.get(item.id).title == ("Winter party" if may else "Summer party")

    version = str(events.get(item.id).version)
    assert post(role, address_of(item, "delete"), version=version) == (302 if may else 403)
    assert (item.id in events.get_many([item.id])) is not may
