"""`make load`: a club's busiest day in five minutes, and whether what must hold holds."""

import argparse
import logging
import os
import sys
import tempfile
from datetime import date
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
# Where bytecode may not be kept, every start would compile all modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
django.setup()
logging.disable(logging.WARNING)

from config.local import ROOT  # noqa: E402
from tests.bench import documents  # noqa: E402
from tests.load import day, report, results  # noqa: E402
from tests.load.settings import SHORT, WHOLE  # noqa: E402

FOLDER = ROOT / "docs" / "load"


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    asked.add_argument("--short", action="store_true", help="a minute of a smaller club, as the test has it")
    asked.add_argument("--out", type=Path, help="where the results go; a whole day writes to docs/load")
    options = asked.parse_args()
    machine, today = documents.machine(), str(date.today())
    with tempfile.TemporaryDirectory() as place:
        outcome = day.run(SHORT if options.short else WHOLE, Path(place))
    markdown = report.as_markdown(outcome, today, machine)
    sys.stdout.write(markdown)
    if folder := options.out or (None if options.short else FOLDER):
        values = report.as_values(outcome, today, machine)
        for path in documents.write(folder, today, markdown=markdown, values=values):
            sys.stdout.write(f"Written to {path}.\n")
    return 0 if all(verdict.holds for verdict in results.verdicts(outcome)) else 1


if __name__ == "__main__":
    sys.exit(main())
