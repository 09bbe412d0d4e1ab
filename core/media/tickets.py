"""Signed tickets for uploads, so that no record is stored before the file has arrived."""

from dataclasses import asdict, dataclass, field
from uuid import uuid4

from django.core import signing
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import DataError
from core.media.processing import KINDS

SALT = "cms.media.upload"
# An upload starts within minutes, but may take long over a slow connection.
VALID_SECONDS = 3600
UPLOADS = "uploads"


class InvalidTicket(DataError):
    status_code = 400
    message = _("This upload took too long or was started by someone else. Choose the file again.")


@dataclass(frozen=True)
class Ticket:
    """One upload. `replaces` is the key of the record whose file is replaced; empty for a new record."""

    sub: str
    name: str
    folder: str
    kinds: tuple[str, ...] = KINDS
    replaces: str = ""
    upload: str = field(default_factory=lambda: str(uuid4()))

    @property
    def key(self) -> str:
        """The S3 key to which the browser uploads; it is not publicly readable."""
        return f"{UPLOADS}/{self.upload}"

    def signed(self) -> str:
        return signing.dumps(asdict(self), salt=SALT)


def open_ticket(user: User, text: str) -> Ticket:
    try:
        content = signing.loads(text, salt=SALT, max_age=VALID_SECONDS)
    except signing.BadSignature as error:
        raise InvalidTicket from error
    ticket = Ticket(**{**content, "kinds": tuple(content["kinds"])})
    if ticket.sub != user.sub:
        raise InvalidTicket
    return ticket
