"""A busy machine must be slow, not broken: reads and writes while other programs want every core.

Some writes are sent twice, as by somebody who presses a button again. Afterwards every write that was
acknowledged must be there, exactly once.
"""

import os
import signal
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen

from tqdm import tqdm

from cms.news.models import News
from cms.news.repository import news as repository
from cms.news.resource import news
from config.engines.dynoxide import Dynoxide
from core.content.richtext import plain_text
from core.dynamo.paging import StartKey
from tests.bench import load, records, servers
from tests.bench.contestants import TEXT, Fieldhouse, written
from tests.bench.load import Plan, Request
from tests.connecting import connected_to

CLIENTS = 8
TITLE = "Betrieb"
# More than a client could send in the time.
MOST_CYCLES_PER_SECOND = 12
TWICE_EVERY = 5


@dataclass
class Outcome:
    seconds: float
    statuses: dict[str, int]
    errors: int
    median_ms: float
    slowest_ms: float
    creates: int
    saves: int
    lost: int
    doubled: int

    @property
    def unavailable(self) -> int:
        return self.statuses.get("503", 0)


class Work:
    """What one client does, and what must be there when all of it was acknowledged."""

    def __init__(self, ours: Fieldhouse, client: int, cycles: int) -> None:
        self.key = ours.key(client)
        opened, new = ours.form(news.record_address(self.key)), ours.form(news.new_address)
        self.version = int(opened.fields["version"][0])
        self.requests: list[Request] = []
        # By the index of the request: the title of the article that it makes, or the text that it saves.
        self.titles: dict[int, str] = {}
        self.texts: dict[int, str] = {}
        for cycle in range(cycles):
            times = 2 if cycle % TWICE_EVERY == 0 else 1
            title, text = f"{TITLE} {client}-{cycle}", f"{client}-{cycle} {TEXT}".strip()
            self._add(ours.address("list"))
            self.titles |= dict.fromkeys(self._post(ours.create(new.fields, title), times), title)
            self._add(news.record_address(self.key))
            fields = opened.fields | written(text)
            save = ours.post(opened.action, fields, version=str(self.version + cycle), then="publish")
            self.texts |= dict.fromkeys(self._post(save, times), text)
            self._add(ours.address("search"))

    def _add(self, address: str) -> None:
        self.requests.append(Request(address))

    def _post(self, request: Request, times: int) -> range:
        first = len(self.requests)
        self.requests += [request] * times
        return range(first, len(self.requests))


def measure(size: int, seconds: float) -> Outcome:
    with ExitStack() as running:
        kept = records.fieldhouse_data(size)
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(dir=records.FOLDER)))
        engine = running.enter_context(Dynoxide(db_path=records.copied(kept, folder)))
        running.enter_context(connected_to(engine.endpoint))
        servers.collect_static(servers.fieldhouse_environment(engine.endpoint))
        ours = Fieldhouse(running.enter_context(servers.fieldhouse(engine.endpoint)), size)
        cycles = int(seconds * MOST_CYCLES_PER_SECOND)
        work = [Work(ours, client, cycles) for client in tqdm(range(CLIENTS), desc="Busy", disable=None)]
        plan = Plan(ours.server.port, ours.headers, [each.requests for each in work], seconds, again=False)
        with busy_cores():
            answers = load.run(plan)
        lost, doubled = _compare(work, answers.done)
        return Outcome(
            seconds=answers.elapsed,
            statuses=dict(answers.statuses),
            errors=answers.errors,
            median_ms=statistics.median(answers.ms),
            slowest_ms=max(answers.ms),
            creates=sum(len(_acknowledged(each.titles, done)) for each, done in _pairs(work, answers.done)),
            saves=sum(len(_acknowledged(each.texts, done)) for each, done in _pairs(work, answers.done)),
            lost=lost,
            doubled=doubled,
        )


@contextmanager
def busy_cores() -> Iterator[None]:
    """One endless loop for each core."""
    loops = [
        Popen([sys.executable, "-c", "while True: pass"], stdin=DEVNULL) for _core in os.sched_getaffinity(0)
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.send_signal(signal.SIGKILL)
            loop.wait()


def _compare(work: Sequence[Work], done: Sequence[Sequence[int]]) -> tuple[int, int]:
    """How many acknowledged writes are missing, and how many were carried out more than once."""
    stored = Counter(article.title for article in _newest() if article.title.startswith(f"{TITLE} "))
    lost = doubled = 0
    for each, indexes in _pairs(work, done):
        titles = _acknowledged(each.titles, indexes)
        lost += sum(stored[title] == 0 for title in titles)
        doubled += sum(stored[title] > 1 for title in titles)
        texts, record = _acknowledged(each.texts, indexes), repository.get(each.key, strong=True)
        # Each save is one version, and the last text stays.
        difference = record.seen_version - each.version - len(texts)
        lost += max(0, -difference) or int(bool(texts) and plain_text(record.content) != texts[-1])
        doubled += max(0, difference)
    return lost, doubled


def _pairs(work: Sequence[Work], done: Sequence[Sequence[int]]) -> Iterator[tuple[Work, Sequence[int]]]:
    return zip(work, done, strict=True)


def _acknowledged(writes: dict[int, str], done: Sequence[int]) -> list[str]:
    """Each once, in the order in which they were sent."""
    return list(dict.fromkeys(writes[index] for index in done if index in writes))


def _newest() -> Iterator[News]:
    """Articles, the newest first, until those come that were there before."""
    start: StartKey | None = None
    while True:
        page = repository.by_date(newest_first=True, limit=100, start=start)
        yield from page.items
        if page.next_key is None or not any(item.title.startswith(TITLE) for item in page.items):
            return
        start = page.next_key
