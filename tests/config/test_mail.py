"""Where mail goes: to an SMTP server, or into files on a developer's machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.config.processes import ROOT

SHOW = """
import json
from django.conf import settings
names = ("BACKEND", "HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL", "FILE_PATH")
found = {name: str(getattr(settings, "EMAIL_" + name)) for name in names}
print(json.dumps(found | {"FROM": settings.DEFAULT_FROM_EMAIL}))
"""
SEND = """
import django
django.setup()
from django.core.mail import send_mail
send_mail("Hello", "Text", None, ["ida@people.example"])
"""


def run(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script under the real settings with nothing but these variables."""
    variables = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": "x" * 60,
    }
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=variables | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def mail_settings(**environment: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(run(SHOW, **environment).stdout)
    return found


def test_a_developers_mail_becomes_a_file_beside_the_other_data(tmp_path: Path) -> None:
    done = run(SEND, DEBUG="true", DATA_DIR=str(tmp_path))

    assert done.stderr == ""
    (mail,) = (tmp_path / "mail").iterdir()
    assert "To: ida@people.example" in mail.read_text()
    assert "From: Fieldhouse <fieldhouse@localhost>" in mail.read_text()


def test_with_a_host_mail_is_sent_encrypted_by_smtp() -> None:
    found = mail_settings(
        DEBUG="true",
        EMAIL_HOST="smtp.club.example",
        EMAIL_HOST_USER="club",
        EMAIL_HOST_PASSWORD="secret",
        EMAIL_FROM="Club <club@club.example>",
    )

    assert found["BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (found["HOST"], found["PORT"]) == ("smtp.club.example", "587")
    assert (found["HOST_USER"], found["HOST_PASSWORD"]) == ("club", "secret")
    assert (found["USE_TLS"], found["USE_SSL"]) == ("True", "False")
    assert found["FROM"] == "Club <club@club.example>"


def test_ssl_takes_the_place_of_starttls() -> None:
    found = mail_settings(
        DEBUG="true", EMAIL_HOST="smtp.club.example", EMAIL_PORT="465", EMAIL_USE_SSL="true"
    )

    assert (found["PORT"], found["USE_TLS"], found["USE_SSL"]) == ("465", "False", "True")


def test_both_kinds_of_encryption_stop_the_start_with_a_sentence() -> None:
    done = run(SHOW, DEBUG="true", EMAIL_USE_SSL="true", EMAIL_USE_TLS="true")

    assert done.returncode != 0
    assert "EMAIL_USE_SSL and EMAIL_USE_TLS exclude each other: set only one of them." in done.stderr


def test_production_sends_by_smtp_also_without_a_host() -> None:
    found = mail_settings(
        ALLOWED_HOSTS="club.example",
        COGNITO_USER_POOL_ID="eu-central-1_Club",
        COGNITO_CLIENT_ID="club",
        COGNITO_DOMAIN="https://login.club.example",
    )

    assert (found["BACKEND"], found["HOST"]) == ("django.core.mail.backends.smtp.EmailBackend", "localhost")
