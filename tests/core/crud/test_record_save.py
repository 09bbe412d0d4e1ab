"""A record's form: create, change, and every way in which saving can be refused without losing a word."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import history, metering
from core.dynamo.actors import Actor
from core.dynamo.faults import FaultProxy, Faults
from tests.cast import sign_in
from tests.core.crud.pages import OpenForm, open_form
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]


def make_role(actor: Actor, **fields: object) -> Role:
    return roles.create(Role(**{"name": "Trainer", **fields}), actor=actor)


def address_of(role: Role) -> str:
    return f"/cms/roles/{role.id}/"


def test_a_new_record_is_stored_under_the_key_that_its_form_was_made_with(as_role: AsRole) -> None:
    form = open_form(as_role("moderator"), "/cms/roles/new")

    answer = form.fill(name="Treasurer", vorstand="on").send()

    assert (answer.status_code, answer["Location"]) == (302, form.action)
    created = roles.get(form.action.split("/")[-2], strong=True)
    assert (created.name, created.vorstand, created.version) == ("Treasurer", True, 1)


def test_a_form_that_is_sent_twice_creates_one_record(as_role: AsRole) -> None:
    form = open_form(as_role("moderator"), "/cms/roles/new").fill(name="Treasurer")

    first, second = form.send(), form.send()

    assert first["Location"] == second["Location"]
    assert [role.name for role in roles.by_name().items] == ["Treasurer"]


def test_a_form_that_is_sent_twice_at_once_creates_one_record(as_role: AsRole) -> None:
    form = open_form(as_role("moderator"), "/cms/roles/new").fill(name="Treasurer")

    answers = at_once(lambda _number: form.send()["Location"], 8)

    assert answers == [form.action] * 8
    assert [role.name for role in roles.by_name().items] == ["Treasurer"]


def test_a_change_that_is_sent_twice_is_made_once(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice)
    form = open_form(as_role("moderator"), address_of(role)).fill(name="Coach")

    assert [form.send().status_code, form.send().status_code] == [302, 302]
    assert roles.get(role.id, strong=True).version == 2


def with_header(form: OpenForm, key: str = "key-1", **more: object) -> HttpResponse:
    """Sent by a program, which names the key in a header."""
    fields = {name: value for name, value in form.fields.items() if name != "once"}
    return form.client.post(form.action, fields | more, headers={"Idempotency-Key": key})


def test_the_key_of_a_save_may_come_in_a_header(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice)
    form = open_form(as_role("moderator"), address_of(role)).fill(name="Coach")

    with metering.metered() as saving:
        first = with_header(form)
    roles.update(roles.get(role.id, strong=True), {"name": "Referee"}, actor=alice)
    again = with_header(form)

    assert saving.operations == ["BatchGetItem", "TransactWriteItems"]
    assert [first.status_code, again.status_code] == [302, 302]
    assert roles.get(role.id, strong=True).name == "Referee"


def test_the_key_of_a_header_is_for_one_payload_and_nothing_typed_is_lost(
    as_role: AsRole, alice: Actor
) -> None:
    role = make_role(alice)
    form = open_form(as_role("moderator"), address_of(role)).fill(name="Coach")
    with_header(form, picture=SimpleUploadedFile("team.png", b"red"))

    typed = with_header(form.fill(name="Referee"), picture=SimpleUploadedFile("team.png", b"red"))
    chosen = with_header(form.fill(name="Coach"), picture=SimpleUploadedFile("team.png", b"tan"))

    assert [typed.status_code, chosen.status_code] == [422, 422]
    assert OpenForm(form.client, typed)["name"] == "Referee"
    assert "This form was already sent with other contents." in typed.content.decode()
    assert roles.get(role.id, strong=True).name == "Coach"


def test_a_key_that_is_too_long_is_refused(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice)
    form = open_form(as_role("moderator"), address_of(role)).fill(name="Coach")

    assert with_header(form, "x" * 256).status_code == 400
    assert with_header(form, "x" * 255).status_code == 302


def test_the_form_shows_the_record(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice, name="Chair & <b>host</b>", vorstand=True)

    page = as_role("moderator").get(address_of(role))
    form = OpenForm(page.client, page)

    assert (form["name"], form["vorstand"], form["version"]) == ("Chair & <b>host</b>", "on", "1")
    assert "<b>host</b>" not in page.content.decode()


def test_a_change_is_written_with_its_history(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice)

    open_form(as_role("moderator"), address_of(role)).fill(name="Coach").send()

    newest = history.entries("role", role.id).items[0]
    assert (newest.actor_name, newest.verb, newest.fields) == ("Moritz Feldkamp", "update", ["name"])


def test_what_is_wrong_is_said_at_the_field_and_nothing_typed_is_lost(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice)

    answer = open_form(as_role("moderator"), address_of(role)).fill(name="x" * 101, vorstand="on").send()

    assert answer.status_code == 422
    form = OpenForm(answer.client, answer)
    assert (form["name"], form["vorstand"], form["version"]) == ("x" * 101, "on", "1")
    assert "at most 100 characters" in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()
    assert "autofocus" in answer.content.decode()


def test_a_name_that_is_taken_is_said_at_the_field(as_role: AsRole, alice: Actor) -> None:
    make_role(alice, name="Trainer")

    answer = open_form(as_role("moderator"), "/cms/roles/new").fill(name="TRAINER").send()

    assert answer.status_code == 422
    assert "This is already taken. Choose another." in answer.content.decode()
    assert OpenForm(answer.client, answer)["name"] == "TRAINER"


@pytest.mark.parametrize("htmx", [False, True])
def test_when_the_store_cannot_be_reached_the_form_comes_back_as_typed(
    proxy: FaultProxy, client: Client, alice: Actor, htmx: bool
) -> None:
    role = make_role(alice)
    form = open_form(sign_in(client, "moderator"), address_of(role)).fill(name="Coach")
    proxy.faults = Faults(conflict=1)

    answer = form.send(htmx=htmx)

    assert answer.status_code == 503
    assert OpenForm(client, answer)["name"] == "Coach"
    assert "The database is not responding." in answer.content.decode()


def test_with_htmx_a_save_leaves_the_form_alone_and_replaces_only_what_it_changed(
    as_role: AsRole, alice: Actor
) -> None:
    role = make_role(alice)
    form = open_form(as_role("moderator"), address_of(role)).fill(name="Coach")

    answer = form.send(htmx=True)

    text = answer.content.decode()
    assert (answer.status_code, answer["HX-Reswap"]) == (200, "none")
    assert "<form" not in text.replace('<form class="toast', "")
    assert 'name="version" value="2"' in text
    assert text.count('hx-swap-oob="true"') >= 4


def test_with_htmx_two_saves_in_a_row_need_no_new_page(as_role: AsRole) -> None:
    form = open_form(as_role("moderator"), "/cms/roles/new").fill(name="Coach")
    answer = form.send(htmx=True)
    assert answer["HX-Replace-Url"] == form.action

    form.fill(name="Head coach", version="1", once="another").send(htmx=True)

    assert roles.get(form.action.split("/")[-2], strong=True).name == "Head coach"


def test_who_may_only_read_sees_the_record_without_a_form(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice, vorstand=True)

    page = as_role("member").get(address_of(role))

    text = page.content.decode()
    assert page.status_code == 200
    assert "You can view this but not edit it." in text
    assert "Trainer" in text
    assert "record-form" not in text


@pytest.mark.parametrize("role_name", ["official", "member", "scout"])
def test_who_may_not_change_a_record_cannot_by_hand_either(
    as_role: AsRole, alice: Actor, role_name: str
) -> None:
    role = make_role(alice)

    answer = as_role(role_name).post(address_of(role), {"name": "Coach", "version": "1"})

    assert answer.status_code == 403
    assert roles.get(role.id, strong=True).name == "Trainer"


def test_a_record_that_does_not_exist_is_not_found(as_role: AsRole) -> None:
    client = as_role("moderator")

    assert client.get("/cms/roles/01999999-0000-7000-8000-000000000000/").status_code == 404
    assert client.get("/cms/roles/no-such-record/").status_code == 404
    assert client.post("/cms/roles/no-such-record/", {"name": "Coach", "version": "0"}).status_code == 404


def test_the_budgets_of_a_form_hold(as_role: AsRole, alice: Actor) -> None:
    role = make_role(alice)
    client = as_role("moderator")

    with metering.metered() as opening:
        form = open_form(client, address_of(role))
    with metering.metered() as saving:
        form.fill(name="Coach").send()

    assert opening.operations == ["BatchGetItem"]
    assert saving.operations == ["BatchGetItem", "TransactWriteItems"]
