"""`manage.py tables adopt`: adopt all records that other programs wrote, while people and programs work."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event
from typing import Any, NamedTuple

from core.dynamo import adoption, connection, maintenance
from core.dynamo.cloudformation.stacks import app_of
from core.dynamo.errors import DataError, NotFound, Unavailable
from core.dynamo.items import RawItem
from core.dynamo.registry import repositories
from core.dynamo.repository import Repository

# Each is scanned by a thread of its own, which also adopts what it finds.
SEGMENTS = 4


@dataclass
class Report:
    """The records of one entity; `problems` name those that are not wholly adopted, and why."""

    seen: int = 0
    adopted: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def ours(self) -> int:
        """Those to which nothing was added."""
        return self.seen - self.adopted


class _Seen(NamedTuple):
    entity: str
    was_incomplete: bool = False
    problems: tuple[str, ...] = ()


def apps() -> list[str]:
    """The apps that have tables in which other programs write."""
    return sorted({app_of(table) for table in _by_table()})


def run(
    progress: Callable[..., Iterable[Any]], *, app: str = "", is_dry_run: bool = False
) -> dict[str, Report]:
    """Adopt what is in the tables, or count what would be; the reports by entity."""
    reports: dict[str, Report] = {}
    for table, owners in _by_table().items():
        if app and app_of(table) != app:
            continue
        reports |= {owner.entity: Report() for owner in owners}
        for seen in progress(_in_segments(table, owners, is_dry_run=is_dry_run), table):
            report = reports[seen.entity]
            report.seen += 1
            report.adopted += seen.was_incomplete
            report.problems += seen.problems
    return reports


def _by_table() -> dict[str, list[Repository[Any]]]:
    """The repositories of records that other programs write, by table."""
    found: dict[str, list[Repository[Any]]] = {}
    for repository in repositories():
        if repository.adopts:
            found.setdefault(repository.model.Meta.table_name, []).append(repository)
    return dict(sorted(found.items()))


def _in_segments(table: str, owners: list[Repository[Any]], *, is_dry_run: bool) -> Iterator[_Seen]:
    """What was seen in the table, read and adopted by several threads."""
    done: SimpleQueue[_Seen | None] = SimpleQueue()
    stop = Event()

    def read(segment: int) -> None:
        try:
            for raw in maintenance.scan_items(TableName=table, Segment=segment, TotalSegments=SEGMENTS):
                if stop.is_set():
                    return
                owner = next((each for each in owners if each.owns(raw)), None)
                if owner is not None:
                    done.put(_adopt(owner, raw, is_dry_run=is_dry_run))
        finally:
            done.put(None)

    connection.warm()
    with ThreadPoolExecutor(SEGMENTS) as pool:
        reading = [pool.submit(read, segment) for segment in range(SEGMENTS)]
        try:
            for _segment in reading:
                while (seen := done.get()) is not None:
                    yield seen
        finally:
            stop.set()
        for each in reading:
            each.result()


def _adopt(owner: Repository[Any], raw: RawItem, *, is_dry_run: bool) -> _Seen:
    name = f"{owner.entity} {'/'.join(next(iter(raw[each].values())) for each in owner.model.key_names())}"
    try:
        result = adoption.adopt(owner, owner.model.from_raw_data(raw), is_dry_run=is_dry_run)
    except NotFound:
        # Deleted meanwhile.
        return _Seen(owner.entity)
    except Unavailable:
        raise
    except DataError as error:
        return _Seen(owner.entity, problems=(f"{name}: {error}",))
    except Exception as error:  # noqa: BLE001 - whatever the other program wrote, the others are adopted
        return _Seen(owner.entity, problems=(f"{name}: it cannot be read ({error!r})",))
    return _Seen(owner.entity, result.was_incomplete, tuple(f"{name}: {each}" for each in result.problems))
