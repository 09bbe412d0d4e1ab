""".env.example and the README cannot fall behind the code."""

import re

from config.engines import services
from core.accounts import cast
from tests.config.processes import ROOT

READERS = r"env\.(?:text|required|flag|number|words|origins|address|matching)\(([^)]*)"


def listed() -> set[str]:
    return set(re.findall(r"^#([A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def test_every_variable_that_the_settings_read_is_listed() -> None:
    sources = [
        ROOT / "config/settings.py",
        ROOT / "config/gunicorn.py",
        ROOT / "config/backlog.py",
        *ROOT.glob("config/management/commands/*.py"),
    ]
    read = set()
    for source in sources:
        for arguments in re.findall(READERS, source.read_text()):
            # Positional arguments only: what follows a keyword is a value, not a name.
            names = re.split(r"\w+=", arguments)[0]
            read |= set(re.findall(r'"([A-Z][A-Z0-9_]+)"', names))
    assert {"SECRET_KEY", "AWS_DEFAULT_REGION", "WEB_THREADS", "BIND", "PORT"} <= read
    assert read - listed() == set()


def test_every_variable_that_decides_what_is_started_is_listed_and_explained() -> None:
    deciding = {
        *services.AWS_VARIABLES,
        *services.DYNAMODB_VARIABLES,
        *services.COGNITO_VARIABLES,
        *services.S3_VARIABLES,
    }
    assert deciding - listed() == set()
    readme = (ROOT / "README.md").read_text()
    assert [name for name in sorted(deciding) if f"`{name}`" not in readme] == []


def test_the_readme_names_the_demo_accounts_and_their_password() -> None:
    readme = (ROOT / "README.md").read_text()
    assert f"`{cast.PASSWORD}`" in readme
    rows = re.findall(r"^\| (\S+) \| (\S+@\S+) \|$", readme, re.MULTILINE)
    assert rows == [(person.group or "member", person.email) for person in cast.CAST]
