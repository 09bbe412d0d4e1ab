"""The cells of a list as HTML, built in Python: as templates they took most of the time of a page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.utils.formats import localize
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from core.crud.html import escape, icon
from core.crud.listing import Badge, Column, Link
from core.crud.publication import CHANGED
from core.crud.rows import Row
from core.crud.times import time_text

# Without the optional end tag: rows are most of the bytes of a page.
CELL = "<td>"
TIME_FORMATS = {"time": "SHORT_DATETIME_FORMAT", "day": "SHORT_DATE_FORMAT"}

# Called with a value, and whether the record has changes that are not published.
Renderer = Callable[[Any, bool], str]


class CellRenderer:
    """Renders the rows of one page; language, time zone and texts are looked up once for all rows."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.renderers = [_renderer(column) for column in columns[1:]]

    def cells(self, row: Row) -> SafeString:
        """All cells of a row but the first, which contains the link."""
        pairs = zip(self.renderers, row.values[1:], strict=True)
        return mark_safe("".join(render(value, row.is_changed) for render, value in pairs))  # noqa: S308


def table_rows(
    columns: Sequence[Column], rows: Iterable[Row], *, can_select: bool, focus_first: bool
) -> SafeString:
    """The rows of a list: a checkbox if there are bulk actions, the link, and the other cells."""
    renderer, select = CellRenderer(columns), _("Select %(name)s")
    focus, rendered = " autofocus" if focus_first else "", ""
    for row in rows:
        link = f'<a href="{escape(row.address)}"{focus}>{escape(row.title)}</a>'
        rendered += "<tr>"
        if can_select:
            label, value = escape(select % {"name": row.label}), f"{escape(row.key)}@{row.version}"
            checkbox = f'<input type="checkbox" name="selected" value="{value}" aria-label="{label}">'
            rendered += f'<td class="pick"><label>{checkbox}</label>'
        rendered += f'<td class="card-title">{link}{renderer.cells(row)}</tr>\n'
        focus = ""
    return mark_safe(rendered)  # noqa: S308


def _renderer(column: Column) -> Renderer:
    match column.kind:
        case "time" | "day":
            return _times(column)
        case "badge":
            return _badges()
        case "flag":
            yes, no = CELL + escape(_("Yes")), CELL + escape(_("No"))
            return lambda value, _is_changed: yes if value else no
        case "picture":
            return _picture
        case "email":
            return _email
    return _text


def _times(column: Column) -> Renderer:
    language, zone, shown_as = get_language(), get_current_timezone(), TIME_FORMATS[column.kind]
    # On narrow screens a row is a card, where each time needs a label.
    begin = f'<td data-label="{escape(column.title)}">'

    def render(value: Any, _is_changed: bool) -> str:
        return begin + time_text(value, shown_as, language, zone) if value else CELL

    return render


def _badges() -> Renderer:
    changed = f" {badge_element(CHANGED)}"

    def render(value: Badge | None, is_changed: bool) -> str:
        return CELL + (badge_element(value) if value else "") + (changed if is_changed else "")

    return render


def badge_element(badge: Badge) -> SafeString:
    html = f'<span class="badge status {escape(badge.kind)}">{escape(badge.text)}</span>'
    return mark_safe(html)  # noqa: S308


def link_items(links: Iterable[Link]) -> SafeString:
    """The entries of a menu."""
    html = "".join(
        f'<li><a id="{escape(link.name)}" href="{escape(link.address)}">'
        f"{icon(link.icon)}{escape(link.title)}</a></li>"
        for link in links
    )
    return mark_safe(html)  # noqa: S308


def _picture(address: str | None, _is_changed: bool) -> str:
    picture = f'<img src="{escape(address)}" alt="" width="320" height="240" loading="lazy">'
    return f'<td class="thumbnail">{picture if address else icon("file")}'


def _text(value: Any, _is_changed: bool) -> str:
    return CELL if value is None or value == "" else CELL + escape(localize(value))


def _email(value: Any, _is_changed: bool) -> str:
    """Words stay whole, but a long e-mail address may break."""
    return f'<td class="wrap-anywhere">{escape(value)}' if value else CELL
