"""Adopt records as another program writes them: what is in no list of ours, the stream brings in."""

from contextlib import suppress
from typing import Any

from core.common.logs import events
from core.dynamo import adoption, queries
from core.dynamo.errors import NotFound
from core.dynamo.repository import Repository
from core.dynamo.streams import leftovers
from core.dynamo.streams.changes import Change


def is_foreign(repository: Repository[Any], change: Change) -> bool:
    """Whether another program made this change, as its images tell: our writes have a new version each.

    Without one we only count references and adopt, so our own writes never lead to another one.
    """
    before, after = change.before, change.after
    if not repository.adopts or after is None:
        return False
    if not adoption.is_adopted(after):
        return True
    if before is None or before.get("version") != after["version"]:
        return False
    model = repository.model
    own = {"version", *model.stored_names([*model.counters, *model.from_raw_data(after).adopted()])}
    return any(before.get(name) != after.get(name) for name in (before.keys() | after.keys()) - own)


def adopt(repository: Repository[Any], change: Change) -> None:
    """Remove what was stored beside the record as it was before, and add what it lacks now."""
    model = repository.model
    if change.before is not None:
        leftovers.remove(repository, model.from_raw_data(change.before), change, with_copy=False)
    arrived = model.from_raw_data(change.image)
    # Deleted meanwhile: that is a change of its own.
    with suppress(NotFound):
        current = queries.get(model, arrived.raw_key(), strong=True)
        if current is None:
            return
        for problem in adoption.adopt(repository, current).problems:
            events.warning(
                "not_adopted", entity=repository.entity, key=repository.key_of(arrived), problem=problem
            )
