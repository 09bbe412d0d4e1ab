"""How long a run may take."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Blocks take turns `rounds` times; a block is so many seconds long."""

    sizes: tuple[int, ...]
    rounds: int
    alone_seconds: float
    together_seconds: float
    warm_seconds: float
    page_rounds: int
    starts: int
    busy_seconds: float


WHOLE = Effort(
    sizes=(1_000, 100_000),
    rounds=3,
    alone_seconds=1.0,
    together_seconds=2.0,
    warm_seconds=0.5,
    page_rounds=30,
    starts=5,
    busy_seconds=60,
)
QUICK = Effort(
    sizes=(1_000,),
    rounds=2,
    alone_seconds=0.4,
    together_seconds=0.8,
    warm_seconds=0.3,
    page_rounds=9,
    starts=2,
    busy_seconds=10,
)
