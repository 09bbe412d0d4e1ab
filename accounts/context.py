"""What every template may ask about the person."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _

from accounts.rights import may_open
from accounts.user import User
from dynamo.errors import Text

# The menu in its order; an entry is shown to those who may open its page.
MENU: list[tuple[str, Text]] = [
    ("home", _("Home")),
    ("accounts:people", _("People")),
]


@dataclass(frozen=True)
class MenuEntry:
    title: Text
    address: str
    is_here: bool


def person(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {"person": None, "menu": []}
    return {"person": user, "menu": list(_menu(request, user))}


def _menu(request: HttpRequest, user: User) -> Iterator[MenuEntry]:
    for name, title in MENU:
        address = reverse(name)
        if may_open(user, resolve(address).func):
            is_here = request.path == address or (address != "/" and request.path.startswith(address))
            yield MenuEntry(title, address, is_here)
