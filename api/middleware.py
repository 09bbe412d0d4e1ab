"""Middleware of the API, which does not load the API itself."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from api import problems
from core.common.http import is_api

# The ETag of what only another program has written: it may have changed without a new version.
NEVER_SAVED = '"0"'
# What an error that became a problem keeps of its headers.
KEPT = ("Allow", "Retry-After", "WWW-Authenticate")


class ProblemMiddleware:
    """Answers errors under /api/ as problem details, whoever made them: middleware, the URLconf, a crash."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_api(request) and request.headers.get("If-None-Match") == NEVER_SAVED:
            del request.META["HTTP_IF_NONE_MATCH"]
        response = self.get_response(request)
        if not is_api(request) or response.status_code < 400:
            return response
        if response.get("Content-Type") == problems.CONTENT_TYPE:
            return response
        headers = {name: response[name] for name in KEPT if name in response}
        return problems.problem(response.status_code, getattr(response, "message", ""), headers=headers)
