"""`manage.py demo` loads each app's example records once."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import modify_settings

from core.dynamo.support_table import SupportItem

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed app with a demo; answers the file in which each load leaves a line."""
    app = tmp_path / "garden"
    app.mkdir()
    loads = tmp_path / "loads"
    loads.touch()
    (app / "__init__.py").touch()
    (app / "demo.py").write_text(
        "import logging\n"
        "from pathlib import Path\n"
        f"loads = Path({str(loads)!r})\n"
        "def load():\n"
        "    with loads.open('a') as file: file.write('loaded\\n')\n"
        "    logging.getLogger('fieldhouse.events').info('changed')\n"
        "    if loads.with_name('broken').exists(): raise OSError(28, 'Full', 'roses.csv')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with modify_settings(INSTALLED_APPS={"append": "garden"}):
        yield loads
    for name in ("garden", "garden.demo"):
        sys.modules.pop(name, None)


def test_demo_records_are_loaded_once(garden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("demo")
    assert "Loading the demo records of garden.\n" in capsys.readouterr().out
    call_command("demo")
    assert "garden" not in capsys.readouterr().out
    assert garden.read_text() == "loaded\n"


def test_on_a_terminal_a_bar_shows_how_far_it_is(garden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    call_command("demo", stdout=Terminal())

    shown = capsys.readouterr().out.replace("\n", "").split("\r")
    assert any(line.startswith("Loading the demo records of garden: ") for line in shown)
    assert "1 records]" in shown[-1]
    assert "100%" in shown[-1]


def test_a_load_that_failed_is_repeated(garden: Path) -> None:
    garden.with_name("broken").touch()
    with pytest.raises(CommandError, match=r"^roses\.csv: Full\.$"):
        call_command("demo")
    garden.with_name("broken").unlink()
    call_command("demo")
    assert garden.read_text() == "loaded\nloaded\n"


def test_a_new_data_folder_is_filled_anew_because_the_marker_lies_with_the_data(garden: Path) -> None:
    call_command("demo")
    SupportItem("DEMO#garden", "LOADED").delete()
    call_command("demo")
    assert garden.read_text() == "loaded\nloaded\n"
