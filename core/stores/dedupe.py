"""Deduplicates concurrent work across processes, with jobs in DynamoDB.

One item per hash with the constant sort key JOB, so that the conditional write lets one process register.
The job id in the item is a fencing token: only its owner may finish the job. A crashed owner loses the job
when its lease expires.
"""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

from core.dynamo.errors import TooLarge
from core.dynamo.items import RawItem, size_of
from core.dynamo.transactions import LARGEST_ITEM
from core.stores import metrics
from core.stores.codecs import Codec, JSONCodec, Unreadable
from core.stores.config import StoreConfig
from core.stores.errors import AlreadyInProgress, JobFailed, JobLost, WaitedTooLong
from core.stores.interfaces import DedupeStats, Job, JobStatus, Registration
from core.stores.memory import open_table
from core.stores.table import ConditionFailed, by_expiry, checked, int_of, key_of, now_ms, number, text

KIND = "DEDUPE"
PREFIX = "DEDUPE#"
LIFETIME_MS = 300_000
LEASE_MS = 30_000
LONGEST_WAIT_SECONDS = 30.0
FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 1.0
LONGEST_ERROR = 2_000
LARGEST_RESULT = LARGEST_ITEM - 4096

FREE = "attribute_not_exists(#PK) OR #expiresAt <= :now OR #Data.#status = :failed"
ABANDONED = "#Data.#status = :pending AND #leaseUntil <= :now"
MAY_JOIN = f"{FREE} OR ({ABANDONED})"
MAY_REGISTER = f"{FREE} OR #Data.#status = :completed OR ({ABANDONED})"
IS_MINE = "#jobId = :me AND #Data.#status = :pending AND #expiresAt > :now"


class DedupeStore:
    """`lease_ms` must be longer than the work takes; `lifetime_ms` is how long a result is stored."""

    def __init__(
        self,
        config: StoreConfig | None = None,
        *,
        lease_ms: int = LEASE_MS,
        lifetime_ms: int = LIFETIME_MS,
        codec: Codec | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._table = open_table(config, store="dedupe", clock=clock)
        self._lease_ms = lease_ms
        self._lifetime_ms = lifetime_ms
        self._codec = codec or JSONCodec()
        self._clock = self._table.now

    def register(self, hash: str) -> str:
        """Register a job and return its id; raises AlreadyInProgress while another one runs."""
        registration = self._register(hash, MAY_REGISTER)
        if not registration.is_owner:
            raise AlreadyInProgress
        return registration.job_id

    def register_or_join(self, hash: str) -> Registration:
        """Become the owner of a new job, or get the existing one, with its result if it has finished."""
        return self._register(hash, MAY_JOIN)

    def complete(self, hash: str, value: Any, *, job_id: str) -> None:
        """Store the result for waiting processes; raises JobLost if another owner took the job over."""
        result = self._codec.encode(_pk(hash), value)
        if size_of({"result": result}) > LARGEST_RESULT:
            refusal = TooLarge()
            self.fail(hash, refusal, job_id=job_id)
            raise refusal
        self._finish(hash, job_id, "completed", "result", result)

    def fail(self, hash: str, error: Exception, *, job_id: str) -> None:
        """Store the failure for waiting processes; the next request may try again."""
        self._finish(hash, job_id, "failed", "error", text(str(error)[:LONGEST_ERROR]))

    def is_in_progress(self, hash: str) -> bool:
        job = self._job(self._table.get(_key(hash)))
        return job is not None and job.status == "pending" and job.lease_until > self._clock()

    def wait_for(self, hash: str, *, timeout_seconds: float = LONGEST_WAIT_SECONDS) -> Any:
        """Wait for the result of the job; None without a job. Raises JobFailed or WaitedTooLong."""
        job = self._wait(hash, timeout_seconds)
        if job is None:
            return None
        if job.status == "pending":
            raise WaitedTooLong
        return _outcome_of(job)

    def run(self, hash: str, work: Callable[[], Any]) -> Any:
        """The result of this work, done here or elsewhere; a waiting process takes over if its owner dies."""
        while True:
            registration = self.register_or_join(hash)
            if registration.is_owner:
                return self._do(hash, registration.job_id, work)
            job: Job | None = registration.job
            if registration.job.status == "pending":
                job = self._wait(hash, self._lease_ms / 1000)
            if job is not None and job.status != "pending":
                return _outcome_of(job)

    def clean_up(self) -> int:
        """Delete expired jobs, unless they were registered again since."""
        return self._table.remove_expired(KIND, self._clock())

    def stats(self) -> DedupeStats:
        listed = [{"PK": item["PK"], "SK": item["SK"]} for item in self._table.all_listed(KIND)]
        # Without the results, which another codec may have written.
        items = list(self._table.get_many(listed, ProjectionExpression="#expiresAt, #Data.#status"))
        now = self._clock()
        states = [item["Data"]["M"]["status"]["S"] for item in items if int_of(item, "expiresAt") > now]
        return DedupeStats(
            total_jobs=len(items),
            pending_jobs=states.count("pending"),
            completed_jobs=states.count("completed"),
            failed_jobs=states.count("failed"),
            expired_jobs=len(items) - len(states),
        )

    def close(self) -> None:
        self._table.close()

    def _wait(self, hash: str, seconds: float) -> Job | None:
        """The job at its end, at the end of its lease, or after `seconds`."""
        deadline = time.monotonic() + seconds
        poll = 0
        while True:
            job = self._job(self._table.get(_key(hash)))
            left = deadline - time.monotonic()
            if job is None or job.status != "pending" or job.lease_until <= self._clock() or left <= 0:
                return job
            metrics.count("dedupe", "Waits")
            pause_before(poll, at_most=left)
            poll += 1

    def _register(self, hash: str, condition: str) -> Registration:
        now, me = self._clock(), str(uuid4())
        lease = now + self._lease_ms
        ends = by_expiry(KIND, _pk(hash), now + max(self._lifetime_ms, self._lease_ms))
        data = {"status": text("pending"), "createdAt": number(now), "updatedAt": number(now)}
        fields: RawItem = {"Data": {"M": data}, "jobId": text(me), "leaseUntil": number(lease), **ends}
        update = "SET " + ", ".join(f"#{name} = :{name}" for name in fields)
        values = {f":{name}": value for name, value in fields.items()}
        states: tuple[JobStatus, ...] = ("pending", "failed", "completed")
        values |= {f":{state}": text(state) for state in states if f":{state}" in condition}
        values |= {":now": number(now), ":one": number(1), ":zero": number(0)}
        try:
            changed = self._table.update(
                _key(hash),
                UpdateExpression=f"{update}, #attempt = if_not_exists(#attempt, :zero) + :one",
                ConditionExpression=condition,
                ExpressionAttributeValues=values,
                returns="UPDATED_NEW",
            )
        except ConditionFailed as refused:
            job = self._job(refused.stored, even_expired=True)
            if job is None:
                # The job finished, but its result cannot be decoded, so the work is done again.
                return self._register(hash, MAY_REGISTER)
            # It is ours if the first attempt of this request was written but its response was lost.
            return Registration(job.job_id == me, job)
        return Registration(True, Job(me, "pending", lease, now, int_of(changed, "attempt")))

    def _finish(self, hash: str, job_id: str, status: JobStatus, name: str, value: Any) -> None:
        now = self._clock()
        written: RawItem = {"status": text(status), "updatedAt": number(now), name: value}
        ends = by_expiry(KIND, _pk(hash), now + self._lifetime_ms)
        sets = [f"#Data.#{field} = :{field}" for field in written] + [
            f"#{field} = :{field}" for field in ends
        ]
        values = {f":{field}": part for field, part in (written | ends).items()}
        values |= {":now": number(now), ":me": text(job_id), ":pending": text("pending")}
        try:
            self._table.update(
                _key(hash),
                UpdateExpression=f"SET {', '.join(sets)} REMOVE #leaseUntil",
                ConditionExpression=IS_MINE,
                ExpressionAttributeValues=values,
            )
        except ConditionFailed as refused:
            # It is ours if the first attempt of this request was written but its response was lost.
            stored = refused.stored
            is_ours = bool(stored) and stored["jobId"] == text(job_id)
            if not (is_ours and written.items() <= stored["Data"]["M"].items()):
                raise JobLost from refused
        metrics.count("dedupe", "Completed" if status == "completed" else "Failed")

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

    def _job(self, item: RawItem, *, even_expired: bool = False) -> Job | None:
        """The job of an item; None without one, or if its result cannot be decoded (new secret key)."""
        if not item or not (even_expired or int_of(item, "expiresAt") > self._clock()):
            return None
        data = item["Data"]["M"]
        try:
            result = self._codec.decode(item["PK"]["S"], data["result"]) if "result" in data else None
        except Unreadable:
            return None
        return Job(
            job_id=item["jobId"]["S"],
            status=data["status"]["S"],
            lease_until=int_of(item, "leaseUntil"),
            created_at=int_of(data, "createdAt"),
            attempt=int_of(item, "attempt"),
            result=result,
            error=data["error"]["S"] if "error" in data else "",
        )


def pause_before(poll: int, *, at_most: float) -> None:
    """Sleep before the next poll: from 50 ms up to a second, with jitter."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** min(poll, 10))
    time.sleep(max(0.0, min(random.uniform(longest / 2, longest), at_most)))


def _outcome_of(job: Job) -> Any:
    if job.status == "failed":
        raise JobFailed(job.error)
    return job.result


def _pk(hash: str) -> str:
    return PREFIX + checked(hash)


def _key(hash: str) -> RawItem:
    return key_of(_pk(hash), "JOB")
