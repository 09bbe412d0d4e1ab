"""The kinds of changes that webhooks can be told about. Each domain declares its own in its `webhooks.py`."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from core.common.discovery import import_everywhere
from core.dynamo import registry
from core.dynamo.attributes import to_iso
from core.dynamo.errors import Text
from core.dynamo.streams import Change

# The record before the change, if there was one, the record after it, and when it was changed.
Occurs = Callable[[Any, Any, datetime], datetime | None]


@dataclass(frozen=True)
class Kind:
    """A kind of change of an entity's records.

    `occurs` tells when a change is of this kind: at once, later, or None. `data` is what other programs are
    told about the record. Of a change that is still to come, `still_occurs` is asked when its time has come.
    """

    name: str
    title: Text
    entity: str
    occurs: Occurs
    data: Callable[[Any], Mapping[str, Any]]
    still_occurs: Callable[[Any, datetime], bool] = lambda _record, _moment: True

    @property
    def domain(self) -> str:
        """The one that declares it."""
        return self.data.__module__.partition(".")[0]

    def moment_of(self, change: Change) -> datetime | None:
        """When a change of a stream is of this kind; None if it is not."""
        model = registry.repository_for(self.entity).model
        before = model.from_raw_data(change.before) if change.before else None
        return self.occurs(before, model.from_raw_data(change.after), change.at) if change.after else None


_kinds: dict[str, Kind] = {}


def declare(kind: Kind) -> None:
    _kinds[kind.name] = kind


@cache
def _discover() -> None:
    import_everywhere("webhooks")


def kinds() -> Mapping[str, Kind]:
    """All kinds by their names."""
    _discover()
    return _kinds


def payload(kind: str, moment: datetime, data: Mapping[str, Any]) -> str:
    """The body of a delivery."""
    document = {"type": kind, "timestamp": to_iso(moment), "data": data}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
