"""Error pages. They are rendered without the request: they must work when the session cannot be read."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from core.club import queries as club
from core.dynamo.errors import DataError, Text


class ErrorPage(HttpResponse):
    """An error page, and its message for whoever shows that otherwise, as the API does."""

    message: Text = ""


def error_page(
    status: int,
    heading: Text,
    message: Text,
    *,
    headers: Mapping[str, str] | None = None,
    for_readers: bool = False,
) -> ErrorPage:
    template = "core/errors/public.html" if for_readers else "core/errors/page.html"
    page = render_to_string(template, {"title": heading, "heading": heading, "message": message})
    response = ErrorPage(page, status=status, headers={"Cache-Control": "no-store", **(headers or {})})
    response.message = message
    return response


def data_error_page(error: DataError, *, for_readers: bool = False) -> HttpResponse:
    # Readers of the website ask for pages; the word "record" means nothing to them.
    message = (
        _("This page does not exist or was removed.")
        if for_readers and error.status_code == 404
        else error.message
    )
    return error_page(
        error.status_code, _heading(error), message, headers=error.headers, for_readers=for_readers
    )


def is_for_readers(request: HttpRequest) -> bool:
    """Whether the request is for the public website or for an unknown URL, if there is a website."""
    is_of_website = request.resolver_match is None or request.resolver_match.namespace == "public"
    return is_of_website and club.current().is_on("cms")


def _heading(error: DataError) -> str:
    match error.status_code:
        case 401:
            return _("Sign in")
        case 404:
            return _("Not found")
        case 409:
            return _("Changed in the meantime")
        case 429 | 503:
            return _("Just a moment")
    return _("That did not work")
