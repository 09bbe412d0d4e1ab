"""Photos that programs add to a pit form, each in two steps, or remove from it."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import gettext as _

from core.accounts.user import User
from core.dynamo import history
from core.dynamo.errors import Invalid, NotFound, TooLarge
from core.dynamo.idempotency import IdempotencyKey
from core.media import tickets, uploads
from core.media.errors import UploadRefused
from core.media.files import delete_unused
from core.media.private_photos import PhotoFields, name_of
from core.media.processing import IMAGE
from core.media.tickets import InvalidTicket
from core.media.uploads import Upload
from scouting.forms import corrections, photos, services
from scouting.forms.forms import MOST_PHOTOS
from scouting.forms.models import PitForm


def begin(user: User, key: str, *, name: str, size: int) -> Upload:
    """A place in S3 for a photo of a form that the user may correct."""
    _correctable(user, key)
    return uploads.begin(user, name=name, size=size, folder=_folder(key), kinds=(IMAGE,))


def add(user: User, key: str, ticket_text: str, *, seen_version: int) -> None:
    """Add the photo that was sent to S3. Repeated with the same ticket, it does nothing."""
    form, ticket = _correctable(user, key), tickets.open_ticket(user, ticket_text)
    if ticket.folder != _folder(key):
        raise InvalidTicket
    once = IdempotencyKey(user.sub, "pit-photo", ticket.upload, payload={})
    if history.answer_of("pit", key, once):
        return
    kept = list(form.photos or ())
    if len(kept) >= MOST_PHOTOS:
        raise Invalid(_("A form has at most %(most)d photos.") % {"most": MOST_PHOTOS}, field="ticket")
    try:
        file = SimpleUploadedFile(ticket.name, uploads.read(ticket, once))
        _write(user, key, form, kept, seen_version, files=[file], once=once)
    except (UploadRefused, TooLarge):
        delete_unused([ticket.key])
        raise
    delete_unused([ticket.key])


def remove(user: User, key: str, name: str, *, seen_version: int | None) -> None:
    form = _correctable(user, key)
    left = [photo for photo in form.photos or () if name_of(photo["s3Key"]) != name]
    if len(left) == len(form.photos or ()):
        raise NotFound
    _write(user, key, form, left, form.seen_version if seen_version is None else seen_version)


def _correctable(user: User, key: str) -> PitForm:
    form: PitForm = services.opened(user, "pit", key)
    corrections.ensure_may_correct(user, form)
    return form


def _write(
    user: User, key: str, form: PitForm, kept: list[PhotoFields], seen_version: int, **options: Any
) -> None:
    fields = {"answers": form.answers or {}, "photos": kept}
    services.edit(user, "pit", key, fields, seen_version=seen_version, **options)


def _folder(key: str) -> str:
    """The folder in the ticket, which is good for this form only."""
    return f"{photos.FOLDER}/{key}"
