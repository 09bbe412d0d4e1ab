"""Levels: every one takes a little more XP than the one before, and what is left over counts for the next.

The curve is Habitica's: quick at first, so that the first quest already shows.
"""

from typing import NamedTuple


class Level(NamedTuple):
    number: int
    # XP gained on the way to the next level, and how much that way takes.
    gained: int
    needed: int

    @property
    def missing(self) -> int:
        return self.needed - self.gained


def needed_at(level: int) -> int:
    """XP from this level to the next."""
    if level < 5:
        return 25 * level
    if level == 5:
        return 150
    # A quarter of L² + 40 L + 559, rounded half up to tens, in whole numbers.
    return (level * level + 40 * level + 559 + 20) // 40 * 10


def level_of(experience: int) -> Level:
    number, left = 1, experience
    while left >= (needed := needed_at(number)):
        number, left = number + 1, left - needed
    return Level(number, left, needed)
