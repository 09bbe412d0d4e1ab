"""The screens that every resource has: route, name, right and view."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from core.common.lazy_views import LazyViews

if TYPE_CHECKING:
    from core.crud.resource import Resource

Screen = tuple[str, str, str, Callable[..., Any]]

bulk = LazyViews("core.crud.views.bulk")
delete = LazyViews("core.crud.views.delete")
dialog = LazyViews("core.crud.views.dialog")
edit = LazyViews("core.crud.views.edit")
export = LazyViews("core.crud.views.export")
history = LazyViews("core.crud.views.history")
index = LazyViews("core.crud.views.index")
layout = LazyViews("core.crud.views.layout")
pick = LazyViews("core.crud.views.pick")
publication = LazyViews("core.crud.views.publication")
saved = LazyViews("core.crud.views.saved")
trash = LazyViews("core.crud.views.trash")


def of(resource: "Resource") -> Iterator[Screen]:
    # The two that are asked for most come first: a URL is compared with one route after the other.
    yield "", "list", "view", index.index
    yield "<str:key>/", "record", "view", edit.record
    yield "new", "new", "create", edit.new
    yield "create", "create", "create", dialog.Create
    yield "pick", "pick", "view", pick.pick
    yield "bulk", "bulk", "view", bulk.run
    yield "export.csv", "csv", "view", export.as_csv
    yield "export.xlsx", "xlsx", "view", export.as_xlsx
    yield "saved", "save_view", "view", saved.Save
    yield "saved/remove", "forget_view", "view", saved.Forget
    yield "trash", "trash", "delete", trash.index
    yield "trash/restore", "restore", "delete", trash.Restore
    yield "<str:key>/delete", "delete", "delete", delete.Delete
    yield "<str:key>/duplicate", "duplicate", "create", edit.duplicate
    yield "<str:key>/history", "history", "view", history.history
    yield "<str:key>/version", "version", "view", history.version
    yield "<str:key>/restore-version", "restore_version", "view", history.RestoreVersion
    if resource.has_grid:
        yield "layout", "layout", "view", layout.choose
    if resource.has_copies:
        yield "<str:key>/changes", "changes", "view", history.changes
        yield "<str:key>/autosave", "autosave", "view", edit.autosave
        yield "<str:key>/discard", "discard", "view", edit.Discard
        yield "<str:key>/unschedule", "unschedule", "update", publication.Unschedule
        yield "<str:key>/preview", "preview", "view", publication.preview
        yield "<str:key>/unpublish", "unpublish", "update", publication.Unpublish
        yield "<str:key>/archive", "archive", "update", publication.Archive
        yield "<str:key>/republish", "republish", "update", publication.Republish
