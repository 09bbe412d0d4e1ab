"""The shell around every page's content, rendered once for all users with the same menu and cached.

`shell.html` is rendered with placeholders for personal values, so that the result can be shared. For each
page the placeholders are replaced by the user's name, the tokens and the current entry.
"""

from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.core.signals import setting_changed
from django.template import Context
from django.template.loader import render_to_string
from django.urls import get_script_prefix, get_urlconf
from django.utils.crypto import salted_hmac
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.accounts.user import User
from core.club import queries as club
from core.club.models import ClubSettings
from core.crud.frames import format_string, mark
from desk.menu import current_address, menu_of, openable_addresses

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
    openable = openable_addresses(person) if person else None
    # No cache with DEBUG, so that changes of templates are visible at once.
    pieces_for = _pieces.__wrapped__ if settings.DEBUG else _pieces
    urlconf = get_urlconf() or settings.ROOT_URLCONF
    is_member = person is not None and not person.is_guest
    pieces: dict[str, str] = pieces_for(
        club.current(), language, theme, openable, is_member, urlconf, get_script_prefix()
    )
    values = dict.fromkeys(PERSONAL, "")
    if person:
        here = f'href="{current_address(context["request"].path)}"'
        pieces = pieces | {"menu": pieces["menu"].replace(here, f'{here} aria-current="page"')}
        values = {
            "name": escape(person.name),
            "initials": escape(person.initials),
            "email": escape(person.email),
            # Browsers store the palette's recent records by it, so that users do not share them.
            "palette_owner": salted_hmac("crud.palette", person.sub, algorithm="sha256").hexdigest()[:32],
            "csrf_token": escape(context["csrf_token"]),
        }
    filled = {name: mark_safe(piece.format_map(values)) for name, piece in pieces.items()}  # noqa: S308
    return Shell(language, theme, **filled)


@lru_cache(maxsize=200)
def _pieces(
    _club: ClubSettings,
    language: str,
    theme: str,
    openable: tuple[str, ...] | None,
    is_member: bool,
    urlconf: str,
    script_prefix: str,
) -> dict[str, str]:
    """The pieces as format strings, by the URLs that the user may open; None without a signed-in user."""
    marks = {name: mark(name) for name in PERSONAL}
    context = {
        "person": marks if openable is not None else None,
        "menu": menu_of(openable) if openable else [],
        # Guests make no access tokens.
        "is_member": is_member,
        "theme": theme,
        **marks,
    }
    return {name: format_string(render_to_string(f"shell.html#{name}", context)) for name in PIECES}


def _forget(**_change: object) -> None:
    """Clear the cache when a test changes settings that URLs depend on."""
    _pieces.cache_clear()


setting_changed.connect(_forget)
