"""Example records, kept as JSON beside the `demo` that loads them."""

import json
from contextlib import suppress
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils.timezone import get_current_timezone, localdate

from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists
from core.dynamo.repository import Repository


def read(module_file: str, name: str) -> Any:
    """The JSON file `name` in the folder of a module, which says its `__file__`."""
    return json.loads(Path(module_file).with_name(f"{name}.json").read_text(encoding="utf-8"))


def create(stored_in: Repository[Any], item: Any) -> None:
    """Passes over a record that is there: a load that was interrupted is repeated."""
    with suppress(AlreadyExists):
        stored_in.create(item, actor=SYSTEM)


def fixed_id(*parts: object) -> str:
    """The same id in every load (UUIDv5), so that a repeated one finds the record of the one before."""
    return str(uuid5(NAMESPACE_URL, "/".join(map(str, parts))))


def moment(days: int, clock: str) -> datetime:
    """So many days from today, at this time of the club's clock."""
    day = localdate() + timedelta(days=days)
    return datetime.combine(day, time.fromisoformat(clock), tzinfo=get_current_timezone())
