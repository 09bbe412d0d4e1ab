"""Changing the settings of the club."""

import hashlib
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple, cast

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.club import queries, rules
from core.club.models import ClubSettings
from core.club.repository import club_settings, put_logo
from core.dynamo import history
from core.dynamo.errors import NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem
from core.dynamo.transactions import Transaction
from core.media import drawings, processing, storage
from core.media.errors import UploadRefused
from core.media.limits import UPLOADS

RIGHT = "club.settings.update"
# Of a logo as a picture. A larger one is scaled down first.
LARGEST_LOGO = 200 * 1024
LONGEST_SIDE = 1024
FORMATS = ("png", "jpeg")
CHANGED = tuple(
    ClubSettings.get_attributes().keys()
    - {"pk", "sk", "gsi1_pk", "gsi1_sk", "ttl", "created_at", "updated_at", "version", "refs"}
)


class LogoTooLarge(UploadRefused):
    message = _("This picture is too large for a logo. Upload an SVG, or a PNG of at most 200 KB.")


class LogoTooLong(UploadRefused):
    message = drawings.LongDrawing.message


class Logo(NamedTuple):
    name: str
    data: bytes
    width: int
    height: int

    @property
    def stored(self) -> dict[str, Any]:
        return {"name": self.name, "width": self.width, "height": self.height}


def save(
    user: User,
    values: Mapping[str, Any],
    *,
    logo: "UploadedFile[Any] | None" = None,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> ClubSettings:
    """Store the settings; without a `logo`, the one in `values` stays or goes."""
    ensure(user, RIGHT)
    rules.check_time_zone(values["time_zone"])
    rules.check_colours(values["colour"], values["second_colour"])
    transaction = Transaction()
    fields = dict(values)
    if logo is not None:
        made = _logo(user, logo)
        fields["logo"] = made.stored
        transaction.add(put_logo(made.name, made.data))
    written = club_settings.save(
        club_settings.stored(strong=True),
        fields,
        actor=user.actor,
        seen_version=seen_version,
        once=once,
        transaction=transaction,
    )
    transaction.commit()
    queries.remember(written)
    return written


def restore(user: User, earlier: ClubSettings, *, seen_version: int) -> ClubSettings:
    """Bring an earlier version back."""
    ensure(user, RIGHT)
    return _restore(user, club_settings.stored(strong=True), earlier, seen_version)


def undo(user: User, *, seen_version: int) -> ClubSettings:
    """Take the newest change back, unless there is a newer one than was seen."""
    ensure(user, RIGHT)
    now = club_settings.stored(strong=True)
    newest = history.entries(club_settings.entity, club_settings.key_of(now), limit=1, strong=True).items
    if not newest:
        raise NotFound
    return _restore(user, now, as_stored(history.undo(newest, now.stored)), seen_version)


def as_stored(raw: RawItem) -> ClubSettings:
    """An earlier version; before the first, the settings are those of the environment."""
    return ClubSettings.from_raw_data(ClubSettings.default().serialize() | raw)


def _restore(user: User, now: ClubSettings, earlier: ClubSettings, seen_version: int) -> ClubSettings:
    fields = {name: getattr(earlier, name) for name in CHANGED}
    written = club_settings.update(
        now, fields, actor=user.actor, verb="restore_version", seen_version=seen_version
    )
    queries.remember(written)
    return written


def _logo(user: User, file: "UploadedFile[Any]") -> Logo:
    """The file as it is served; raises UploadRefused at the field."""
    UPLOADS.ensure(user.sub)
    try:
        data = storage.read_upload(cast(BinaryIO, file))
        return logo_of(data)
    except UploadRefused as refused:
        refused.field = "logo"
        raise


def logo_of(data: bytes) -> Logo:
    """What is stored of a file: the shapes of a drawing, or the pixels of a picture; raises UploadRefused."""
    return _drawing(data) if processing.looks_like_drawing(data) else _picture(data)


def _drawing(data: bytes) -> Logo:
    drawing = drawings.clean(data)
    return Logo(_name(drawing.data, "svg"), drawing.data, drawing.width, drawing.height)


def _picture(data: bytes) -> Logo:
    original, variants = processing.prepare(data, kinds=(processing.IMAGE,))
    for part in (original, *sorted(variants, key=lambda each: -(each.width or 0))):
        width, height = part.width or 1, part.height or 1
        if not 1 / drawings.LONGEST_SHAPE <= width / height <= drawings.LONGEST_SHAPE:
            raise LogoTooLong
        is_small = len(part.data) <= LARGEST_LOGO and max(width, height) <= LONGEST_SIDE
        if part.format in FORMATS and is_small:
            return Logo(_name(part.data, part.extension), part.data, width, height)
    raise LogoTooLarge


def _name(data: bytes, extension: str) -> str:
    return f"{hashlib.sha256(data).hexdigest()[:32]}.{extension}"
