"""Consistency of the library: files without a record, and records without their files."""

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
from core.media import storage
from core.media.file_owners import OTHERS
from core.media.files import FOLDERS
from core.media.tickets import UPLOADS

# An upload is finished within the hour; whatever is older and has no record will never get one.
ORPHAN_AGE = timedelta(days=1)
# More than this many, and more than this share of all, are deleted only if somebody insists.
MOST_ORPHANS, MOST_SHARE = 20, 0.1

Progress = Callable[[Iterable[Any], str], Iterable[Any]]


@dataclass(frozen=True)
class Orphan:
    """A file that neither a record nor the trash knows."""

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
    """A record of which files are missing. Without its smaller copies a picture is still whole."""

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
    """How many files there are, and everything that is wrong."""

    files: int = 0
    problems: list[Orphan | MissingFiles] = field(default_factory=list)

    @property
    def is_suspicious(self) -> bool:
        """So many files without a record rather are the files of another site, or of older tables."""
        orphans = sum(isinstance(problem, Orphan) for problem in self.problems)
        return orphans > MOST_ORPHANS and orphans > self.files * MOST_SHARE


def check(progress: Progress) -> CheckResult:
    """Safe while people work: what looks wrong is asked for once more."""
    folders = (UPLOADS, *FOLDERS, LOGOS, *OTHERS)
    files = {file.key: file for folder in folders for file in progress(storage.files_in(folder), folder)}
    found = CheckResult(len(files))
    known: set[str] = set()
    for record in progress(reindex.records_of(media), "records"):
        known.update(record.needed_keys)
        if any(key not in files for key in record.s3_keys) and (lacking := _missing_files(record.id)):
            found.problems.append(lacking)
    known.update(_logos())
    for other in OTHERS.values():
        known.update(other.keys())
    recent = now() - ORPHAN_AGE
    for file in files.values():
        if file.key not in known and file.modified < recent and not _has_owner(file.key):
            found.problems.append(Orphan(file.key))
    return found


def _logos() -> Iterator[str]:
    """The logos of other clubs, which have no record in the library."""
    clubs = reindex.records_of(sams_clubs)
    return (club.logo_s3_key for club in clubs if club.logo_s3_key)


def _missing_files(key: str) -> MissingFiles | None:
    """The files that a record lacks at this moment."""
    try:
        record = media.get(key, strong=True)
    except NotFound:
        return None
    missing = [file for file in record.s3_keys if storage.about(file) is None]
    return MissingFiles(record, missing) if missing else None


def _has_owner(key: str) -> bool:
    """Whether the record that a file was made for has it, now or in the trash."""
    if key.startswith(f"{LOGOS}/"):
        return _has_club(key)
    about = storage.about(key)
    if about is None:
        # Deleted meanwhile: there is nothing left to own.
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
    """Whether the club that a logo is called after has it."""
    try:
        club = sams_clubs.get(PurePosixPath(key).stem, strong=True)
    except NotFound:
        return False
    return bool(club.logo_s3_key == key)
