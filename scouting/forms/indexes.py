"""The indexes of the scouting tables, named as the document names them; the others by what they list."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def by_team(*columns: str) -> Any:
    """What was written about a team, across events: where and when."""
    return index("GSI1", "GSI1PK", "GSI1SK", columns=[*ALWAYS, "event", "createdAt", *columns])


def by_id() -> Any:
    """One form by its id: only its key, so that a correction costs nothing here."""
    return index("GSI2", "GSI2PK", columns=[])


def by_scout(*columns: str) -> Any:
    """What somebody has written, by time."""
    return index("ScoutIndex", "scoutId", "createdAt", columns=[*ALWAYS, *columns])


def by_event_and_time(*columns: str) -> Any:
    """What was written at an event, by time."""
    return index("EventIndex", "event", "createdAt", columns=[*ALWAYS, *columns])
