"""Entering a member: name, roles, address and phone, each with its rule."""

import pytest

from cms.members.repository import members
from cms.roles.models import Role
from cms.roles.repository import roles
from tests.cms.club import MAKER, make_member
from tests.core.crud.pages import OpenForm, open_form
from tests.scale.partition_meter import metered_partitions

pytestmark = pytest.mark.usefixtures("db")

NEW = "/cms/members/new"


def of_form(form: OpenForm):
    return members.get(form.action.split("/")[-2], strong=True)


def test_a_changed_phone_number_costs_six_write_units(as_role) -> None:
    """The record 2, the list by name 1, its history 2 and the activity of the website 1."""
    member = make_member(email="anna@verein.example", phone="0151 555 0123")
    form = open_form(as_role("admin"), f"/cms/members/{member.id}/").fill(phone="0151 555 0124")
    with metered_partitions() as usage:
        assert form.send().status_code == 302

    assert members.get(member.id, strong=True).phone == "0151 555 0124"
    assert usage.told_writes == 2 + 1 + 2 + 1


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    role = roles.create(Role(name="Trainerin"), actor=MAKER)
    form = open_form(as_role("moderator"), NEW).fill(
        name="Çağla Demirel",
        role_ids=[role.id],
        email=" Cagla@Verein.EXAMPLE ",
        phone=" 0151 555 0123 ",
    )
    assert form.send().status_code == 302

    stored = of_form(form).stored
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "member"},
        "name": {"S": "Çağla Demirel"},
        "sortName": {"S": "cagla demirel"},
        "roleIds": {"L": [{"S": role.id}]},
        "email": {"S": "cagla@verein.example"},
        "phone": {"S": "0151 555 0123"},
        "createdAt": stored["createdAt"],
        "updatedAt": stored["createdAt"],
        "version": {"N": "1"},
    }
    assert roles.get(role.id).refs == 1


def test_only_a_name_is_needed_and_what_is_empty_is_not_stored(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(name="Svea Nordmann")
    assert form.send().status_code == 302

    assert not {"email", "phone", "avatarId"} & of_form(form).stored.keys()


@pytest.mark.parametrize(
    ("field", "typed", "refusal"),
    [
        ("name", " ", "This field is required."),
        ("name", "x" * 201, "at most 200 characters"),
        ("email", "not an address", "Enter a valid email address."),
        ("email", f"{'x' * 250}@verein.example", "at most 254 characters"),
        ("phone", "1" * 51, "at most 50 characters"),
        ("role_ids", "no-such-role", "Something you chose no longer exists."),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_role, field: str, typed: str, refusal: str) -> None:
    answer = open_form(as_role("moderator"), NEW).fill(**{"name": "Svea Nordmann", field: typed}).send()

    assert answer.status_code == 422
    assert refusal in answer.content.decode()


def test_a_name_is_taken_once_whatever_its_accents(as_role) -> None:
    make_member("Jonas Grünwald")

    answer = open_form(as_role("moderator"), NEW).fill(name="jonas Grunwald").send()

    assert answer.status_code == 422
    assert answer.context["form"].errors == {"name": ["Another member already has this name."]}
