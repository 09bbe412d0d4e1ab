"""The screens that every resource has: route, name, right and view."""

from collections.abc import Callable, Iterator
from typing import Any

from crud.resource import Resource
from crud.views import dialog, edit, index, pick

Screen = tuple[str, str, str, Callable[..., Any]]


def of(resource: Resource) -> Iterator[Screen]:
    yield "", "list", "view", index.index
    yield "new", "new", "create", edit.new
    yield "create", "create", "create", dialog.create
    yield "pick", "pick", "view", pick.pick
    yield "<str:key>/", "record", "view", edit.record
    if resource.has_copies:
        yield "<str:key>/autosave", "autosave", "view", edit.autosave
        yield "<str:key>/discard", "discard", "view", edit.discard
