"""Where the images of a failed change are kept when they are too large for its item: in the bucket.

The bucket belongs to a floor above; it offers itself here when the handlers are discovered.
"""

from typing import Protocol


class Bucket(Protocol):
    """Raises `Unavailable` where there is no bucket, or it cannot be reached."""

    def write(self, data: bytes, *, record: str) -> str:
        """Store these for the record of that name; returns their key."""

    def read(self, key: str) -> bytes: ...

    def delete(self, key: str) -> None:
        """Without an error, also where it cannot be reached: `manage.py media check` finds the rest."""


_buckets: list[Bucket] = []


def offer(bucket: Bucket) -> None:
    _buckets[:] = [bucket]


def bucket() -> Bucket | None:
    return _buckets[0] if _buckets else None
