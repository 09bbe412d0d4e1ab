"""Views of the media library that are not generic: uploading, replacing, describing and choosing files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, cast
from urllib.parse import urlencode

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.forms import Form
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from cms.media import services
from cms.media.fields import accepted
from cms.media.forms import (
    MOST_AT_ONCE,
    BeginUploadForm,
    DescriptionForm,
    FinishUploadForm,
    ReplaceForm,
    UploadForm,
)
from cms.media.models import MediaFile
from cms.media.repository import media as media_files
from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, is_htmx
from core.crud import toasts
from core.crud.form_page import FormPage
from core.crud.listing import how_many
from core.crud.resource import Resource
from core.crud.rows import find, listing_from
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import DataError, Invalid
from core.dynamo.paging import read_token
from core.media.files import FOLDERS
from core.media.processing import IMAGE, KINDS

# Files posted to the server are processed one after the other within the request.
SECONDS = 25
PER_PAGE = 24
DESCRIPTION = "alt-"


class WrongText(Invalid):
    """A description that the form refuses."""

    status_code = 422


@dataclass(frozen=True)
class Outcome:
    """The result for one file posted to the server."""

    name: str
    media: MediaFile | None = None
    is_duplicate: bool = False
    problem: str = ""


class Upload(FormPage[UploadForm]):
    """The upload page. Without JavaScript the files are posted here, otherwise sent to S3 directly."""

    form_class: type[UploadForm] = UploadForm
    template = "cms/media/upload.html"
    takes_files = True
    outcomes: Sequence[Outcome] = ()

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]

    def save(self) -> None:
        with request_deadline(SECONDS):
            self.outcomes = [_take(self.request, file) for file in self.form.posted]

    def done(self) -> HttpResponse:
        return self.show()

    def context(self) -> Mapping[str, Any]:
        media, kinds = self.object, services.kinds_like(self.object)
        problems = [*self.form.non_field_errors(), *filter(None, [self.problem])]
        return {
            "problem": str(problems[0]) if problems else "",
            "resource": self.resource,
            "replaced": media,
            "address": self.request.path,
            "back": self.resource.record_address(media.id) if media else self.resource.list_address,
            "accept": accepted(kinds),
            "kinds": kinds,
            "outcomes": self.outcomes,
            "has_pictures": any(each.media and each.media.is_image for each in self.outcomes),
            "describe_address": self.resource.address("describe"),
        }


class Replace(Upload):
    """Replace the file of a record, so that all records that use it show the new file.

    Needs the right to delete, because the former file is lost.
    """

    form_class = ReplaceForm
    success_message = gettext_lazy("The file was replaced.")

    def load(self) -> None:
        super().load()
        self.resource.ensure(self.request.user, "delete", self.object)

    def get_object(self) -> MediaFile:
        return media_files.get(self.kwargs["key"], strong=True)

    def save(self) -> None:
        (file,) = self.form.posted
        user, media, version = self.request.user, self.object, self.seen_version
        services.replace_file(user, media, cast(BinaryIO, file), name=file.name or "", seen_version=version)

    def compare(self) -> DataError | None:
        return self.problem

    def done(self) -> HttpResponse:
        return FormPage.done(self)

    def success_url(self) -> str:
        return self.resource.record_address(self.object.id)


@require_POST
def describe(request: SignedInRequest, resource: Resource) -> HttpResponse:
    """Save alternative texts: of one picture by HTMX, or of all on a page by its form."""
    typed = {name: text for name, text in request.POST.items() if name.startswith(DESCRIPTION)}
    problems: list[DataError] = []
    for name, text in list(typed.items())[:MOST_AT_ONCE]:
        form = DescriptionForm({"alt": text})
        try:
            if not form.is_valid():
                raise WrongText(str(form.errors["alt"][0]))
            services.describe(request.user, name.removeprefix(DESCRIPTION), form.cleaned_data["alt"])
        except DataError as error:
            problems.append(error)
    if is_htmx(request):
        return _failed(problems[0]) if problems else HttpResponse(_("Saved."), content_type="text/plain")
    for problem in problems:
        toasts.add(request, problem.message, level=messages.ERROR)
    if not problems:
        saved = ngettext("Description saved.", "Descriptions saved.", len(typed))
        toasts.add(request, saved)
    return go(request, resource.list_address)


@require_safe
def choose(request: SignedInRequest, resource: Resource) -> HttpResponse:
    """The dialog of another form in which files of the library are chosen; HTMX only.

    With `folder` it also offers to upload a picture, if the user may.
    """
    if not is_htmx(request):
        return go(request, resource.list_address)
    listing = listing_from(resource, request.GET)
    bound_to = (request.user.sub, resource.entity, "choose", sorted(listing.query.items()))
    start = read_token(request.GET.get("after"), *bound_to)
    page = find(request.user, resource, listing, limit=PER_PAGE, start=start)
    query = listing.query | ({"many": "yes"} if "many" in request.GET else {})
    token = page.next_token(*bound_to)
    context = {
        "files": page.items,
        "listing": listing,
        "many": "many" in request.GET,
        "folder": _upload_folder(request, resource),
        "accept": accepted((IMAGE,)),
        "kinds": (IMAGE,),
        "is_first_page": start is None,
        "next_address": f"?{urlencode(query | {'after': token})}" if token else "",
        "address": resource.address("choose"),
        "found": how_many(len(page.items), has_more=page.next_key is not None, is_first_page=start is None),
    }
    part = "more" if start is not None else "results" if "q" in request.GET else "dialog"
    return render(request, f"cms/media/choose.html#{part}", context)


def _upload_folder(request: SignedInRequest, resource: Resource) -> str:
    """The folder for uploads in the dialog; empty if the user may not upload."""
    folder = request.GET.get("folder", "")
    return folder if folder in FOLDERS and resource.may(request.user, "create") else ""


def _take(request: SignedInRequest, file: "UploadedFile[Any]") -> Outcome:
    name = file.name or ""
    try:
        taken = services.upload(request.user, cast(BinaryIO, file), name=name, folder=FOLDERS[0])
    except DataError as error:
        return Outcome(name, problem=str(error))
    return Outcome(name, taken.media, taken.is_duplicate)


# --- Uploads by JavaScript: the browser sends each file directly to S3, between `begin` and `finish` -------


@requires("cms.media.view", "cms.media.create")
@require_POST
def begin(request: SignedInRequest) -> HttpResponse:
    form = BeginUploadForm(request.POST)
    if not form.is_valid():
        return _refused(form)
    values = form.cleaned_data
    try:
        upload = services.begin(
            request.user,
            name=values["name"],
            size=values["size"],
            folder=values["folder"] or FOLDERS[0],
            kinds=values["kinds"] or KINDS,
            replaces=values["replaces"],
        )
    except DataError as error:
        return _failed(error)
    return JsonResponse({"url": upload.post.url, "fields": upload.post.fields, "ticket": upload.ticket})


@requires("cms.media.view", "cms.media.create")
@require_POST
def finish(request: SignedInRequest) -> HttpResponse:
    form = FinishUploadForm(request.POST)
    if not form.is_valid():
        return _refused(form)
    values = form.cleaned_data
    try:
        finished = services.finish(request.user, values["ticket"], alt=values["alt"], name=values["name"])
    except DataError as error:
        return _failed(error)
    media = finished.media
    return JsonResponse(
        {
            "id": media.id,
            "url": media.address,
            "thumbnail": media.thumbnail if media.is_image else None,
            "width": media.width,
            "height": media.height,
            "name": media.original_name,
            "alt": media.alt or "",
            "duplicate": finished.is_duplicate,
        },
        status=200 if finished.is_duplicate else 201,
    )


def _refused(form: Form) -> HttpResponse:
    """400 with the first error and its field's name; our own script always sends valid data."""
    name, problems = next(iter(form.errors.items()))
    message = _("%(field)s: %(problem)s") % {"field": name, "problem": problems[0]}
    return JsonResponse({"error": message}, status=400)


def _failed(error: DataError) -> HttpResponse:
    return JsonResponse({"error": str(error)}, status=error.status_code, headers=error.headers)
