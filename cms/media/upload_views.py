"""Uploads by JavaScript: the browser sends each file straight to S3 and then tells that it is there."""

from django.forms import Form
from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from cms.media import services
from cms.media.upload_forms import BeginUploadForm, FinishUploadForm
from core.accounts.rights import SignedInRequest, requires
from core.dynamo.errors import DataError
from core.media.keeping import FOLDERS
from core.media.preparing import KINDS


@requires("cms.media.view", "cms.media.create")
@require_POST
def begin(request: SignedInRequest) -> HttpResponse:
    form = BeginUploadForm(request.POST)
    if not form.is_valid():
        return _refused(form)
    asked = form.cleaned_data
    try:
        upload = services.begin(
            request.user,
            name=asked["name"],
            size=asked["size"],
            folder=asked["folder"] or FOLDERS[0],
            kinds=asked["kinds"] or KINDS,
            replaces=asked["replaces"],
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
    told = form.cleaned_data
    try:
        finished = services.finish(request.user, told["ticket"], alt=told["alt"], name=told["name"])
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
    """What our own script sends is complete, so this is for others: the first problem with its field."""
    name, problems = next(iter(form.errors.items()))
    said = _("%(field)s: %(problem)s") % {"field": name, "problem": problems[0]}
    return JsonResponse({"error": said}, status=400)


def _failed(error: DataError) -> HttpResponse:
    return JsonResponse({"error": str(error)}, status=error.status_code, headers=error.headers)
