"""The registry of stream handlers."""

from collections.abc import Callable, Iterator
from functools import cache, partial

from core.common.discovery import import_everywhere
from core.dynamo import registry, trash
from core.dynamo.items import Item, RawItem
from core.dynamo.repository import Repository
from core.dynamo.streams import arrivals, leftovers
from core.dynamo.streams.changes import Change
from core.dynamo.support_table import SupportItem

Handler = Callable[[Change], None]
Condition = Callable[[Change], bool]
GoneHandler = Callable[[RawItem], None]

_on: dict[tuple[str, str], list[tuple[Handler, Condition]]] = {}
_when_gone: dict[str, list[GoneHandler]] = {}


def on(entity: str, *events: str, when: Condition = lambda _change: True) -> Callable[[Handler], Handler]:
    """Call the function for these changes (INSERT, MODIFY, REMOVE) of an entity's records.

    `when` tells from the images alone whether a change concerns it: to read past one that concerns nobody
    costs no write.
    """

    def register(handler: Handler) -> Handler:
        for event in events:
            _on.setdefault((entity, event), []).append((handler, when))
        return handler

    return register


def when_gone(entity: str) -> Callable[[GoneHandler], GoneHandler]:
    """Call the function with a record's last image once it is neither stored nor in the trash."""

    def register(handler: GoneHandler) -> GoneHandler:
        _when_gone.setdefault(entity, []).append(handler)
        return handler

    return register


@cache
def discover() -> None:
    """Import the handlers of all apps; pages need none of them."""
    import_everywhere("streams")


def handle(change: Change) -> None:
    """Call all handlers of a change."""
    for step in steps(change):
        step()


def concerns_somebody(change: Change) -> bool:
    """Whether a change has a handler; also where that cannot be told, so that it is put aside."""
    try:
        return bool(steps(change))
    except Exception:  # noqa: BLE001 - whatever is wrong with a change, it must not stop the worker
        return True


def steps(change: Change) -> list[Callable[[], None]]:
    """The handler calls for a change, in order; none for most changes."""
    discover()
    return list(_steps(change))


def _steps(change: Change) -> Iterator[Callable[[], None]]:
    if change.table == SupportItem.Meta.table_name:
        if change.event == "REMOVE" and trash.is_image(change.image):
            yield partial(_removed_from_trash, change)
        return
    for repository in registry.repositories():
        if repository.model.Meta.table_name != change.table or not repository.owns(change.image):
            continue
        if change.event == "REMOVE":
            yield partial(_removed, repository, change)
        elif arrivals.is_foreign(repository, change):
            yield partial(arrivals.adopt, repository, change)
        for handler, when in _on.get((repository.entity, change.event), ()):
            if when(change):
                yield partial(handler, change)


def _removed(repository: Repository[Item], change: Change) -> None:
    """Clean up after a removed record. If it is in the trash, its working copy stays for an undo."""
    record = repository.model.from_raw_data(change.before)
    key = repository.key_of(record)
    is_in_trash = trash.of_record(repository.entity, key) is not None
    leftovers.remove(repository, record, change, with_copy=not is_in_trash)
    _call_when_gone(repository, key, record.stored)


def _removed_from_trash(change: Change) -> None:
    """A record left the trash: restored, deleted for ever, or after thirty days."""
    image = trash.TrashedItem.from_raw_data(change.image)
    if not registry.is_known(image.entity):
        return
    repository = registry.repository_for(image.entity)
    record = repository.model.from_raw_data(image.record)
    if leftovers.is_gone(repository, image.key):
        leftovers.discard_copy(repository, record)
    _call_when_gone(repository, image.key, record.stored)


def _call_when_gone(repository: Repository[Item], key: str, image: RawItem) -> None:
    if repository.entity in _when_gone and leftovers.is_gone(repository, key):
        for handler in _when_gone[repository.entity]:
            handler(image)
