"""Resource of the media library."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from cms.base.resource import mine, newest_first
from cms.media import repository, services
from cms.media.forms import MediaForm
from cms.media.models import MediaFile
from core.accounts.rights import is_uploader
from core.accounts.user import User
from core.common.lazy_views import LazyViews
from core.crud.listing import Badge, Column, Filter, Link
from core.crud.resource import Resource
from core.crud.screens import Screen
from core.crud.where_used import uses_of
from core.media.processing import DOCUMENT, IMAGE

views = LazyViews("cms.media.views")
MISSING = Badge("waiting", _("Needs a description"))


def format_of(media: MediaFile) -> str:
    """Such as JPEG, with its width and height."""
    name = str(media.mime_type).rpartition("/")[2].upper()
    return f"{name}, {media.width} \N{MULTIPLICATION SIGN} {media.height}" if media.width else name


class MediaResource(Resource):
    app = "cms"
    repository = repository.media
    form = MediaForm
    slug = "media"
    icon = "image"
    singular = _("file")
    plural = _("Media")
    new_title = _("Upload files")
    lead = _("Pictures and documents for the website.")
    empty = _("No files yet. Upload pictures for articles, teams and sponsors.")
    has_grid = True
    can_remove_uses = True
    columns = (
        Column("original_name", _("Name")),
        Column("thumbnail", _("Picture"), kind="picture", value=lambda media: media.preview),
        Column(
            "description",
            _("Description"),
            kind="badge",
            value=lambda media: MISSING if media.lacks_description else None,
        ),
        Column("format", _("Format"), value=format_of),
        Column("size", _("Size"), value=lambda media: filesizeformat(media.size) if media.size else ""),
        Column("created_at", _("Uploaded"), kind="time"),
    )
    filters = (
        Filter(
            "kind",
            _("Kind"),
            ((IMAGE, _("Pictures")), (DOCUMENT, _("Documents"))),
            keep=lambda media, kind: media.kind == kind,
        ),
        Filter(
            "description",
            _("Description"),
            (("missing", _("Missing")),),
            keep=lambda media, _missing: media.lacks_description,
        ),
        mine("by", _("Uploaded by"), is_uploader),
    )
    titles = {"mime_type": _("Type"), "size": _("Size"), "width": _("Width"), "height": _("Height")}
    orders = newest_first("created_at")
    internal = frozenset(
        {"filename", "s3_key", "s3_bucket", "url", "content_hash", "variants", "replaced", "uploaded_by"}
    )

    def screens(self) -> Iterator[Screen]:
        """Creating is an upload here, and there is no screen to duplicate a file."""
        own = dict.fromkeys(("new", "create"), views.Upload)
        for route, name, verb, view in super().screens():
            if name != "duplicate":
                yield route, name, verb, own.get(name, view)
        yield "choose", "choose", "view", views.choose
        yield "describe", "describe", "create", views.describe
        yield "<str:key>/replace", "replace", "delete", views.Replace

    # --- Lists -----------------------------------------------------------------------------------------

    def picture_of(self, record: MediaFile) -> str:
        return record.preview

    def detail_of(self, user: User, record: MediaFile) -> str:
        return str(record.alt or format_of(record))

    # --- Records ---------------------------------------------------------------------------------------

    def links(self, user: User, record: MediaFile) -> Sequence[Link]:
        if not self.may(user, "delete", record):
            return ()
        return (Link("replace", _("Replace the file"), self.address("replace", record.id), "upload"),)

    def about(self, user: User, record: MediaFile) -> tuple[str, dict[str, Any]]:
        return "cms/media/about.html", {
            "media": record,
            "format": format_of(record),
            "uses": uses_of(user, self, record.id),
            "replace_address": next((link.address for link in self.links(user, record)), ""),
        }

    def remove_with_uses(self, user: User, record: MediaFile, *, seen_version: int) -> int:
        return services.remove_with_references(user, record, seen_version=seen_version)


media = MediaResource()
