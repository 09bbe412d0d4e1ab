"""What the search over everything has found."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.test import Client

AsRole = Callable[[str], Client]


def titles(response: HttpResponse) -> dict[str, list[str]]:
    """What was found, by the heading of its group."""
    groups: Any = response.context["groups"]  # type: ignore[attr-defined]
    return {group.title: [str(hit.title) for hit in group.hits] for group in groups}
