"""Photos of robots: added to a pit form in two steps, or removed from it."""

from django.http import HttpResponse

from api import answers
from api.operations import Operations
from api.scouting import schemas
from api.scouting.documents import PIT
from api.uploads import TicketBody, UploadBody, UploadPlace, place
from core.accounts.rights import SignedInRequest
from core.media import private_photos
from scouting.forms import photo_uploads, services

part = Operations("Scouting photos")


# Before the names of photos, which stand where this address ends.
@part.act("POST", "/pit-forms/{key}/photos/uploads", right="scouting.form.update", answer=UploadPlace)
def begin_photo_upload(request: SignedInRequest, key: str, body: UploadBody) -> HttpResponse:
    """Ask where to send a photo of the robot: the first step of an upload."""
    return place(photo_uploads.begin(request.user, key, name=body.name, size=body.size))


@part.get_file("/pit-forms/{key}/photos/{name}", right="scouting.form.view", kind="image/*")
def get_photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of a pit form, as a picture."""
    data, mime_type = private_photos.read(services.opened(request.user, "pit", key).photos, name)
    return HttpResponse(data, content_type=mime_type)


@part.change("POST", "/pit-forms/{key}/photos", right="scouting.form.update", answer=schemas.PitForm)
def add_photo(request: SignedInRequest, key: str, body: TicketBody) -> HttpResponse:
    """Add a photo that was sent, at most four in all; it is decoded and loses what it says of its maker."""
    version = answers.seen_version(request)
    with answers.precondition():
        photo_uploads.add(request.user, key, body.ticket, seen_version=version)
    return _answer(request, key)


@part.delete("/pit-forms/{key}/photos/{name}", right="scouting.form.update")
def remove_photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """Remove a photo, whose files are deleted."""
    version = answers.seen_version(request) if "If-Match" in request.headers else None
    with answers.precondition():
        photo_uploads.remove(request.user, key, name, seen_version=version)
    return answers.no_content()


def _answer(request: SignedInRequest, key: str) -> HttpResponse:
    form = services.opened(request.user, "pit", key)
    return answers.answer(PIT.of(form), version=form.seen_version)
