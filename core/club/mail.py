"""E-mail from the club."""

from collections.abc import Mapping
from email.utils import formataddr, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.debug import sensitive_variables

from core.club import queries


@sensitive_variables("context", "body", "text")
def send(template: str, context: Mapping[str, Any], *, to: str, language: str = "") -> None:
    """Send a mail whose template has the subject in its first line. Raises OSError or ValueError.

    It is in this language, or in that of the club. The sender has the name of the club; the address is that
    of EMAIL_FROM.
    """
    club = queries.current()
    with translation.override(language or club.texts_language):
        body = render_to_string(template, dict(context))
    subject, _blank, text = body.partition("\n")
    _name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    send_mail(subject, text.lstrip(), formataddr((club.name, address)), [to])
