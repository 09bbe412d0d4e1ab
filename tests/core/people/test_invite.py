"""Inviting somebody by e-mail."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from structlog.testing import capture_logs

from core.accounts import cognito
from core.dynamo.faults import FaultProxy, Faults
from core.people import services
from tests.core.people.people_pages import errors, names, recorded, status_of, texts, toasts
from tests.user_pool import Pool

IDA = {
    "given_name": "Ida",
    "family_name": "Berg",
    "email": "ida@people.example",
    "groups": ["scout", "steward"],
}
ADDRESS = "/people/invite"


def password_in(mail: EmailMessage) -> str:
    (password,) = re.findall(r"^Your temporary password: (\S+)$", str(mail.body), re.MULTILINE)
    return str(password)


def test_the_form_asks_for_name_address_and_groups(admin: Client) -> None:
    response = admin.get(ADDRESS)

    assert response.status_code == 200
    assert texts(response, r"<label for=[^>]*>(.*?)</label>")[:3] == [
        "First name",
        "Last name (optional)",
        "E-mail address",
    ]
    assert re.findall(r'name="groups" value="([a-z-]+)"', response.content.decode()) == [
        "admin",
        "moderator",
        "official",
        "scout-lead",
        "scout",
        "steward",
    ]


def test_the_person_gets_an_account_with_these_groups(admin: Client, pool: Pool) -> None:
    response = admin.post(ADDRESS, IDA, follow=True)

    assert toasts(response) == ["Invitation sent."]
    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Ida Berg"]
    assert status_of(response) == "Invited"
    account = pool.ask("admin_get_user", Username="ida@people.example")
    values = cognito._values(account["UserAttributes"])
    assert (values["name"], values["given_name"], values["family_name"]) == ("Ida Berg", "Ida", "Berg")
    assert (values["email"], values["email_verified"]) == ("ida@people.example", "true")
    assert cognito.groups_of(values["sub"]) == ("scout", "steward")
    assert recorded(values["sub"]) == [
        (pool["admin"].sub, "invite", {"email": None, "groups": None, "name": None})
    ]


def test_the_form_invites_once_and_after_a_correction_still_does(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    (first_key,) = texts(admin.get(ADDRESS), r'name="once" value="(.*?)"')
    refused = admin.post(ADDRESS, IDA | {"email": "ida", "once": first_key})
    (key,) = texts(refused, r'name="once" value="(.*?)"')

    for _time in range(2):
        page = admin.get(admin.post(ADDRESS, IDA | {"once": key})["Location"])
        assert toasts(page) == ["Invitation sent."]
        assert texts(page, r"<h1[^>]*>(.*?)</h1>") == ["Ida Berg"]
    assert key != first_key
    assert len(mailoutbox) == 1


def test_the_mail_has_everything_to_sign_in(admin: Client, mailoutbox: list[EmailMessage]) -> None:
    admin.post(ADDRESS, IDA | {"given_name": "Ida & Ole"})

    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("Your invitation to Fieldhouse", ["ida@people.example"])
    assert str(mail.body).startswith("Hello Ida & Ole Berg,\n\nAmara Lindqvist has invited you to Fieldhouse")
    assert "Sign in here: http://testserver/desk/\n" in str(mail.body)
    assert "Your e-mail address: ida@people.example\n" in str(mail.body)


def test_the_temporary_password_must_be_changed_at_the_first_sign_in(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    admin.post(ADDRESS, IDA)

    assert pool.sign_in_with("ida@people.example", password_in(mailoutbox[0])) == "NEW_PASSWORD_REQUIRED"
    assert pool.sign_in_with("ida@people.example", "Something-Else-1") == "NotAuthorizedException"


def test_the_password_is_in_the_mail_and_nowhere_else(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with capture_logs() as events:
        response = admin.post(ADDRESS, IDA, follow=True)

    password = password_in(mailoutbox[0])
    sub = cognito.find("ida").accounts[0].sub
    assert password not in response.content.decode()
    assert password not in str(response.redirect_chain)
    assert password not in caplog.text
    assert password not in str(events)
    assert [event for event in events if event["event"] == "user_changed"] == [
        {"event": "user_changed", "log_level": "info", "verb": "invite", "sub": sub, "by": pool["admin"].sub}
    ]


def test_every_password_is_another_and_has_all_kinds_of_characters() -> None:
    made = {services.new_password() for _attempt in range(200)}

    assert len(made) == 200
    for password in made:
        assert re.fullmatch(r"([A-Za-z2-9]{4}-){3}[A-Za-z2-9]{4}", password)
        assert re.search("[a-z]", password)
        assert re.search("[A-Z]", password)
        assert re.search("[2-9]", password)


def test_the_address_is_kept_in_small_letters(admin: Client, pool: Pool) -> None:
    admin.post(ADDRESS, IDA | {"email": " IDA@People.Example "})

    assert [account.email for account in cognito.find("ida").accounts] == ["ida@people.example"]


def test_a_last_name_is_not_needed(admin: Client) -> None:
    admin.post(ADDRESS, IDA | {"family_name": ""})

    assert names(admin.get("/people/", {"q": "ida"})) == ["Ida"]


NO_ADDRESS = "Enter an e-mail address such as name@example.org."
UNPRINTABLE = "Use letters, spaces and punctuation only."


@pytest.mark.parametrize(
    ("changed", "messages"),
    [
        ({"given_name": ""}, ["Enter a first name."]),
        ({"given_name": "   "}, ["Enter a first name."]),
        ({"given_name": "x" * 500}, ["Ensure this value has at most 100 characters (it has 500)."]),
        ({"given_name": "I\x07da"}, [UNPRINTABLE]),
        ({"given_name": "Ida\nBcc: all@people.example"}, [UNPRINTABLE]),
        ({"given_name": "I\x00da"}, [f"{UNPRINTABLE} Null characters are not allowed."]),
        ({"family_name": "\u202egreB"}, [UNPRINTABLE]),
        ({"email": ""}, [NO_ADDRESS]),
        ({"email": "ida"}, [NO_ADDRESS]),
        ({"email": "ida@people.example\nBcc: all@people.example"}, [NO_ADDRESS]),
        ({"email": "ida@people.example, ole@people.example"}, [NO_ADDRESS]),
        (
            {"email": f"{'i' * 60}@{'people.' * 10}example"},
            ["Ensure this value has at most 128 characters (it has 138)."],
        ),
        ({"groups": ["root"]}, ["Select a valid choice. root is not one of the available choices."]),
        (
            {"email": "amara.lindqvist@fieldhouse.example"},
            ["An account with this e-mail address already exists."],
        ),
        (
            {"email": "AMARA.Lindqvist@fieldhouse.example"},
            ["An account with this e-mail address already exists."],
        ),
    ],
)
def test_what_is_wrong_is_said_at_the_field_and_nobody_is_invited(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage], changed: dict[str, Any], messages: list[str]
) -> None:
    before = len(pool.ask("list_users")["Users"])

    response = admin.post(ADDRESS, IDA | changed)

    assert response.status_code == 422
    assert errors(response) == messages
    (field,) = changed
    assert f'id="id_{field}_error"' in response.content.decode()
    assert len(re.findall("autofocus", response.content.decode())) == 1
    assert mailoutbox == []
    assert len(pool.ask("list_users")["Users"]) == before


def test_what_was_typed_is_still_there(admin: Client) -> None:
    page = admin.post(ADDRESS, IDA | {"email": "ida"}).content.decode()

    assert 'name="given_name" value="Ida"' in page
    assert 'name="email" value="ida"' in page
    assert 'id="group-scout" name="groups" value="scout" checked' in page
    assert 'id="group-admin" name="groups" value="admin">' in page


def test_other_posted_fields_change_nothing(admin: Client, pool: Pool) -> None:
    extra = {
        "sub": pool["admin"].sub,
        "email_verified": "false",
        "role": "admin",
        "password": "Known-1234",
        "site": "https://evil.example",
    }

    admin.post(ADDRESS, IDA | extra)

    (account,) = cognito.find("ida").accounts
    assert account.groups == ("scout", "steward")
    assert account.sub != pool["admin"].sub
    assert pool.sign_in_with("ida@people.example", "Known-1234") == "NotAuthorizedException"


def test_a_mail_that_cannot_be_sent_is_told_and_can_be_sent_again(
    admin: Client, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    response = admin.post(ADDRESS, IDA, follow=True)

    assert toasts(response) == [str(services.NOT_MAILED)]
    assert status_of(response) == "Invited"


def test_a_history_that_cannot_be_written_is_told(
    admin: Client, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = cognito.create

    def create_and_lose_dynamodb(**arguments: str) -> str:
        sub = create(**arguments)
        proxy.faults = Faults(error=1)
        return sub

    monkeypatch.setattr(cognito, "create", create_and_lose_dynamodb)
    response = admin.post(ADDRESS, IDA)
    proxy.faults = Faults()

    assert response.status_code == 302
    page = admin.get(response["Location"])
    assert toasts(page) == ["Saved, but the change is missing from the history."]
    assert status_of(page) == "Invited"


@pytest.mark.parametrize("role", ["moderator", "steward", "member"])
def test_nobody_else_can_invite(
    as_person: Callable[[str], Client], role: str, mailoutbox: list[EmailMessage]
) -> None:
    client = as_person(role)

    assert client.get(ADDRESS).status_code == 403
    assert client.post(ADDRESS, IDA).status_code == 403
    assert cognito.find("ida").accounts == []
    assert mailoutbox == []
