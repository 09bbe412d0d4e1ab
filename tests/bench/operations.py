"""Seven operations on the same articles: one client's milliseconds, then eight clients' requests a second."""

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from cms.news.models import News
from config.engines.dynoxide import Dynoxide
from tests.bench import load, pages, records, servers
from tests.bench.contestants import ROWS, Admin, Contestant, Fieldhouse, Floor
from tests.bench.load import Answers, Plan
from tests.bench.pages import API_LIST, Costs
from tests.bench.settings import Effort
from tests.connecting import connected_to

OPERATIONS = ("list", "page 40", "search", "edit form", "save", "new form", "create")
# The admin has no API: that one is compared with the bare Query only.
MEASURED = (*OPERATIONS, API_LIST)
WRITES = ("save", "create")
CLIENTS = 8
# Both hang on the processor only, and not on how many articles there are.
YARDSTICK = ("edit form", "new form")


@dataclass
class Measured:
    """One operation of one contestant."""

    median_ms: float
    per_second: float
    # Of the workers, for one request; SQLite's work is in it, DynamoDB's is not.
    processor_ms: float = 0.0
    kilobytes: float = 0.0
    errors: int = 0
    statuses: dict[str, int] = field(default_factory=dict)


# By contestant, then by operation.
Table = dict[str, dict[str, Measured]]


@dataclass
class Outcome:
    table: Table
    # Of each worker, in MB.
    memory: dict[str, list[float]]
    # What ours cost in requests and units.
    costs: Costs


def measure(size: int, effort: Effort) -> Outcome:
    """All three side by side, in blocks that take turns: a busy machine slows each of them alike."""
    with ExitStack() as running:
        contestants = start(size, running)
        costs = pages.run("news", contestants[0].server.environment(), rounds=3)
        table: Table = {each.name: {} for each in contestants}
        for operation in tqdm(MEASURED, desc=f"{size:,} articles", disable=None):
            for each, measured in _contest(operation, contestants, effort):
                table[each.name][operation] = measured
        return Outcome(table, {each.name: each.server.memory() for each in contestants}, costs)


def _contest(
    operation: str, contestants: list[Contestant], effort: Effort
) -> Iterator[tuple[Contestant, Measured]]:
    """One operation of all who take part in it."""
    taking_part = [each for each in contestants if not _sits_out(each, operation)]
    sizes = [_kilobytes(each, operation) for each in taking_part]
    for each in taking_part:
        _block(each, operation, clients=CLIENTS, seconds=effort.warm_seconds)
    alone = _in_turns(taking_part, operation, effort.rounds, clients=1, seconds=effort.alone_seconds)
    together = _in_turns(
        taking_part, operation, effort.rounds, clients=CLIENTS, seconds=effort.together_seconds
    )
    for each, kilobytes, one, eight in zip(taking_part, sizes, alone, together, strict=True):
        processor_seconds = one.processor_seconds + eight.processor_seconds
        yield (
            each,
            Measured(
                median_ms=statistics.median(one.ms or [0.0]),
                per_second=eight.per_second,
                processor_ms=processor_seconds * 1000 / max(1, len(one.ms) + len(eight.ms)),
                kilobytes=kilobytes,
                errors=one.errors + eight.errors,
                statuses=dict(one.statuses + eight.statuses),
            ),
        )


def _in_turns(
    taking_part: list[Contestant], operation: str, rounds: int, *, clients: int, seconds: float
) -> list[Answers]:
    total = [Answers() for _each in taking_part]
    for _round in range(rounds):
        for answers, each in zip(total, taking_part, strict=True):
            answers.add(_block(each, operation, clients=clients, seconds=seconds))
    return total


def yardstick() -> float:
    """Processor ms of the admin's two forms: how fast this machine is, whatever else it has to do."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        sqlite = records.copied(records.admin_data(1_000), folder)
        servers.collect_static(records.admin_environment(sqlite))
        admin = Admin(running.enter_context(servers.admin(sqlite)), 1_000)
        return statistics.mean(_processor_ms(admin, operation) for operation in YARDSTICK)


def _processor_ms(each: Contestant, operation: str) -> float:
    _block(each, operation, clients=1, seconds=0.5)
    answers = _block(each, operation, clients=1, seconds=2)
    return answers.processor_seconds * 1000 / len(answers.ms)


def start(size: int, running: ExitStack) -> list[Contestant]:
    """Copies of the kept data, an engine, and three servers."""
    kept = records.fieldhouse_data(size), records.admin_data(size)
    folder = Path(running.enter_context(tempfile.TemporaryDirectory(dir=records.FOLDER)))
    dynamodb, sqlite = (records.copied(each, folder) for each in kept)
    engine = running.enter_context(Dynoxide(db_path=dynamodb))
    running.enter_context(connected_to(engine.endpoint))
    ours = servers.fieldhouse(engine.endpoint)
    servers.collect_static(servers.fieldhouse_environment(engine.endpoint))
    servers.collect_static(records.admin_environment(sqlite))
    return [
        Fieldhouse(running.enter_context(ours), size),
        Admin(running.enter_context(servers.admin(sqlite)), size),
        Floor(running.enter_context(servers.floor(engine.endpoint, table=News.Meta.table_name)), size),
    ]


def _block(each: Contestant, operation: str, *, clients: int, seconds: float) -> Answers:
    is_write = operation in WRITES
    # More than the fastest could send in that time.
    writes = int(seconds * (1500 if clients == 1 else 1500 / clients)) + 10
    requests = each.requests(operation, clients, writes)
    plan = Plan(each.server.port, each.headers, requests, seconds, again=not is_write)
    before = each.server.processor_seconds()
    answers = load.run(plan)
    answers.processor_seconds = each.server.processor_seconds() - before
    return answers


def _kilobytes(each: Contestant, operation: str) -> float:
    """Of a page; on the way it is looked at: nobody is praised for an empty one."""
    if operation in WRITES:
        return 0.0
    page = each.page(each.address(operation))
    if operation in ("list", "page 40", "search"):
        assert page.count("bericht ") >= ROWS, f"{each.name}: {operation} shows too few rows."
    elif operation == API_LIST:
        assert page.count("bericht ") == 100, f"{each.name} does not answer 100 articles."
    elif operation == "edit form":
        assert page.count("Five sets.") >= 200, f"{each.name} shows no text in its form."
    return len(page.encode()) / 1000


def _sits_out(each: Contestant, operation: str) -> bool:
    """No one call finds words, and the admin has no API."""
    return (type(each), operation) in {(Floor, "search"), (Admin, API_LIST)}
