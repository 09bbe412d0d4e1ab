"""`python -m tests.branch_coverage .coverage.json`: fails if too few branches are covered.

Slipcover's own limit counts lines and branches together, and there are many more lines.
"""

import json
import sys
from pathlib import Path

LEAST_PERCENT = 95


def main(report: Path) -> int:
    summary = json.loads(report.read_text())["summary"]
    covered, total = summary["covered_branches"], summary["covered_branches"] + summary["missing_branches"]
    percent = 100 * covered / total
    sys.stdout.write(f"Branches: {covered:,} of {total:,} ({percent:.2f} %; at least {LEAST_PERCENT} %).\n")
    return 0 if percent >= LEAST_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
