"""The shell around every page's content, rendered once for all users with the same menu and cached.

`shell.html` is rendered with placeholders for personal values, so that the result can be shared. For each
page the placeholders are replaced by the user's name, the tokens, the current entry and the open groups.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.http import HttpRequest
from django.template import Context
from django.template.loader import render_to_string
from django.urls import get_script_prefix, get_urlconf
from django.utils.crypto import salted_hmac
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.accounts.languages import chosen_language
from core.accounts.user import User
from core.club import queries as club
from core.club.models import ClubSettings
from core.crud.frames import format_string, mark
from desk.menu import addresses_for, current_entry, menu_of, open_at_first

PIECES = ("head", "top", "menu", "bottom")
PERSONAL = ("name", "initials", "email", "palette_owner", "csrf_token")


@dataclass(frozen=True)
class Shell:
    """The pieces that `base.html` puts around a page."""

    language: str
    theme: str
    head: SafeString
    top: SafeString
    menu: SafeString
    bottom: SafeString


def shell_for(context: Context) -> Shell:
    """The shell for the user of a page; error pages have no request and so no user."""
    person: User | None = context.get("person")
    language = get_language() or settings.LANGUAGE_CODE
    theme: str = context.get("theme") or "system"
    addresses = addresses_for(person) if person else None
    chosen = chosen_language(context["request"]) if person else ""
    # No cache with DEBUG, so that changes of templates are visible at once.
    frame_for = _frame.__wrapped__ if settings.DEBUG else _frame
    urlconf = get_urlconf() or settings.ROOT_URLCONF
    is_member = person is not None and not person.is_guest
    frame: Frame = frame_for(
        club.current(), language, chosen, theme, addresses, is_member, urlconf, get_script_prefix()
    )
    pieces = frame.pieces
    values: dict[str, Any] = dict.fromkeys(PERSONAL, "")
    if person:
        request: HttpRequest = context["request"]
        group, address = current_entry(request.path)
        here = f'href="{address}"'
        pieces = pieces | {"menu": pieces["menu"].replace(here, f'{here} aria-current="page"')}
        values = {
            "name": escape(person.name),
            "initials": escape(person.initials),
            "email": escape(person.email),
            # Browsers store the palette's recent records by it, so that users do not share them.
            "palette_owner": salted_hmac("crud.palette", person.sub, algorithm="sha256").hexdigest()[:32],
            "csrf_token": escape(context["csrf_token"]),
            "open": _open_groups(frame, request.COOKIES.get(settings.MENU_COOKIE_NAME, ""), current=group),
        }
    filled = {name: mark_safe(piece.format_map(values)) for name, piece in pieces.items()}  # noqa: S308
    return Shell(language, theme, **filled)


def _open_groups(frame: "Frame", cookie: str, *, current: str) -> dict[str, str]:
    """The attribute `open` of each group: that of the current page, and those that the user left open.

    The cookie is written by `static/core/menu.js`: the groups that the user opened, and with a minus sign
    those that they closed.
    """
    chosen = cookie.split(".")
    return {
        name: " open" if name == current or name in chosen or (is_open and f"-{name}" not in chosen) else ""
        for name, is_open in frame.groups.items()
    }


@dataclass(frozen=True)
class Frame:
    """The pieces as format strings, and by the id of each group of the menu whether it is open at first."""

    pieces: dict[str, str]
    groups: dict[str, bool]


@lru_cache(maxsize=200)
def _frame(
    _club: ClubSettings,
    language: str,
    chosen: str,
    theme: str,
    addresses: tuple[str, ...] | None,
    is_member: bool,
    urlconf: str,
    script_prefix: str,
) -> Frame:
    """The shell by the URLs in the user's menu; they are None without a signed-in user."""
    marks = {name: mark(name) for name in PERSONAL}
    # An error page without a person must come, whatever the addresses are.
    menu = menu_of(addresses) if addresses else []
    context = {
        "person": marks if addresses is not None else None,
        "menu": [(group, mark(f"open[{group.id}]")) for group in menu],
        "menu_cookie": settings.MENU_COOKIE_NAME,
        # Guests make no access tokens.
        "is_member": is_member,
        "theme": theme,
        "languages": settings.LANGUAGES,
        "chosen_language": chosen,
        **marks,
    }
    opened = open_at_first(menu)
    return Frame(
        {name: format_string(render_to_string(f"shell.html#{name}", context)) for name in PIECES},
        {group.id: group.id in opened for group in menu if group.has_heading},
    )


def _forget(**_change: object) -> None:
    """Clear the cache when a test changes settings that URLs depend on."""
    _frame.cache_clear()


setting_changed.connect(_forget)
