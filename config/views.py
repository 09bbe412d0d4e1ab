"""Health checks, and error pages for exceptions outside of views."""

import sys

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.error_pages import data_error_page, error_page, is_for_readers
from core.accounts.languages import has_language_of_club
from core.club import queries as club
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import DataError
from core.dynamo.queries import get
from core.dynamo.support_table import SupportItem

READY_SECONDS = 0.3


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Liveness: the process responds."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Readiness: one read from DynamoDB succeeds within 300 ms."""
    try:
        with request_deadline(READY_SECONDS):
            get(SupportItem, {"PK": {"S": "READY"}, "SK": {"S": "READY"}})
    except DataError:
        return HttpResponse("not ready\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(
        400, _("That did not work"), _("Your browser sent a request that we could not understand.")
    )


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(403, _("Not allowed"), _("You do not have permission to do this."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if has_language_of_club(request):
        translation.activate(club.current().texts_language)
    message = _("This page does not exist or was removed.")
    return error_page(404, _("Not found"), message, for_readers=is_for_readers(request))


def server_error(request: HttpRequest) -> HttpResponse:
    # Django calls this view for exceptions of middleware; a DataError there is an outage, not a bug.
    error = sys.exc_info()[1]
    if isinstance(error, DataError):
        return data_error_page(error)
    return error_page(500, _("Something went wrong"), _("The error was logged. Try again later."))
