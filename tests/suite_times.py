"""Where the suite's time goes, by folder and phase: `make test-times` loads this pytest plugin.

Seconds are summed over the workers. Start is from the beginning of the run to a worker's first test: imports,
collection and distribution.
"""

import time
from collections import defaultdict

import pytest

PHASES = ("setup", "call", "teardown")
SLOWEST = 15

_begun = time.perf_counter()
_starts: dict[str, float] = {}
_seconds: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(PHASES, 0.0))
_tests: dict[str, int] = defaultdict(int)
_files: dict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    worker = getattr(report, "worker_id", "main")
    _starts.setdefault(worker, time.perf_counter() - _begun - report.duration)
    file = report.nodeid.partition("::")[0]
    folder = "/".join(file.split("/")[:2])
    _seconds[folder][report.when] += report.duration
    _files[file] += report.duration
    if report.when == "call":
        _tests[folder] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    write = terminalreporter.write_line
    terminalreporter.section("where the time went, in seconds")
    write(f"start: {', '.join(f'{seconds:.1f}' for seconds in _starts.values())}")
    write(f"{'':<24}{'tests':>7}{'set-up':>9}{'call':>9}{'teardown':>10}{'together':>10}")
    for folder, seconds in sorted(_seconds.items(), key=lambda each: -sum(each[1].values())):
        columns = f"{seconds['setup']:>9.1f}{seconds['call']:>9.1f}{seconds['teardown']:>10.1f}"
        write(f"{folder:<24}{_tests[folder]:>7}{columns}{sum(seconds.values()):>10.1f}")
    for file, took in sorted(_files.items(), key=lambda each: -each[1])[:SLOWEST]:
        write(f"{took:>8.1f}  {file}")
