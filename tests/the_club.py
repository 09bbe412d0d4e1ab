"""The settings of the club in a test, as this process keeps them."""

from typing import Any

from core.club import queries as club
from core.club.models import ClubSettings


def the_club(**chosen: Any) -> ClubSettings:
    """The club with these settings, and the others as the environment has them."""
    settings = ClubSettings.default()
    for name, value in chosen.items():
        setattr(settings, name, value)
    club.remember(settings)
    return settings
