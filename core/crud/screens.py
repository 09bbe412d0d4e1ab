"""The screens that every resource has: route, name, right and view."""

from collections.abc import Callable, Iterator
from typing import Any

from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud.resource import Resource
from core.crud.views import (
    bulk,
    delete,
    dialog,
    edit,
    export,
    history,
    index,
    layout,
    pick,
    publication,
    saved,
    trash,
)

Screen = tuple[str, str, str, Callable[..., Any]]


def of(resource: Resource) -> Iterator[Screen]:
    yield "", "list", "view", index.index
    yield "new", "new", "create", edit.new
    yield "create", "create", "create", dialog.Create.as_view()
    yield "pick", "pick", "view", pick.pick
    yield "bulk", "bulk", "view", bulk.run
    yield "export.csv", "csv", "view", export.as_csv
    yield "export.xlsx", "xlsx", "view", export.as_xlsx
    yield "saved", "save_view", "view", saved.Save.as_view()
    yield "saved/remove", "forget_view", "view", saved.Forget.as_view()
    yield "trash", "trash", "delete", trash.index
    yield "trash/restore", "restore", "delete", trash.Restore.as_view()
    yield "<str:key>/", "record", "view", edit.record
    yield "<str:key>/delete", "delete", "delete", delete.Delete.as_view()
    yield "<str:key>/duplicate", "duplicate", "create", edit.duplicate
    yield "<str:key>/history", "history", "view", history.history
    yield "<str:key>/version", "version", "view", history.version
    yield "<str:key>/restore-version", "restore_version", "view", history.RestoreVersion.as_view()
    if resource.has_grid:
        yield "layout", "layout", "view", layout.choose
    if resource.has_copies:
        yield "<str:key>/changes", "changes", "view", history.changes
        yield "<str:key>/autosave", "autosave", "view", edit.autosave
        yield "<str:key>/discard", "discard", "view", edit.Discard.as_view()
        yield "<str:key>/unschedule", "unschedule", "update", publication.Unschedule.as_view()
        yield "<str:key>/preview", "preview", "view", publication.preview
        yield "<str:key>/unpublish", "unpublish", "update", publication.ChangeStatus.as_view(status=DRAFT)
        yield "<str:key>/archive", "archive", "update", publication.ChangeStatus.as_view(status=ARCHIVED)
        yield "<str:key>/republish", "republish", "update", publication.ChangeStatus.as_view(status=PUBLISHED)
