"""How long a worker takes to start: its imports in a fresh process, and gunicorn until the first pages."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from config.engines.dynoxide import Dynoxide
from config.local import ROOT
from tests.bench import records, servers
from tests.bench.contestants import Fieldhouse
from tests.connecting import connected_to

IMPORT = """
import json, sys, time, importlib
started = time.perf_counter()
importlib.import_module(sys.argv[1])
took = time.perf_counter() - started
rss = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS"))
print(json.dumps([time.process_time(), took, rss / 1000, len(sys.modules)]))
"""


@dataclass
class Started:
    """Medians. The processor's seconds count from the start of Python, memory is RSS."""

    import_processor_seconds: float
    import_seconds: float
    import_megabytes: float
    modules: float
    # From the start of gunicorn with one worker.
    seconds_until_ready: float = 0.0
    seconds_until_first_page: float = 0.0


def measure(times: int) -> dict[str, Started]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Dynoxide(db_path=records.copied(records.fieldhouse_data(1_000), Path(folder))) as engine,
        connected_to(engine.endpoint),
    ):
        environment = servers.fieldhouse_environment(engine.endpoint)
        servers.collect_static(environment)
        ours = _imported("config.wsgi", environment, times)
        ready, opened = zip(*(_begin(engine.endpoint) for _time in _shown(times, "gunicorn")), strict=True)
        ours.seconds_until_ready = statistics.median(ready)
        ours.seconds_until_first_page = statistics.median(opened)
        sqlite = records.copied(records.admin_data(1_000), Path(folder))
        admin = _imported("tests.bench.admin.wsgi", records.admin_environment(sqlite), times)
        return {"Fieldhouse": ours, "Django admin, SQLite": admin}


def _imported(module: str, environment: Mapping[str, str], times: int) -> Started:
    def once() -> list[float]:
        command = [sys.executable, "-c", IMPORT, module]
        done = subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, check=True)
        told: list[float] = json.loads(done.stdout)
        return told

    once()  # so that all bytecode is there
    return Started(*map(statistics.median, zip(*(once() for _time in _shown(times, module)), strict=True)))


def _begin(dynamodb: str) -> tuple[float, float]:
    started = time.perf_counter()
    with servers.fieldhouse(dynamodb, workers=1) as server:
        ready = time.perf_counter() - started
        Fieldhouse(server, 1_000).page("/desk/")
        return ready, time.perf_counter() - started


def _shown(times: int, what: str) -> Iterable[int]:
    return tqdm(range(times), desc=f"Starting {what}", disable=None)
