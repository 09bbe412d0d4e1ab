"""`make breakages`: break the product on purpose, and see whether the tests notice."""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

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
    with ExitStack() as stack:
        folders = [stack.enter_context(running.copied_project()) for _job in range(options.jobs)]
        if problem := _problem_with(chosen, folders[0]):
            sys.stdout.write(f"{problem}\n")
            return 1
        verdicts = _judged(chosen, folders)
    unnoticed = [each for each in verdicts if not each.noticed_by]
    sys.stdout.write(f"{len(verdicts) - len(unnoticed)} of {len(verdicts)} breakages were noticed.\n")
    if unnoticed:
        return 1
    if options.write:
        sys.stdout.write(f"Written to {table.write()}.\n")
    return 0


def _is_named(breakage: Breakage, names: Sequence[str]) -> bool:
    return any(name == breakage.package or name.lower() in breakage.name.lower() for name in names)


def _problem_with(chosen: Sequence[Breakage], folder: Path) -> str:
    """Why nothing can be judged: a text that is not found once, or a test that fails anyway."""
    if not chosen:
        return "There is no such breakage."
    try:
        for breakage in chosen:
            breakage.place()
    except LookupError as error:
        return str(error)
    failures = running.failures_without_breakage((each.test for each in chosen), folder)
    return f"These tests fail without any breakage:\n{failures}" if failures else ""


def _judged(chosen: Sequence[Breakage], folders: Sequence[Path]) -> list[Verdict]:
    """As many at the same time as there are copies of the project."""
    free: SimpleQueue[Path] = SimpleQueue()
    for folder in folders:
        free.put(folder)

    def judge(breakage: Breakage) -> Verdict:
        folder = free.get()
        try:
            return running.judge(breakage, folder)
        finally:
            free.put(folder)

    verdicts = []
    with ThreadPoolExecutor(len(folders)) as pool:
        # None: the bar is for people at a terminal only.
        for verdict in tqdm(pool.map(judge, chosen), total=len(chosen), unit="breakage", disable=None):
            tqdm.write(str(verdict), file=sys.stdout)
            verdicts.append(verdict)
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
