"""The faults and their probabilities."""

from dataclasses import dataclass, fields
from typing import Self

MILLISECONDS = ("lag", "latency", "overlap")


@dataclass(frozen=True)
class Faults:
    """What goes wrong: a probability from 0 to 1 each; `lag`, `latency` and `overlap` are milliseconds."""

    # In the order in which they are drawn; a request gets at most one of them.
    hang: float = 0  # accepted, never answered, not applied
    reset: float = 0  # the connection breaks, not applied
    error: float = 0  # HTTP 500 InternalServerError, not applied
    throttle: float = 0  # a data operation is refused by ProvisionedThroughputExceededException
    conflict: float = 0  # TransactWriteItems is cancelled by TransactionConflict, nothing applied
    unprocessed: float = 0  # a batch of two or more is done in part, the rest handed back
    stale_index: float = 0  # a Query or Scan of an index answers as the index was `lag` ago
    lost_answer: float = 0  # applied, then the connection breaks
    lag: float = 1000
    latency: float = 0  # every request waits this long, at most twice as long
    overlap: float = 0  # a transaction holds its items this long, at most twice as long, against others
    capacity: float = (
        0  # each partition has this many times what AWS gives: 1,000 writes and 3,000 reads a second
    )

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in MILLISECONDS:
                if not 0 <= value <= 3_600_000:
                    raise ValueError(f"Fault {field.name} is milliseconds from 0 to 3600000, not {value}.")
            elif field.name == "capacity":
                if not 0 <= value <= 1_000_000:
                    raise ValueError(f"Fault capacity is a multiple from 0 to 1000000, not {value}.")
            elif not 0 <= value <= 1:
                raise ValueError(f"Fault {field.name} is a probability from 0 to 1, not {value}.")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `conflict=0.2,latency=50`."""
        names = [field.name for field in fields(cls)]
        values = {}
        for pair in filter(None, (part.strip() for part in text.split(","))):
            name, _, value = (part.strip() for part in pair.partition("="))
            try:
                values[name] = float(value)
            except ValueError:
                name = ""
            if name not in names:
                raise ValueError(
                    f'Cannot read the fault "{pair}": write name=number with {", ".join(names)}.'
                )
        return cls(**values)


NO_FAULTS = Faults()
PROBABILITIES = tuple(field.name for field in fields(Faults) if field.name not in (*MILLISECONDS, "capacity"))
