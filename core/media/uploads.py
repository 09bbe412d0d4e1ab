"""Uploads in two steps: a presigned POST sends the file to S3, and its ticket takes it from there."""

from collections.abc import Collection
from typing import NamedTuple

from django.utils.translation import gettext as _

from core.accounts.user import User
from core.dynamo.errors import NotFound, TooLarge
from core.dynamo.idempotency import IdempotencyKey
from core.media import storage
from core.media.limits import UPLOADS
from core.media.names import file_name
from core.media.storage import LARGEST_UPLOAD, Post
from core.media.tickets import Ticket


class Upload(NamedTuple):
    """A presigned POST, and the signed ticket with which the file is taken from where it was sent."""

    post: Post
    ticket: str


def begin(
    user: User, *, name: str, size: int, folder: str, kinds: Collection[str], replaces: str = ""
) -> Upload:
    """The first step; the caller has checked the right."""
    if size > LARGEST_UPLOAD:
        raise TooLarge(_("This file is larger than 25 MB."))
    UPLOADS.ensure(user.sub)
    ticket = Ticket(user.sub, file_name(name), folder, tuple(kinds), replaces)
    return Upload(storage.presigned_post(ticket.key), ticket.signed())


def read(ticket: Ticket, once: IdempotencyKey) -> bytes:
    """What was sent for this ticket."""
    try:
        return storage.read(ticket.key)
    except NotFound as error:
        # The same ticket may have been used up by a request that ran at the same time.
        once.check()
        raise NotFound(_("The file did not arrive. Choose it again.")) from error
