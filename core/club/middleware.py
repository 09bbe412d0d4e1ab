"""Middleware for the club's time zone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from core.club import queries as club


class ClubMiddleware:
    """Activates the club's time zone, which everything that computes or shows days follows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.activate(club.current().zone)
        return self.get_response(request)
