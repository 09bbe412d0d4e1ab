"""Around every web request: its DynamoDB budget, and its errors as pages instead of tracebacks."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from dynamo.budget import request_budget
from dynamo.errors import DataError
from dynamo.pages import data_error_page


class DataLayerMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with request_budget():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return data_error_page(exception) if isinstance(exception, DataError) else None
