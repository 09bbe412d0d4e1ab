"""Error pages. They are rendered without the request: they must work when the session cannot be read."""

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from dynamo.errors import DataError, Text, Unavailable


def error_page(status: int, heading: Text, message: Text) -> HttpResponse:
    page = render_to_string("errors/page.html", {"heading": heading, "message": message})
    return HttpResponse(page, status=status, headers={"Cache-Control": "no-store"})


def data_error_page(error: DataError) -> HttpResponse:
    response = error_page(error.status_code, _heading(error), error.message)
    if isinstance(error, Unavailable):
        response["Retry-After"] = str(error.retry_after)
    return response


def _heading(error: DataError) -> str:
    match error.status_code:
        case 404:
            return _("Not found")
        case 409:
            return _("Changed in the meantime")
        case 503:
            return _("Just a moment")
    return _("That did not work")
