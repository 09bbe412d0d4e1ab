"""Deleting one record: asked first, by the version seen, undone from the toast."""

from collections.abc import Callable

import pytest
from django.test import Client

from cms.models import Role
from cms.repository import roles
from crud.toasts import Undo, undo_of
from dynamo import metering, trash
from dynamo.errors import NotFound
from tests.crud.roles import LIST, MAKER, make

AsRole = Callable[[str], Client]
HTMX = {"HX-Request": "true"}


def address(role: Role) -> str:
    return f"{LIST}{role.id}/delete"


def test_it_asks_first_and_names_the_record_and_what_happens(as_role: AsRole) -> None:
    role = make("Treasurer")

    response = as_role("moderator").get(address(role))

    page = response.content.decode()
    assert response.status_code == 200
    assert "<h1" in page
    assert "Delete “Treasurer”?" in page
    assert "It moves to the trash and can be restored from there for 30 days." in page
    assert roles.get(role.id).name == "Treasurer"


def test_with_htmx_it_asks_in_a_dialog(as_role: AsRole) -> None:
    response = as_role("moderator").get(address(make("Treasurer")), headers=HTMX)

    assert response.content.decode().strip().startswith('<dialog class="dialog" id="delete-dialog" data-open')


def test_it_deletes_and_leads_to_the_list_with_an_undo(as_role: AsRole) -> None:
    role = make("Treasurer")

    response = as_role("moderator").post(address(role), {"version": 1}, follow=True)

    assert response.redirect_chain == [(LIST, 302)]
    (message,) = response.context["messages"]
    assert str(message) == "“Treasurer” was deleted."
    assert undo_of(message) == Undo(f"{LIST}trash/restore", {"key": role.id})
    with pytest.raises(NotFound):
        roles.get(role.id)


def test_with_htmx_the_whole_page_goes_to_the_list(as_role: AsRole) -> None:
    response = as_role("moderator").post(address(make("Treasurer")), {"version": 1}, headers=HTMX)

    assert response["HX-Redirect"] == LIST


def test_the_undo_brings_back_the_newest_image(as_role: AsRole) -> None:
    client = as_role("moderator")
    role = make("Treasurer")
    client.post(address(role), {"version": 1})

    response = client.post(f"{LIST}trash/restore", {"key": role.id}, follow=True)

    assert response.redirect_chain == [(LIST, 302)]
    assert [str(message) for message in response.context["messages"]][-1] == "“Treasurer” was restored."
    assert roles.get(role.id).name == "Treasurer"


def test_what_somebody_changed_meanwhile_is_not_deleted(as_role: AsRole) -> None:
    role = make("Treasurer")
    roles.update(role, {"name": "Cashier"}, actor=MAKER)

    response = as_role("moderator").post(address(role), {"version": 1})

    page = response.content.decode()
    assert response.status_code == 409
    assert "Somebody else changed this record in the meantime. Look at it again before you delete it." in page
    assert f'href="{LIST}{role.id}/"' in page
    assert 'id="confirm-delete"' not in page
    assert roles.get(role.id).name == "Cashier"


def test_a_form_without_a_version_deletes_nothing(as_role: AsRole) -> None:
    role = make("Treasurer")

    assert as_role("moderator").post(address(role)).status_code == 409
    assert roles.get(role.id).name == "Treasurer"


def test_only_those_who_may_delete_are_asked(as_role: AsRole) -> None:
    role = make("Treasurer")

    assert as_role("official").get(address(role)).status_code == 403
    assert as_role("official").post(address(role), {"version": 1}).status_code == 403
    assert roles.get(role.id).name == "Treasurer"


def test_a_record_that_is_gone_is_not_found(as_role: AsRole) -> None:
    role = make("Treasurer")
    client = as_role("moderator")
    client.post(address(role), {"version": 1})

    assert client.get(address(role)).status_code == 404
    assert client.post(address(role), {"version": 1}).status_code == 404


def test_asking_takes_two_requests_and_deleting_three(as_role: AsRole) -> None:
    role = make("Treasurer")
    client = as_role("moderator")

    with metering.metered() as asking:
        client.get(address(role))
    with metering.metered() as deleting:
        client.post(address(role), {"version": 1})

    assert asking.operations == ["GetItem", "GetItem"]
    assert deleting.operations == ["GetItem", "GetItem", "TransactWriteItems"]
    assert trash.of_record("role", role.id) is not None
