"""Consistency check of the media library: files without a record, and records without their files."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

from cms.media.models import MediaFile
from cms.media.repository import media
from cms.sams.logos import FOLDER as LOGOS
from cms.sams.repository import sams_clubs
from core.dynamo import reindex, trash
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, NotFound
from core.media import storage, stream_images
from core.media.file_owners import OTHERS
from core.media.files import FOLDERS
from core.media.tickets import UPLOADS

# An upload is finished within the hour; an older file without a record will never get one.
ORPHAN_AGE = timedelta(days=1)
# More orphans than both this number and this share of all files are deleted only with `--yes`.
MOST_ORPHANS, MOST_SHARE = 20, 0.1

OTHERS[stream_images.FOLDER] = stream_images.OWNER

Progress = Callable[[Iterable[Any], str], Iterable[Any]]


@dataclass(frozen=True)
class Orphan:
    """A file that no record has, neither a current one nor one in the trash."""

    key: str

    def __str__(self) -> str:
        return f"{self.key} belongs to no record"

    def repair(self) -> bool:
        if _has_owner(self.key):
            return False
        storage.delete([self.key])
        return True


@dataclass(frozen=True)
class MissingFiles:
    """A record whose files are missing. Only missing variants can be repaired: they are removed from it."""

    record: MediaFile
    keys: list[str]

    def __str__(self) -> str:
        return f"“{self.record.original_name}” ({self.record.id}) lacks {', '.join(self.keys)}"

    def repair(self) -> bool:
        if self.record.s3_key in self.keys:
            return False
        left = [copy for copy in self.record.variants if copy["s3Key"] not in self.keys]
        try:
            media.update(self.record, {"variants": left}, actor=SYSTEM)
        except (Conflict, NotFound):
            return False
        return True


@dataclass
class CheckResult:
    """The number of files, and the problems found."""

    files: int = 0
    problems: list[Orphan | MissingFiles] = field(default_factory=list)

    @property
    def is_suspicious(self) -> bool:
        """Whether so many files are orphans that the bucket probably belongs to another site or tables."""
        orphans = sum(isinstance(problem, Orphan) for problem in self.problems)
        return orphans > MOST_ORPHANS and orphans > self.files * MOST_SHARE


def check(progress: Progress) -> CheckResult:
    """Compare bucket and tables. Safe during edits: each problem is confirmed by a second read."""
    folders = (UPLOADS, *FOLDERS, LOGOS, *OTHERS)
    files = {file.key: file for folder in folders for file in progress(storage.files_in(folder), folder)}
    found = CheckResult(len(files))
    owned: set[str] = set()
    for record in progress(reindex.records_of(media), "records"):
        owned.update(record.needed_keys)
        if any(key not in files for key in record.s3_keys) and (lacking := _missing_files(record.id)):
            found.problems.append(lacking)
    owned.update(_logos())
    for other in OTHERS.values():
        owned.update(other.keys())
    recent = now() - ORPHAN_AGE
    for file in files.values():
        if file.key not in owned and file.modified < recent and not _has_owner(file.key):
            found.problems.append(Orphan(file.key))
    return found


def _logos() -> Iterator[str]:
    """Keys of the logos of SAMS clubs, which have no record in the library."""
    clubs = reindex.records_of(sams_clubs)
    return (club.logo_s3_key for club in clubs if club.logo_s3_key)


def _missing_files(key: str) -> MissingFiles | None:
    """The missing files of a record, read again; None if none are missing or the record is gone."""
    try:
        record = media.get(key, strong=True)
    except NotFound:
        return None
    missing = [file for file in record.s3_keys if storage.about(file) is None]
    return MissingFiles(record, missing) if missing else None


def _has_owner(key: str) -> bool:
    """Whether the record named in the file's S3 metadata has it, as a current record or in the trash."""
    if key.startswith(f"{LOGOS}/"):
        return _has_club(key)
    about = storage.about(key)
    if about is None:
        # Deleted meanwhile: no orphan any more.
        return True
    owner = about.get("record")
    if not owner:
        return False
    for folder, other in OTHERS.items():
        if key.startswith(f"{folder}/"):
            return other.has(key, owner)
    trashed = trash.of_record("media", owner)
    found = [*media.get_many([owner], strong=True).values()]
    if trashed is not None:
        found.append(MediaFile.from_raw_data(trashed.record))
    return any(key in record.needed_keys for record in found)


def _has_club(key: str) -> bool:
    """Whether the SAMS club whose uuid is the file's name has this logo."""
    try:
        club = sams_clubs.get(PurePosixPath(key).stem, strong=True)
    except NotFound:
        return False
    return bool(club.logo_s3_key == key)
