"""The GSIs of the scouting tables: GSI1 and GSI2 as in the design document,
the others named by what they list."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def by_team(*columns: str) -> Any:
    """The forms about a team across events; projects where and when, and `columns`."""
    return index("GSI1", "GSI1PK", "GSI1SK", columns=[*ALWAYS, "event", "createdAt", *columns])


def by_id() -> Any:
    """A form by its id. Projects keys only, so that a correction does not write to this index."""
    return index("GSI2", "GSI2PK", columns=[])


def by_scout(*columns: str) -> Any:
    """The forms of a scout, by time."""
    return index("ScoutIndex", "scoutId", "createdAt", columns=[*ALWAYS, *columns])


def by_event_and_time(*columns: str) -> Any:
    """The forms of an event, by time."""
    return index("EventIndex", "event", "createdAt", columns=[*ALWAYS, *columns])
