"""Runs of the syncs with SAMS: one of each kind at a time, whoever starts it, each with a log entry."""

import threading
import time
from contextlib import suppress
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cms.sams import client, sync
from cms.sams.models import SyncRun
from cms.sams.repository import sync_runs
from cms.sams.sync import Outcome, Progress
from core.accounts.rights import ensure
from core.accounts.user import User
from core.common.logs import events
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError
from core.stores.errors import AlreadyInProgress
from core.stores.factory import dedupe_store
from core.stores.http import FetchFailed

CLUBS, TEAMS, RESULTS = "clubs", "teams", "results"
KINDS = {CLUBS: sync.sync_clubs, TEAMS: sync.sync_teams, RESULTS: sync.sync_results}
RUNNING, DONE, EMPTY, FAILED, STOPPED = "running", "done", "empty", "failed", "stopped"
# Longer than a sync takes. After a crash, the next sync can only start when the lease has ended.
LEASE_MS = 15 * 60_000
JOBS = dedupe_store(lease_ms=LEASE_MS)
NOTED_EVERY_SECONDS = 2.0
SILENT_FOR = timedelta(minutes=5)
LONGEST_MESSAGE = 1000


class AlreadyRunning(Conflict):
    message = gettext_lazy("This sync is already running. See the log.")


def start(user: User, kind: str) -> SyncRun:
    """Start a sync in a background thread; its SyncRun has the progress."""
    ensure(user, "cms.sams.update")
    client.current()
    job_id = _take_turn(kind)
    run = sync_runs.begin(kind, started_by=user.name)
    threading.Thread(target=_carry_out, args=(run, job_id), daemon=True).start()
    return run


def run_now(kind: str, *, started_by: str, progress: Progress, dry_run: bool = False) -> SyncRun:
    """Run a sync in the foreground, for a management command; `progress` gets how many of how many are
    done. A dry run is not logged.
    """
    client.current()
    job_id = _take_turn(kind)
    if dry_run:
        run = SyncRun(kind=kind, started_by=started_by)
    else:
        run = sync_runs.begin(kind, started_by=started_by)
    return _carry_out(run, job_id, progress=progress, dry_run=dry_run)


def latest_runs(limit: int = 20) -> list[SyncRun]:
    """The log, newest first. A running entry without update for SILENT_FOR is returned as stopped."""
    runs = list(sync_runs.latest(limit=limit))
    for run in runs:
        if run.state == RUNNING and run.updated_at < now() - SILENT_FOR:
            run.state = STOPPED
    return runs


def _take_turn(kind: str) -> str:
    try:
        return JOBS.register(_job(kind))
    except AlreadyInProgress as error:
        raise AlreadyRunning from error


def _job(kind: str) -> str:
    return f"sams-sync:{kind}"


def _carry_out(
    run: SyncRun, job_id: str, *, progress: Progress | None = None, dry_run: bool = False
) -> SyncRun:
    log = _Log(run, progress, is_kept=not dry_run)
    try:
        outcome = KINDS[run.kind](client.current().for_sync(), log.note, dry_run=dry_run)
        log.end(EMPTY if outcome.is_empty else DONE, outcome)
    except FetchFailed as error:
        message = _("SAMS could not be reached (%(reason)s). Nothing was changed.")
        log.end(FAILED, message=message % {"reason": error.reason})
    except DataError as error:
        log.end(FAILED, message=str(error))
    # Any other exception is a bug; still mark the run as failed.
    except BaseException:
        log.end(FAILED, message=_("The sync was interrupted. See the server log for details."))
        raise
    finally:
        with suppress(DataError):
            JOBS.complete(_job(run.kind), None, job_id=job_id)
    return log.run


class _Log:
    """The log entry of one run; progress is written at most every NOTED_EVERY_SECONDS."""

    def __init__(self, run: SyncRun, progress: Progress | None, *, is_kept: bool) -> None:
        self.run = run
        self._progress = progress
        self._is_kept = is_kept
        self._noted = 0.0

    def note(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)
        if time.monotonic() - self._noted >= NOTED_EVERY_SECONDS:
            self._noted = time.monotonic()
            self._write(done=done, total=total)

    def end(self, state: str, outcome: Outcome | None = None, *, message: str = "") -> None:
        sentences = " ".join([*(outcome.notes if outcome else ()), message]).strip()[:LONGEST_MESSAGE]
        counts = outcome.counts if outcome else None
        events.info("sams_sync", kind=self.run.kind, state=state, **(counts or {}))
        self._write(state=state, ended_at=now(), counts=counts, message=sentences or None)

    def _write(self, **fields: object) -> None:
        if not self._is_kept:
            for name, value in fields.items():
                setattr(self.run, name, value)
            return
        # A failed write of the log must not stop the sync.
        with suppress(DataError):
            self.run = sync_runs.note(self.run, **fields)
