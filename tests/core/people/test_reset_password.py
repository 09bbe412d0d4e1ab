"""Resetting a password: it stops working at once, a temporary one comes by mail."""

import re

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from core.accounts import cast
from core.dynamo import preferences
from tests.cast import session_of
from tests.core.people.people_pages import recorded, status_of, texts, toasts
from tests.the_club import the_club
from tests.user_pool import Pool


def test_it_asks_first(admin: Client, pool: Pool) -> None:
    response = admin.get(f"/people/{pool['scout'].sub}/reset-password")

    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Reset the password"]
    assert texts(response, r'id="confirm">(.*?)</button>') == ["Reset password"]
    assert pool.sign_in_with(pool["scout"].email, cast.PASSWORD) == "in"


def test_the_old_password_is_dead_and_a_temporary_one_is_mailed(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    scout = pool["scout"]

    response = admin.post(f"/people/{scout.sub}/reset-password", follow=True)

    assert toasts(response) == ["Password reset. A temporary password is on its way by e-mail."]
    assert status_of(response) == "Invited"
    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("Your new temporary password for Fieldhouse", [scout.email])
    (password,) = re.findall(r"temporary password: (\S+)", str(mail.body))
    assert password not in response.content.decode()
    assert pool.sign_in_with(scout.email, password) == "NEW_PASSWORD_REQUIRED"
    assert pool.sign_in_with(scout.email, cast.PASSWORD) == "NotAuthorizedException"
    assert recorded(scout.sub) == [(pool["admin"].sub, "reset_password", {})]


@pytest.mark.usefixtures("marked_german")
@pytest.mark.parametrize(
    ("chosen", "of_the_club", "is_german"), [("de", "en", True), ("en", "de", False), ("", "de", True)]
)
def test_the_mail_is_in_the_language_of_its_receiver_and_else_of_the_club(
    admin: Client,
    pool: Pool,
    mailoutbox: list[EmailMessage],
    chosen: str,
    of_the_club: str,
    is_german: bool,
) -> None:
    """Not in that of who sends it, or of their browser."""
    scout = pool["scout"]
    if chosen:
        preferences.save(scout.sub, "language", chosen)
    the_club(language=of_the_club)

    admin.post(
        f"/people/{scout.sub}/reset-password", headers={"Accept-Language": "en" if is_german else "de"}
    )

    (mail,) = mailoutbox
    assert ("«" in mail.subject, "«" in str(mail.body)) == (is_german, is_german)


def test_the_form_of_the_question_resets_it_once(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    address = f"/people/{pool['scout'].sub}/reset-password"
    (key,) = texts(admin.get(address), r'name="once" value="(.*?)"')

    for _time in range(2):
        page = admin.get(admin.post(address, {"once": key})["Location"])
        assert toasts(page) == ["Password reset. A temporary password is on its way by e-mail."]
    assert len(mailoutbox) == 1
    assert len(recorded(pool["scout"].sub)) == 1


def test_whoever_was_signed_in_with_the_old_password_no_longer_is(admin: Client, pool: Pool) -> None:
    session = session_of(pool["scout"])

    admin.post(f"/people/{pool['scout'].sub}/reset-password")

    assert not session.exists(str(session.session_key))


@pytest.mark.parametrize("state", ["invited", "disabled"])
def test_an_account_without_a_password_in_use_is_left_alone(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage], state: str
) -> None:
    sub = pool["scout"].sub
    if state == "disabled":
        pool.ask("admin_disable_user", Username=sub)
    else:
        pool.ask("admin_set_user_password", Username=sub, Password="First-Password-1", Permanent=False)

    response = admin.post(f"/people/{sub}/reset-password")

    assert response.status_code == 409
    assert "Only active accounts have a password to reset." in response.content.decode()
    assert mailoutbox == []


def test_an_account_that_was_reset_in_the_aws_console_can_be_reset_here(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    pool.ask("admin_reset_user_password", Username=pool["scout"].sub)

    admin.post(f"/people/{pool['scout'].sub}/reset-password")

    assert len(mailoutbox) == 1
