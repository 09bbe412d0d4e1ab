"""What a picker offers while one types, and creating a record in place."""

import json
import re

import pytest
from django.test import Client

from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo.actors import Actor
from core.dynamo.errors import NotFound
from core.dynamo.metering import metered
from tests.cast import sign_in

pytestmark = pytest.mark.usefixtures("db", "records_to_pick")


# --- The options ----------------------------------------------------------------------------------------


def options(client: Client, address: str, q: str = "") -> list[str]:
    page = client.get(address, {"q": q}).content.decode()
    return re.findall(r'data-label="([^"]*)"', page)


def test_options_are_found_by_the_beginnings_of_words(client: Client) -> None:
    sign_in(client, "moderator")

    assert options(client, "/cms/roles/pick", "tr") == ["Trainer", "Treasurer"]
    assert options(client, "/cms/roles/pick", "TREA") == ["Treasurer"]
    assert options(client, "/cms/roles/pick", "zz") == []


def test_without_a_word_the_first_ten_are_offered(client: Client, alice: Actor) -> None:
    for number in range(12):
        roles.create(Role(name=f"Role {number:02}"), actor=alice)
    sign_in(client, "moderator")

    expected = ["Captain", *(f"Role {number:02}" for number in range(9))]
    assert options(client, "/cms/roles/pick") == expected
    assert options(client, "/cms/roles/pick", "r") == expected
    assert "Showing the first 10. Type to find more." in client.get("/cms/roles/pick").content.decode()


def test_the_requests_of_a_search_do_not_grow_with_the_records(client: Client, alice: Actor) -> None:
    sign_in(client, "moderator")

    def cost() -> list[str]:
        with metered() as meter:
            assert options(client, "/cms/roles/pick", "tr")
        return meter.operations

    few = cost()
    for number in range(30):
        roles.create(Role(name=f"Training {number}"), actor=alice)
    assert few == cost() == ["GetItem", "Query", "BatchGetItem"]


def test_creating_is_offered_by_name_to_those_who_may(client: Client) -> None:
    page = sign_in(client, "moderator").get("/cms/roles/pick", {"q": "<b>"}).content.decode()
    assert 'data-create="&lt;b&gt;">Create “&lt;b&gt;”…</li>' in page

    page = sign_in(client, "official").get("/cms/roles/pick", {"q": "Cook"}).content.decode()
    assert "data-create" not in page


def test_people_are_offered_by_name_and_to_admins_with_their_address(client: Client) -> None:
    official = sign_in(client, "official").get("/directory/pick", {"q": "bran"}).content.decode()
    assert 'data-label="Odile Brandt">Odile Brandt</li>' in official
    assert "odile@club.example" not in official

    admin = sign_in(client, "admin").get("/directory/pick", {"q": "bran"}).content.decode()
    assert 'Odile Brandt <span class="quiet">odile@club.example</span></li>' in admin
    assert "data-create" not in admin


def test_people_are_not_offered_to_plain_members(client: Client) -> None:
    assert sign_in(client, "member").get("/directory/pick").status_code == 403


# --- Creating in place ----------------------------------------------------------------------------------


def test_the_dialog_begins_with_what_was_typed_and_has_ids_of_its_own(client: Client) -> None:
    page = sign_in(client, "moderator").get("/cms/roles/create", {"label": "Cook"}).content.decode()

    assert 'name="name" value="Cook"' in page
    assert 'id="new_role_name"' in page
    assert "<html" not in page


def dialog(client: Client) -> dict[str, str]:
    """What the form in the dialog carries along."""
    page = client.get("/cms/roles/create").content.decode()
    return dict(re.findall(r'type="hidden" name="(key|new)" value="([^"]*)"', page))


def test_a_created_record_is_told_to_the_picker(client: Client) -> None:
    sign_in(client, "moderator")
    sent = dialog(client) | {"name": "Cook"}
    key = sent["key"]

    answer = client.post("/cms/roles/create", sent)
    again = client.post("/cms/roles/create", sent)

    assert roles.get(key, strong=True).name == "Cook"
    for response in (answer, again):
        assert response.status_code == 204
        assert response["HX-Trigger"] == f'{{"record-created": {{"key": "{key}", "label": "Cook"}}}}'


@pytest.mark.parametrize(
    ("name", "error"),
    [("", "This field is required."), ("trainer", "This is already taken. Choose another.")],
)
def test_what_is_wrong_is_said_in_the_dialog(client: Client, name: str, error: str) -> None:
    response = sign_in(client, "moderator").post("/cms/roles/create", {"key": "x", "name": name})

    assert response.status_code == 422
    page = response.content.decode()
    assert f'value="{name}"' in page or not name
    assert re.search(r'id="new_role_name_error".*?' + re.escape(error), page, re.DOTALL)
    assert "autofocus" in page


@pytest.mark.parametrize("is_deleted", [True, False])
def test_under_the_key_of_another_record_nothing_is_created(client: Client, is_deleted: bool) -> None:
    """Neither is its name given away, nor its place taken after it was deleted."""
    secret = roles.create(Role(name="Secret"), actor=Actor(sub="x", name="X"))
    if is_deleted:
        roles.delete(secret, actor=Actor(sub="x", name="X"))
    sent = dialog(sign_in(client, "moderator")) | {"key": secret.id, "name": "Cook"}

    created = json.loads(client.post("/cms/roles/create", sent)["HX-Trigger"])["record-created"]

    assert created["label"] == "Cook"
    assert created["key"] != secret.id
    assert (secret.id in roles.get_many([secret.id], strong=True)) is not is_deleted


def test_a_second_press_with_other_words_is_not_taken_for_created(client: Client) -> None:
    sign_in(client, "moderator")
    sent = dialog(client) | {"name": "Cook"}
    client.post("/cms/roles/create", sent)

    response = client.post("/cms/roles/create", sent | {"name": "Baker"})

    assert response.status_code == 422
    assert roles.get(sent["key"], strong=True).name == "Cook"


def test_nobody_else_can_create_in_place(client: Client) -> None:
    assert sign_in(client, "official").post("/cms/roles/create", {"name": "Cook"}).status_code == 403
    with pytest.raises(NotFound):
        roles.get("x")
