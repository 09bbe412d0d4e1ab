"""Deleting one record: asked first, by the version seen, undone from the toast."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.rights import ADMIN, RIGHTS, Right
from core.crud.toasts import Undo, undo_of
from core.dynamo import metering, references, trash
from core.dynamo.errors import NotFound
from core.dynamo.references import Reference
from core.dynamo.transactions import Transaction
from tests.cast import CAST
from tests.core.crud.roles import LIST, MAKER, make

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
    assert "You can restore it from the trash for 30 days." in page
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
    assert "Someone else changed this in the meantime. Check it before you delete it." in page
    assert f'href="{LIST}{role.id}/"' in page
    assert 'id="confirm-delete"' not in page
    assert roles.get(role.id).name == "Cashier"


def test_a_form_without_a_version_deletes_nothing(as_role: AsRole) -> None:
    role = make("Treasurer")

    assert as_role("moderator").post(address(role)).status_code == 409
    assert roles.get(role.id).name == "Treasurer"


def use(role: Role, article: News) -> None:
    """As if the article named the role: what a repository with a reference writes."""
    transaction = Transaction()
    transaction.add(
        references.put_row(Reference("role_id", to="role"), role.id, entity="news", key=article.id)
    )
    transaction.count(Role, role.raw_key(), "refs", 1, refused=lambda _stored: NotFound())
    transaction.commit()


@pytest.mark.parametrize("method", ["get", "post"])
def test_what_others_use_is_not_deleted_and_it_says_where_it_is_used(as_role: AsRole, method: str) -> None:
    role = make("Treasurer")
    article = news.create(News(title="The board <1>", slug="board"), actor=MAKER)
    use(role, article)

    response = getattr(as_role("moderator"), method)(address(role), {"version": 1})

    page = response.content.decode()
    assert response.status_code == (200 if method == "get" else 409)
    assert "It cannot be deleted while it is in use. Remove it there first." in page
    assert f'href="/cms/news/{article.id}/">The board &lt;1&gt;</a>' in page
    assert 'id="confirm-delete"' not in page
    assert roles.get(role.id).name == "Treasurer"


def test_a_use_that_the_person_may_not_see_is_not_named(as_role: AsRole, monkeypatch: Any) -> None:
    role = make("Treasurer")
    use(role, news.create(News(title="Secret", slug="secret"), actor=MAKER))
    monkeypatch.setitem(RIGHTS, "cms.news.view", Right(ADMIN))

    page = as_role("moderator").get(address(role)).content.decode()

    assert "An entry you cannot see" in page
    assert "Secret" not in page


def test_only_those_who_may_delete_are_asked(as_role: AsRole) -> None:
    role = make("Treasurer")

    assert as_role("official").get(address(role)).status_code == 403
    assert as_role("official").post(address(role), {"version": 1}).status_code == 403
    assert roles.get(role.id).name == "Treasurer"


def test_an_official_is_asked_about_own_articles_only(as_role: AsRole) -> None:
    own = news.create(News(title="Own", slug="own", author_ids=[CAST["official"].sub]), actor=MAKER)
    foreign = news.create(News(title="Foreign", slug="foreign", author_ids=["x"]), actor=MAKER)
    client = as_role("official")

    assert client.get(f"/cms/news/{own.id}/delete").status_code == 200
    assert client.get(f"/cms/news/{foreign.id}/delete").status_code == 403
    assert client.post(f"/cms/news/{foreign.id}/delete", {"version": 1}).status_code == 403


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
