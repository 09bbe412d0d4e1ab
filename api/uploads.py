"""What uploads in two steps have in common: where to send the file, and the ticket with which it is taken."""

from typing import Annotated

from django.http import HttpResponse
from pydantic import BaseModel, BeforeValidator, Field

from api import answers
from api.fields import NOT_BLANK, SENT, whole
from core.media import uploads
from core.media.storage import POST_SECONDS

LONGEST_TICKET = 4000


class UploadBody(BaseModel):
    """A file that will be sent. Its type is decided by what is in it."""

    model_config = SENT
    name: Annotated[str, Field(min_length=1, max_length=500, pattern=NOT_BLANK)]
    size: Annotated[int, Field(ge=1, description="In bytes; at most 25 MB."), BeforeValidator(whole)]


class TicketBody(BaseModel):
    """A file that was sent."""

    model_config = SENT
    ticket: Annotated[str, Field(min_length=1, max_length=LONGEST_TICKET, description="Of the upload.")]


class UploadPlace(BaseModel):
    """Send a POST to `url` as multipart/form-data: these `fields`, and then the file as `file`."""

    url: str
    fields: dict[str, str]
    ticket: Annotated[str, Field(description="For the second step, within an hour.")]
    expiresIn: Annotated[int, Field(description="Seconds in which the file is taken at `url`.")]


def place(upload: uploads.Upload) -> HttpResponse:
    post = upload.post
    return answers.answer(
        {"url": post.url, "fields": post.fields, "ticket": upload.ticket, "expiresIn": POST_SECONDS}
    )
