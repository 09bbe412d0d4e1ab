"""`make bench`: ours beside Django's admin on SQLite and the bare floor, and whether what must hold holds."""

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

from config.engines.dynoxide import Dynoxide  # noqa: E402
from config.local import ROOT  # noqa: E402
from tests.bench import busy, operations, pages, records, report, servers, start  # noqa: E402
from tests.bench.documents import machine  # noqa: E402
from tests.bench.results import Results, yardstick_of  # noqa: E402
from tests.bench.settings import QUICK, WHOLE, Effort  # noqa: E402

PARTS = ("operations", "pages", "start", "busy")
FOLDER = ROOT / "docs" / "bench"


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    asked.add_argument("--quick", action="store_true", help="1,000 records only, and shorter blocks")
    asked.add_argument(
        "--only", choices=PARTS, action="append", help="this part; may be given more than once"
    )
    asked.add_argument("--out", type=Path, help="where the results go; a whole run writes to docs/bench")
    options = asked.parse_args()
    is_whole = not options.quick and not options.only
    results = measured(options.only or PARTS, QUICK if options.quick else WHOLE)
    sys.stdout.write(report.as_markdown(results))
    folder = options.out or (FOLDER if is_whole else None)
    for path in report.write(results, folder) if folder else ():
        sys.stdout.write(f"Written to {path}.\n")
    return 0 if all(verdict.holds for verdict in results.verdicts()) else 1


def measured(parts: tuple[str, ...], effort: Effort) -> Results:
    results = Results(str(date.today()), machine())
    if "operations" in parts:
        results.operations = {size: operations.measure(size, effort) for size in effort.sizes}
        results.yardstick_ms = yardstick_of(results.operations[effort.sizes[-1]])
    else:
        results.yardstick_ms = operations.yardstick()
    if "pages" in parts:
        results.pages = of_demo(effort)
    if "start" in parts:
        results.start = start.measure(effort.starts)
    if "busy" in parts:
        results.busy = busy.measure(effort.sizes[-1], effort.busy_seconds)
    return results


def of_demo(effort: Effort) -> pages.Costs:
    kept = records.demo_data()
    with (
        tempfile.TemporaryDirectory() as folder,
        Dynoxide(db_path=records.copied(kept, Path(folder))) as engine,
    ):
        environment = servers.fieldhouse_environment(engine.endpoint)
        servers.collect_static(environment)
        return pages.run("screens", environment, rounds=effort.page_rounds)


if __name__ == "__main__":
    sys.exit(main())
