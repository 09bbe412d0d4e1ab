"""`make breakages`: break the product on purpose, and see whether the tests notice."""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tqdm import tqdm

from tests.breakages import running, table
from tests.breakages.catalogue import Breakage, breakages
from tests.breakages.running import Verdict


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.breakages", description=__doc__)
    asked.add_argument("names", nargs="*", help="only breakages whose name or package contains one of these")
    asked.add_argument("--jobs", type=int, default=2, help="how many at the same time (2)")
    asked.add_argument("--write", action="store_true", help="write docs/breakages.md if all were noticed")
    options = asked.parse_args()
    chosen = [each for each in breakages() if not options.names or _is_named(each, options.names)]
    if options.write and len(chosen) != len(breakages()):
        asked.error("--write needs all breakages")
    if problem := _problem_with(chosen):
        sys.stdout.write(f"{problem}\n")
        return 1
    verdicts = _judged(chosen, options.jobs)
    unnoticed = [each for each in verdicts if not each.noticed_by]
    sys.stdout.write(f"{len(verdicts) - len(unnoticed)} of {len(verdicts)} breakages were noticed.\n")
    if unnoticed:
        return 1
    if options.write:
        sys.stdout.write(f"Written to {table.write()}.\n")
    return 0


def _is_named(breakage: Breakage, names: Sequence[str]) -> bool:
    return any(name == breakage.package or name.lower() in breakage.name.lower() for name in names)


def _problem_with(chosen: Sequence[Breakage]) -> str:
    """Why nothing can be judged: a text that is not found once, or a test that fails anyway."""
    if not chosen:
        return "There is no such breakage."
    try:
        for breakage in chosen:
            breakage.place()
    except LookupError as error:
        return str(error)
    failures = running.failures_without_breakage(breakage.test for breakage in chosen)
    return f"These tests fail without any breakage:\n{failures}" if failures else ""


def _judged(chosen: Sequence[Breakage], jobs: int) -> list[Verdict]:
    verdicts = []
    with ThreadPoolExecutor(jobs) as pool:
        judging = pool.map(running.judge, chosen)
        # None: the bar is for people at a terminal only.
        for verdict in tqdm(judging, total=len(chosen), unit="breakage", disable=None):
            tqdm.write(str(verdict), file=sys.stdout)
            verdicts.append(verdict)
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
