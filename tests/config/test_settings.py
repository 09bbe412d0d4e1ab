"""Settings that are wrong end every command with one sentence that names the variable."""

import subprocess
import sys

import pytest

from tests.config.processes import ROOT, clean_environment

GOOD = {
    "SECRET_KEY": "only-for-tests-" + "0123456789abcdef" * 4,
    "ALLOWED_HOSTS": "club.example",
    "COGNITO_USER_POOL_ID": "eu-central-1_Tests",
    "COGNITO_CLIENT_ID": "tests-client",
    "COGNITO_DOMAIN": "https://login.club.example",
}
NOBODY = "COGNITO_USER_POOL_ID, COGNITO_CLIENT_ID and COGNITO_DOMAIN must be set: nobody could sign in."
REGION = "a region such as eu-central-1"
PRINT_POLICY = """
from config import settings
policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
print(settings.MEDIA_PUBLIC_URL, *(",".join(policy[name]) for name in ("img-src", "connect-src")))
"""
TABLE = "3 to 255 letters, digits, dots, dashes or underscores"


def check(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", *options],
        env=clean_environment(**GOOD | variables),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_good_settings_pass_and_need_no_more_than_these() -> None:
    ended = check("--deploy", "--fail-level", "WARNING")

    assert (ended.returncode, ended.stdout) == (0, "System check identified no issues (2 silenced).\n")


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        (
            {"SECRET_KEY": ""},
            "SECRET_KEY must be set: it signs cookies and page tokens; 50 random characters or more.",
        ),
        ({"SECRET_KEY": "x" * 49}, "SECRET_KEY must have 50 characters or more, not 49."),
        ({"HSTS_SECONDS": "-1"}, "HSTS_SECONDS must be a whole number from 0 to 63072000, not '-1'."),
        (
            {"ALLOWED_HOSTS": " , "},
            "ALLOWED_HOSTS must name the hosts this site answers for, separated by commas.",
        ),
        (
            {"API_ORIGINS": "https://app.example/login"},
            "API_ORIGINS must be origins such as https://app.example, not 'https://app.example/login'.",
        ),
        ({"DEBUG": "maybe"}, "DEBUG must be true or false, not 'maybe'."),
        ({"COGNITO_USER_POOL_ID": ""}, NOBODY),
        ({"COGNITO_CLIENT_ID": ""}, NOBODY),
        ({"COGNITO_DOMAIN": ""}, NOBODY),
        (
            {"COGNITO_DOMAIN": "login.club.example"},
            "COGNITO_DOMAIN must be an http or https address, not 'login.club.example'.",
        ),
        ({"LOG_LEVEL": "verbose"}, "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not 'verbose'."),
        (
            {"DYNAMODB_ENDPOINT": "http://[::1"},
            "DYNAMODB_ENDPOINT must be an http or https address, not 'http://[::1'.",
        ),
        (
            {"DYNAMODB_ENDPOINT": "http://h:99999"},
            "DYNAMODB_ENDPOINT must be an http or https address, not 'http://h:99999'.",
        ),
        (
            {"AWS_ENDPOINT_URL_DYNAMODB": "localhost:8000"},
            "AWS_ENDPOINT_URL_DYNAMODB must be an http or https address, not 'localhost:8000'.",
        ),
        ({"AWS_REGION": "eu central!"}, f"AWS_REGION must be {REGION}, not 'eu central!'."),
        ({"SUPPORT_TABLE": "a b"}, f"SUPPORT_TABLE must be {TABLE}, not 'a b'."),
        (
            {"TABLE_PREFIX": "my club-"},
            "TABLE_PREFIX must be at most 100 letters, digits, dots, dashes or underscores, not 'my club-'.",
        ),
        (
            {"AWS_SDK_MAX_ATTEMPTS": "0"},
            "AWS_SDK_MAX_ATTEMPTS must be a whole number from 1 to 10, not '0'.",
        ),
        (
            {"CLUB_TIME_ZONE": "Europe/Nowhere"},
            "CLUB_TIME_ZONE must be a time zone such as Europe/Berlin, not 'Europe/Nowhere'.",
        ),
        (
            {"CLUB_LANGUAGE": "Deutsch"},
            "CLUB_LANGUAGE must be a language such as de or pt-BR, not 'Deutsch'.",
        ),
        (
            {"EMAIL_USE_SSL": "true", "EMAIL_USE_TLS": "true"},
            "EMAIL_USE_SSL and EMAIL_USE_TLS exclude each other: set only one of them.",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_a_wrong_setting_is_one_sentence(variables: dict[str, str], sentence: str) -> None:
    ended = check(**variables)

    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"{sentence}\n")


def test_browsers_may_load_pictures_from_their_address_and_send_files_to_the_bucket() -> None:
    answered = subprocess.run(
        [sys.executable, "-c", PRINT_POLICY],
        env=clean_environment(
            **GOOD, MEDIA_BUCKET="club-media", MEDIA_PUBLIC_URL="https://files.club.example/media/"
        ),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert answered.stdout.split() == [
        "https://files.club.example/media",
        "'self',https://files.club.example",
        "'self',https://club-media.s3.eu-central-1.amazonaws.com",
    ]
