"""Deduplication of concurrent work, in memory."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import uuid4

from core.dynamo.errors import TooLarge
from core.dynamo.items import size_of
from core.stores.codecs import Codec, JSONCodec
from core.stores.dedupe import LARGEST_RESULT, LEASE_MS, LIFETIME_MS, outcome_of
from core.stores.errors import AlreadyInProgress, JobLost, WaitedTooLong
from core.stores.interfaces import DedupeStats, Job, Registration
from core.stores.keys import checked
from core.stores.memory.closable import Closable
from core.stores.table import now_ms


class MemoryDedupeStore(Closable):
    def __init__(
        self,
        *,
        lease_ms: int = LEASE_MS,
        lifetime_ms: int = LIFETIME_MS,
        codec: Codec | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        super().__init__(clock)
        self._lease_ms = lease_ms
        self._lifetime_ms = lifetime_ms
        self._codec = codec or JSONCodec()
        self._jobs: dict[str, tuple[Job, int]] = {}
        self._changed = threading.Condition(self._lock)

    def register(self, hash: str) -> str:
        registration = self._register(hash, even_completed=True)
        if not registration.is_owner:
            raise AlreadyInProgress
        return registration.job_id

    def register_or_join(self, hash: str) -> Registration:
        return self._register(hash, even_completed=False)

    def complete(self, hash: str, value: Any, *, job_id: str) -> None:
        encoded = self._codec.encode(hash, value)
        if size_of({"result": encoded}) > LARGEST_RESULT:
            refusal = TooLarge()
            self.fail(hash, refusal, job_id=job_id)
            raise refusal
        result = self._codec.decode(hash, encoded)
        self._finish(hash, job_id, lambda job: replace(job, status="completed", result=result, lease_until=0))

    def fail(self, hash: str, error: Exception, *, job_id: str) -> None:
        self._finish(hash, job_id, lambda job: replace(job, status="failed", error=str(error), lease_until=0))

    def is_in_progress(self, hash: str) -> bool:
        job = self._job(hash)
        return job is not None and job.status == "pending" and job.lease_until > self._clock()

    def wait_for(self, hash: str, *, timeout_seconds: float = 30.0) -> Any:
        job = self._wait(hash, timeout_seconds)
        if job is None:
            return None
        if job.status == "pending":
            raise WaitedTooLong
        return outcome_of(job)

    def run(self, hash: str, work: Callable[[], Any]) -> Any:
        while True:
            registration = self.register_or_join(hash)
            if registration.is_owner:
                return self._do(hash, registration.job_id, work)
            job = self._wait(hash, self._lease_ms / 1000)
            if job is not None and job.status != "pending":
                return outcome_of(job)

    def clean_up(self) -> int:
        self._clock()
        with self._lock:
            expired = [hash for hash in self._jobs if self._job(hash) is None]
            for hash in expired:
                del self._jobs[hash]
            return len(expired)

    def stats(self) -> DedupeStats:
        self._clock()
        with self._lock:
            states = [job.status for hash in self._jobs if (job := self._job(hash)) is not None]
            return DedupeStats(
                total_jobs=len(self._jobs),
                pending_jobs=states.count("pending"),
                completed_jobs=states.count("completed"),
                failed_jobs=states.count("failed"),
                expired_jobs=len(self._jobs) - len(states),
            )

    def _register(self, hash: str, *, even_completed: bool) -> Registration:
        with self._lock:
            self._clean_up_now_and_then(self.clean_up)
            now, job = self._clock(), self._job(hash)
            if job is not None:
                is_done = job.status == "completed" and not even_completed
                if is_done or (job.status == "pending" and job.lease_until > now):
                    return Registration(False, job)
            attempt = 1 if hash not in self._jobs else self._jobs[hash][0].attempt + 1
            mine = Job(str(uuid4()), "pending", now + self._lease_ms, now, attempt)
            self._jobs[hash] = mine, now + max(self._lifetime_ms, self._lease_ms)
            return Registration(True, mine)

    def _do(self, hash: str, job_id: str, work: Callable[[], Any]) -> Any:
        try:
            value = work()
        except Exception as error:
            with suppress(JobLost):
                self.fail(hash, error, job_id=job_id)
            raise
        # The new owner of the job stores the same result.
        with suppress(JobLost):
            self.complete(hash, value, job_id=job_id)
        return value

    def _finish(self, hash: str, job_id: str, change: Callable[[Job], Job]) -> None:
        with self._changed:
            now = self._clock()
            job = self._job(hash)
            if job is None or job.job_id != job_id or job.status != "pending":
                raise JobLost
            self._jobs[hash] = change(job), now + self._lifetime_ms
            self._changed.notify_all()

    def _wait(self, hash: str, seconds: float) -> Job | None:
        deadline = time.monotonic() + seconds
        with self._changed:
            while True:
                job, left = self._job(hash), deadline - time.monotonic()
                if job is None or job.status != "pending" or left <= 0:
                    return job
                lease_left = (job.lease_until - self._clock()) / 1000
                if lease_left <= 0:
                    return job
                self._changed.wait(min(left, lease_left))

    def _job(self, hash: str) -> Job | None:
        now = self._clock()
        job, end = self._jobs.get(checked(hash), (None, 0))
        return job if end > now else None
