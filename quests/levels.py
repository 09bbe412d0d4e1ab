"""Levels: each needs a little more XP than the one before; XP beyond it counts toward the next.

The curve is Habitica's: the first levels need little XP, so that the first quest already has an effect.
"""

from typing import NamedTuple


class Level(NamedTuple):
    number: int
    # XP gained since this level was reached, and XP needed from it to the next.
    gained: int
    needed: int

    @property
    def missing(self) -> int:
        return self.needed - self.gained


def xp_to_next_level(level: int) -> int:
    """XP needed from this level to the next."""
    if level < 5:
        return 25 * level
    if level == 5:
        return 150
    # A quarter of L² + 40 L + 559, rounded half up to tens, in whole numbers.
    return (level * level + 40 * level + 559 + 20) // 40 * 10


def level_of(experience: int) -> Level:
    number, left = 1, experience
    while left >= (needed := xp_to_next_level(number)):
        number, left = number + 1, left - needed
    return Level(number, left, needed)
