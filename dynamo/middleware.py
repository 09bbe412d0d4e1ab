"""Around every web request: its DynamoDB budget, and its errors as pages instead of tracebacks."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from dynamo.budget import request_budget
from dynamo.errors import DataError, Unavailable


class DataLayerMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with request_budget():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, DataError):
            return error_response(exception)
        return None


def error_response(error: DataError) -> HttpResponse:
    """The error's own words. The page is rendered without the request: it must not read the session."""
    page = render_to_string("errors/data_error.html", {"message": error, "status": error.status_code})
    response = HttpResponse(page, status=error.status_code)
    response["Cache-Control"] = "no-store"
    if isinstance(error, Unavailable):
        response["Retry-After"] = str(error.retry_after)
    return response
