"""The media library: uploads in two steps, and what its pages offer."""

from typing import Annotated, Literal

from django.http import HttpResponse
from pydantic import BaseModel, Field

from api import answers
from api.cms.operations import ContentOperations
from api.cms.records import ContentDocument
from api.fields import TEXT
from api.forms import valid
from api.operations import PREFIX, Operations
from api.uploads import TicketBody, UploadBody, UploadPlace, place
from cms.media import services
from cms.media.forms import LONGEST_ALT, BeginUploadForm, FinishUploadForm
from cms.media.resource import media
from core.accounts.rights import SignedInRequest
from core.crud.where_used import uses_of
from core.dynamo.attributes import now
from core.media.files import FOLDERS
from core.media.processing import KINDS

part = Operations("Media")
FILE = ContentDocument(
    media,
    hidden={"filename", "s3_key", "s3_bucket", "content_hash", "variants", "replaced"},
    computed={"url": lambda file: file.address, "thumbnail": lambda file: file.preview or None},
    needed=("s3_key", "variants", "mime_type"),
)


class FileUpload(UploadBody):
    folder: Annotated[
        Literal[FOLDERS],  # type: ignore[valid-type]
        Field(description="What the file is for."),
    ] = "media"
    kinds: Annotated[
        list[Literal[KINDS]],  # type: ignore[valid-type]
        Field(description="What it may be; empty: both."),
    ] = []


class FileBody(TicketBody):
    name: Annotated[str, Field(max_length=500, pattern=TEXT, description="Empty: that of the upload.")] = ""
    alt: Annotated[str, Field(max_length=LONGEST_ALT, pattern=TEXT, description="The alternative text.")] = ""


class Use(BaseModel):
    """A record that uses a file; one that you may not view has no names."""

    kind: str | None
    title: str | None
    page: str | None


@part.act("POST", "/media/uploads", right="cms.media.create", answer=UploadPlace)
def begin_upload(request: SignedInRequest, body: FileUpload) -> HttpResponse:
    """Ask where to send a file: the first step of an upload."""
    values = valid(BeginUploadForm(body.model_dump()), {name: name for name in FileUpload.model_fields})
    wanted = {name: values.cleaned_data[name] for name in ("name", "size", "folder")}
    return place(services.begin(request.user, **wanted, kinds=body.kinds or KINDS))


@part.post("/media", right="cms.media.create", answer=FILE.schema)
def finish_upload(request: SignedInRequest, body: FileBody) -> HttpResponse:
    """Take a file that was sent: it is decoded, freed of what it says of its maker, and made smaller.

    200 with the stored file if the ticket was used before, or if the library has the same file already.
    """
    began = now()
    form = valid(FinishUploadForm(body.model_dump()), {name: name for name in FileBody.model_fields})
    values = form.cleaned_data
    finished = services.finish(request.user, values["ticket"], alt=values["alt"], name=values["name"])
    file = finished.media
    is_new = not finished.is_duplicate and bool(file.created_at) and file.created_at >= began
    return answers.answer(
        FILE.of(request.user, file),
        status=201 if is_new else 200,
        version=file.seen_version,
        location=f"{PREFIX}/cms/media/{file.id}",
    )


files = ContentOperations(part, FILE, "media_file", order="the newest first")
files.declare_reading()
files.declare_changing()


@part.get("/media/{id}/uses", right="cms.media.view", answer=list[Use])
def list_media_uses(request: SignedInRequest, id: str) -> HttpResponse:
    """The records that use a file, which is not deleted as long as there are any."""
    record = media.repository.get(id)
    media.ensure(request.user, "view", record)
    return answers.answer(
        [
            {
                "kind": use.kind or None,
                "title": use.label or None,
                "page": request.build_absolute_uri(use.address) if use.address else None,
            }
            for use in uses_of(request.user, media, id)
        ]
    )
