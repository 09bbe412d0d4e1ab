"""Uploading, replacing, describing and deleting files of the media library."""

import hashlib
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import BinaryIO, NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from cms.media.models import MediaFile
from cms.media.repository import HASH
from cms.media.repository import media as media_repository
from core.accounts.rights import ensure
from core.accounts.user import User
from core.common.logs import events
from core.dynamo import paging, references, side_items
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import AlreadyExists, InUse, NotFound, Replayed, TooLarge
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem, new_id
from core.dynamo.registry import RecordRef, records_at, repository_for
from core.dynamo.transactions import Transaction, commit
from core.media import files, processing, storage, tickets, uploads
from core.media.errors import UploadRefused
from core.media.file_urls import public_address
from core.media.files import FOLDERS
from core.media.limits import UPLOADS
from core.media.names import file_name
from core.media.processing import KINDS
from core.media.tickets import InvalidTicket, Ticket
from core.media.uploads import Upload

# Their updates and the deletion must fit into one DynamoDB transaction.
MOST_USERS = 15


class Finished(NamedTuple):
    """The record of an upload; `is_duplicate` if it is an existing record with the same content."""

    media: MediaFile
    is_duplicate: bool = False


# --- Uploading -----------------------------------------------------------------------------------------


def begin(
    user: User, *, name: str, size: int, folder: str, kinds: Collection[str] = KINDS, replaces: str = ""
) -> Upload:
    """Begin a direct upload to S3; `replaces` is the key of the record whose file is to be replaced."""
    _ensure_may_upload(user, replaces)
    return uploads.begin(user, name=name, size=size, folder=folder, kinds=kinds, replaces=replaces)


def finish(user: User, ticket_text: str, *, alt: str = "", name: str = "") -> Finished:
    """Store the file that the browser sent to S3. Idempotent: the same ticket gives the same result."""
    ticket = tickets.open_ticket(user, ticket_text)
    if ticket.folder not in FOLDERS:
        # It is for a private photo.
        raise InvalidTicket
    _ensure_may_upload(user, ticket.replaces)
    once = IdempotencyKey(user.sub, "media-upload", ticket.upload, payload={})
    try:
        once.check()
        data = uploads.read(ticket, once)
        finished = _take(user, ticket, data, alt=alt, name=file_name(name or ticket.name), once=once)
    except Replayed as earlier:
        media = media_repository.get(earlier.answer["id"], strong=True)
        finished = Finished(media, earlier.answer["is_duplicate"])
    except (UploadRefused, TooLarge, AlreadyExists):
        files.delete_unused([ticket.key])
        raise
    files.delete_unused([ticket.key])
    return finished


def upload(
    user: User,
    file: BinaryIO,
    *,
    name: str,
    folder: str,
    alt: str = "",
    caption: str = "",
    kinds: Collection[str] = KINDS,
) -> Finished:
    """Store a file posted to the server, as browsers without JavaScript do."""
    ensure(user, "cms.media.create")
    UPLOADS.ensure(user.sub)
    return add(
        user.actor, storage.read_upload(file), name=name, folder=folder, alt=alt, caption=caption, kinds=kinds
    )


def replace_file(user: User, media: MediaFile, file: BinaryIO, *, name: str, seen_version: int) -> MediaFile:
    """Replace the file of a record, read with `strong=True`, by a file posted to the server."""
    _ensure_may_upload(user, media.id)
    UPLOADS.ensure(user.sub)
    return _replace(user.actor, media, storage.read_upload(file), name=name, seen_version=seen_version)


def add(
    actor: Actor,
    data: bytes,
    *,
    name: str,
    folder: str,
    alt: str = "",
    caption: str = "",
    kinds: Collection[str] = KINDS,
    key: str = "",
    created_at: datetime | None = None,
    once: IdempotencyKey | None = None,
) -> Finished:
    """Create a record for these bytes, or return the existing one with this content. Checks no right."""
    digest = hashlib.sha256(data).hexdigest()
    existing = _with_content(digest, kinds)
    if existing is None:
        key, name = key or new_id(), file_name(name)
        prepared = processing.prepare(data, kinds=kinds)
        try:
            with files.stored(prepared, folder=folder, record=key, name=name) as fields:
                record = MediaFile(
                    id=key,
                    original_name=name,
                    alt=alt or None,
                    caption=caption or None,
                    content_hash=digest,
                    uploaded_by=actor.sub,
                    created_at=created_at,
                    **fields,
                )
                return Finished(media_repository.create(record, actor=actor, once=_answered(once, key)))
        except AlreadyExists as taken:
            # Somebody else uploaded the same file at the same moment.
            existing = _with_content(digest, kinds) if taken.field == HASH else None
            if existing is None:
                raise
    if once is not None:
        commit(replace(once, answer={"id": existing.id, "is_duplicate": True}).operation())
    return Finished(existing, is_duplicate=True)


def describe(user: User, key: str, alt: str | None) -> MediaFile:
    """Set the alternative text of a picture."""
    media = media_repository.get(key, strong=True)
    ensure(user, "cms.media.update", media)
    return media_repository.update(media, {"alt": alt}, actor=user.actor)


def kinds_like(media: MediaFile | None) -> tuple[str, ...]:
    """The kinds that may replace this file: its own only. All kinds for a new file."""
    return KINDS if media is None else (media.kind,)


def _take(user: User, ticket: Ticket, data: bytes, *, alt: str, name: str, once: IdempotencyKey) -> Finished:
    if not ticket.replaces:
        return add(user.actor, data, name=name, folder=ticket.folder, alt=alt, kinds=ticket.kinds, once=once)
    media = media_repository.get(ticket.replaces, strong=True)
    return Finished(_replace(user.actor, media, data, name=name, folder=ticket.folder, once=once))


def _replace(
    actor: Actor,
    media: MediaFile,
    data: bytes,
    *,
    name: str,
    folder: str = "",
    seen_version: int | None = None,
    once: IdempotencyKey | None = None,
) -> MediaFile:
    """Replace the file; it must be of the same kind, because records that use it depend on that.

    The former files are deleted by a later replacement, with the record, or by `manage.py media check
    --repair`.
    """
    prepared = processing.prepare(data, kinds=kinds_like(media))
    name, folder = file_name(name), folder or str(media.s3_key).partition("/")[0]
    kept = media.recently_replaced
    former = [{"s3Key": key, "at": to_iso(now())} for key in media.s3_keys]
    with files.stored(prepared, folder=folder, record=media.id, name=name) as fields:
        replaced = media_repository.update(
            media,
            {
                **fields,
                "url": public_address(fields["s3_key"]),
                "original_name": name,
                HASH: hashlib.sha256(data).hexdigest(),
                "replaced": [*kept, *former],
            },
            actor=actor,
            verb="replace",
            seen_version=seen_version,
            once=_answered(once, media.id),
        )
    files.delete_unused(each["s3Key"] for each in media.replaced or () if each not in kept)
    return replaced


def _ensure_may_upload(user: User, replaces: str) -> None:
    """Replacing needs the right to delete all files, because the former file is lost."""
    ensure(user, "cms.media.delete" if replaces else "cms.media.create")


def _with_content(digest: str, kinds: Collection[str]) -> MediaFile | None:
    key = media_repository.key_with_hash(digest)
    if key is None:
        return None
    try:
        media = media_repository.get(key, strong=True)
    except NotFound:
        return None
    processing.refuse_other_kinds(media.kind, kinds)
    return media


def _answered(once: IdempotencyKey | None, key: str) -> IdempotencyKey | None:
    return replace(once, answer={"id": key, "is_duplicate": False}) if once else None


# --- Deleting ------------------------------------------------------------------------------------------


def remove_with_references(user: User, media: MediaFile, *, seen_version: int | None = None) -> int:
    """Remove a file from all records that use it and move it to the trash, in one transaction.

    Returns the number of these records. `media` was read with `strong=True`.
    """
    ensure(user, "cms.media.delete", media)
    uses = _uses(media)
    transaction = Transaction()
    released = 0
    for (entity, _key), record in records_at(uses, strong=True).items():
        ensure(user, f"cms.{entity}.update", record)
        repository = repository_for(entity)
        fields = side_items.fields_without(repository, record, [("media", media.id)])
        released += len(fields)
        repository.update(record, fields, actor=user.actor, transaction=transaction)
    media_repository.delete(
        media, actor=user.actor, seen_version=seen_version, transaction=transaction, released=released
    )
    transaction.commit()
    return len(uses)


def _uses(media: MediaFile) -> list[RecordRef]:
    """The records that refer to the file; raises InUse if there are too many."""
    page = references.used_in("media", media.id, limit=paging.MOST)
    uses = list(dict.fromkeys((row.entity, row.key) for row in page.items))
    if len(uses) > MOST_USERS or page.next_key:
        message = _("More than %(most)d entries use this file. Remove it from some of them first.")
        raise InUse(message % {"most": MOST_USERS})
    return uses


def delete_files(image: RawItem) -> None:
    """Delete the S3 files of a record that was deleted for good, given its last image. Idempotent."""
    media = MediaFile.from_raw_data(image)
    if media.s3_bucket != settings.MEDIA_BUCKET:
        # Such as production records copied to a test environment: these files are not in this bucket.
        events.warning("files_elsewhere", record=media.id)
        return
    storage.delete([*media.s3_keys, *(former["s3Key"] for former in media.replaced or ())])
