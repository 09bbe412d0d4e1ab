"""Recent use of a rate limit by this process: the last resources and the number of refusals."""

import threading

MOST_RESOURCES = 25


class RecentUsage:
    """The resources that asked last; so few that looking them all up is one request."""

    def __init__(self) -> None:
        self.refusals = 0
        self._resources: dict[str, None] = {}
        self._lock = threading.Lock()

    def note(self, resource: str, *, is_allowed: bool) -> None:
        with self._lock:
            self.refusals += not is_allowed
            self._resources.pop(resource, None)
            self._resources[resource] = None
            if len(self._resources) > MOST_RESOURCES:
                del self._resources[next(iter(self._resources))]

    def resources(self) -> list[str]:
        with self._lock:
            return list(self._resources)
