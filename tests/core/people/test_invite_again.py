"""Sending an invitation again: the temporary password was lost or has run out."""

import re
from typing import Any

from django.core.mail import EmailMessage
from django.test import Client

from core.accounts import cast
from core.people import services
from tests.core.people.people_pages import recorded, status_of, texts, toasts
from tests.user_pool import Pool


def invited(pool: Pool) -> str:
    sub = pool["scout"].sub
    pool.ask("admin_set_user_password", Username=sub, Password="First-Password-1", Permanent=False)
    return sub


def test_it_asks_first(admin: Client, pool: Pool, mailoutbox: list[EmailMessage]) -> None:
    response = admin.get(f"/people/{invited(pool)}/invite-again")

    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Resend the invitation"]
    assert "The old one stops working." in response.content.decode()
    assert mailoutbox == []


def test_a_new_temporary_password_replaces_the_first(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    sub = invited(pool)

    response = admin.post(f"/people/{sub}/invite-again", follow=True)

    assert toasts(response) == ["Invitation resent."]
    assert status_of(response) == "Invited"
    (mail,) = mailoutbox
    assert (mail.subject, mail.to) == ("Your invitation to Fieldhouse", ["sina.hoffmann@fieldhouse.example"])
    (password,) = re.findall(r"temporary password: (\S+)", str(mail.body))
    assert pool.sign_in_with(pool["scout"].email, password) == "NEW_PASSWORD_REQUIRED"
    assert pool.sign_in_with(pool["scout"].email, "First-Password-1") == "NotAuthorizedException"
    assert recorded(sub) == [(pool["admin"].sub, "invite_again", {})]


def test_somebody_who_has_signed_in_cannot_be_invited_again(
    admin: Client, pool: Pool, mailoutbox: list[EmailMessage]
) -> None:
    response = admin.post(f"/people/{pool['scout'].sub}/invite-again")

    assert response.status_code == 409
    assert "This person has already signed in" in response.content.decode()
    assert mailoutbox == []
    assert pool.sign_in_with(pool["scout"].email, cast.PASSWORD) == "in"


def test_a_mail_that_cannot_be_sent_is_told(admin: Client, pool: Pool, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9

    response = admin.post(f"/people/{invited(pool)}/invite-again", follow=True)

    assert toasts(response) == [str(services.NOT_MAILED)]
