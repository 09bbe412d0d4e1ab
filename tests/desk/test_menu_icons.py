"""The icons: whoever names one gets a picture."""

import re
from collections.abc import Iterator

from django.conf import settings

from core.crud.html import icon
from desk.menu import MENU

NAMED = re.compile(r"""\{% icon ["']([^"']+)|\bicon=["']([a-z-]+)["']""")


def names_in_use() -> Iterator[str]:
    for app in settings.BASE_DIR.glob("*/__init__.py"):
        for code in app.parent.rglob("*.py"):
            yield from ("".join(found) for found in NAMED.findall(code.read_text()))
    for template in (settings.BASE_DIR / "templates").rglob("*.html"):
        yield from ("".join(found) for found in NAMED.findall(template.read_text()))


def menu_icons() -> Iterator[str]:
    yield from (entry.icon for group in MENU for entry in group.entries)


def test_every_icon_that_is_named_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="([^"]+)"', (settings.BASE_DIR / "static/icons.svg").read_text()))

    assert {"search", "plus"} <= {*names_in_use()}
    assert {*names_in_use(), *menu_icons()} - drawn == set()


def test_an_icon_is_hidden_from_those_who_listen_and_its_name_is_escaped() -> None:
    assert icon("plus", "small") == (
        '<svg class="icon small" aria-hidden="true"><use href="/static/icons.svg#plus"/></svg>'
    )
    assert '"' not in icon('"onload="').split("#")[1].split('"/>')[0]
