"""Back up every table to files and restore it: compressed JSON lines, and a manifest.

The files are written first and the manifest last, each under a temporary name until it is complete. A folder
without a manifest is no backup, and an older backup in the same folder stays valid until the new manifest.
"""

import gzip
import hashlib
import json
import os
import random
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from core.dynamo.errors import DataError, Unavailable
from core.dynamo.items import RawItem
from core.dynamo.maintenance import request, scan, scan_items
from core.dynamo.paging import batches
from core.dynamo.rawjson import dumps
from core.dynamo.rawjson import loads as from_line
from core.dynamo.tables import Index, Key, TableSpec, ensure_tables, existing_names, read_spec, specs

FORMAT = 1
MANIFEST = "manifest.json"
UNFINISHED = ".unfinished"
RESTORE_STATE = "restore-in-progress.json"
BATCH_SIZE = 25
BATCH_ATTEMPTS = 10
LONGEST_PAUSE = 5.0

Track = Callable[[Iterable[RawItem], str, int | None], Iterable[RawItem]]


class BackupError(DataError):
    """A backup cannot be made or restored; the text is one sentence for the operator."""


@dataclass(frozen=True)
class TableFile:
    """One table in a backup."""

    spec: TableSpec
    file: str
    items: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    made_at: str
    tables: tuple[TableFile, ...]


def untracked(items: Iterable[RawItem], name: str, total: int | None) -> Iterable[RawItem]:
    """The default `track`: shows no progress."""
    return items


# --- Backup --------------------------------------------------------------------------------------------


def write_backup(folder: Path, *, overwrite: bool = False, track: Track = untracked) -> Manifest:
    """Write every declared table. Of items that change meanwhile either version may be in the backup."""
    previous = _previous_files(folder, overwrite=overwrite)
    wanted = specs()
    if missing := {spec.name for spec in wanted} - existing_names():
        raise BackupError(f"There is no table {min(missing)}: run `manage.py tables create` first.")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for leftover in folder.glob(f"*{UNFINISHED}"):
        leftover.unlink()
    made_at = datetime.now(UTC)
    tables = tuple(_write_table(folder, read_spec(spec.name), made_at, track) for spec in wanted)
    manifest = Manifest(made_at=made_at.isoformat(timespec="seconds"), tables=tables)
    with _atomic_write(folder / MANIFEST) as file:
        file.write(json.dumps({"format": FORMAT} | asdict(manifest), indent=2).encode())
    for path in previous:
        path.unlink(missing_ok=True)
    return manifest


def _previous_files(folder: Path, *, overwrite: bool) -> list[Path]:
    if not (folder / MANIFEST).exists():
        return []
    if not overwrite:
        raise BackupError(f"{folder} already holds a backup; give --overwrite to replace it.")
    return [folder / table.file for table in read_manifest(folder).tables]


def _write_table(folder: Path, spec: TableSpec, made_at: datetime, track: Track) -> TableFile:
    path = folder / f"{spec.name}-{made_at:%Y%m%dT%H%M%S%fZ}.jsonl.gz"
    count = 0
    with _atomic_write(path) as file, gzip.GzipFile(fileobj=file, mode="wb", filename="") as lines:
        for item in track(scan_items(TableName=spec.name, ConsistentRead=True), spec.name, None):
            lines.write(to_line(item))
            count += 1
    return TableFile(spec=spec, file=path.name, items=count, sha256=_sha256(path))


@contextmanager
def _atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name once it is complete and on disk; only its owner may read it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=UNFINISHED, delete=False) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    # The name is on disk when the folder is.
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# --- Restore -------------------------------------------------------------------------------------------


def read_manifest(folder: Path) -> Manifest:
    try:
        raw = json.loads((folder / MANIFEST).read_bytes())
        if raw["format"] != FORMAT:
            raise BackupError(
                f"{folder} holds a backup of format {raw['format']}; this release reads {FORMAT}."
            )
        tables = tuple(_table_file(table) for table in raw["tables"])
        return Manifest(made_at=raw["made_at"], tables=tables)
    except FileNotFoundError as error:
        raise BackupError(f"{folder} holds no finished backup: it has no {MANIFEST}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{folder / MANIFEST} is damaged.") from error


def verify(folder: Path, manifest: Manifest) -> None:
    """Raise `BackupError` unless all files are there with the checksums and counts of the manifest."""
    for table in manifest.tables:
        path = folder / table.file
        if not path.is_file():
            raise BackupError(f"{path} is missing.")
        if _sha256(path) != table.sha256:
            raise BackupError(f"{path} is damaged: its checksum is not the one in {MANIFEST}.")
        count = sum(1 for _ in _read_items(path))
        if count != table.items:
            raise BackupError(f"{path} holds {count} items and {MANIFEST} says {table.items}.")


def restore(
    folder: Path, manifest: Manifest, *, into_non_empty: bool = False, track: Track = untracked
) -> Iterator[str]:
    """Write a verified backup into the tables; yields what was done. Can be repeated if interrupted."""
    declared = {spec.name: spec for spec in specs()}
    yield from ensure_tables([declared.get(table.spec.name, table.spec) for table in manifest.tables])
    for table in manifest.tables:
        if read_spec(table.spec.name).keys != table.spec.keys:
            raise BackupError(f"Table {table.spec.name} has other keys than the one in the backup.")
    state = _state(folder, manifest)
    path = folder / RESTORE_STATE
    if path.exists() and path.read_text() == state:
        yield "Going on with the restore that was interrupted."
    elif not into_non_empty:
        for name in (table.spec.name for table in manifest.tables):
            if request("Scan", TableName=name, Limit=1, ConsistentRead=True)["Items"]:
                raise BackupError(
                    f"Table {name} is not empty; give --into-non-empty to replace the items that are in the "
                    "backup."
                )
        with _atomic_write(path) as file:
            file.write(state.encode())
    for table in manifest.tables:
        name = table.spec.name
        for batch in batches(track(_read_items(folder / table.file), name, table.items), BATCH_SIZE):
            _put(name, batch)
        _verify_count(table, folder, into_non_empty=into_non_empty)
        yield f"Table {name}: {table.items} items restored."
    path.unlink(missing_ok=True)


def _state(folder: Path, manifest: Manifest) -> str:
    """Identifies a restore: the backup, and the ids of the tables, which were empty when it began."""
    names = [table.spec.name for table in manifest.tables]
    tables = {name: request("DescribeTable", TableName=name)["Table"]["TableId"] for name in names}
    return json.dumps({"backup": _sha256(folder / MANIFEST), "tables": tables}, indent=2)


def _put(name: str, items: list[RawItem]) -> None:
    """BatchWriteItem, repeated for the unprocessed items with growing pauses, at most ten times."""
    left: dict[str, Any] = {name: [{"PutRequest": {"Item": item}} for item in items]}
    for attempt in range(BATCH_ATTEMPTS):
        left = request("BatchWriteItem", RequestItems=left).get("UnprocessedItems", {})
        if not left:
            return
        time.sleep(random.uniform(0, min(LONGEST_PAUSE, 0.05 * 2**attempt)))
    raise Unavailable(f"Table {name} takes no more items now; run the restore again later.")


def _verify_count(table: TableFile, folder: Path, *, into_non_empty: bool) -> None:
    pages = scan(TableName=table.spec.name, Select="COUNT", ConsistentRead=True)
    count = sum(page["Count"] for page in pages)
    if count == table.items or (into_non_empty and count > table.items):
        return
    # The engine may already have removed what had expired.
    if table.items - _expired(table, folder) <= count < table.items:
        return
    raise BackupError(f"Table {table.spec.name} holds {count} items after the restore, not {table.items}.")


def _expired(table: TableFile, folder: Path) -> int:
    now = time.time()
    times = (item.get(table.spec.ttl or "", {}).get("N") for item in _read_items(folder / table.file))
    return sum(1 for value in times if value is not None and float(value) < now)


# --- Files ---------------------------------------------------------------------------------------------


def to_line(item: RawItem) -> bytes:
    return dumps(item) + b"\n"


def _read_items(path: Path) -> Iterator[RawItem]:
    try:
        with gzip.open(path) as lines:
            for line in lines:
                yield from_line(line)
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
        raise BackupError(f"{path} is damaged.") from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _table_file(raw: dict[str, Any]) -> TableFile:
    if Path(raw["file"]).name != raw["file"]:
        raise ValueError("a file outside the folder")
    return TableFile(**raw | {"spec": _spec(raw["spec"])})


def _spec(raw: dict[str, Any]) -> TableSpec:
    indexes = [
        Index(**index | {"keys": _keys(index["keys"]), "included": tuple(index["included"])})
        for index in raw["indexes"]
    ]
    return TableSpec(**raw | {"keys": _keys(raw["keys"]), "indexes": tuple(indexes)})


def _keys(raw: list[list[str]]) -> tuple[Key, ...]:
    return tuple(Key(*key) for key in raw)
