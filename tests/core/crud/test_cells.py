"""The cells of a list: every kind of column, what is hostile in it, and times in each language and zone."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.utils import timezone, translation

from core.crud.cells import CellRenderer, table_rows
from core.crud.listing import Badge, Column
from core.crud.rows import Row

HOSTILE = "\"><script>alert('1')</script>&"
ESCAPED = "&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;"
MOMENT = datetime(2026, 11, 18, 1, 28, 6, 369000, tzinfo=UTC)


def cell(column: Column, value: Any, *, is_changed: bool = False) -> str:
    """One cell behind the link of its row."""
    row = Row("key", 1, "Label", "Title", "/key/", ["Title", value], is_changed)
    return CellRenderer([Column("title", "Title"), column]).cells(row)


@pytest.mark.parametrize(
    ("column", "value", "html"),
    [
        (Column("a", "A"), HOSTILE, f"<td>{ESCAPED}"),
        (Column("a", "A", to="person"), HOSTILE, f"<td>{ESCAPED}"),
        (
            Column("a", "A", kind="badge"),
            Badge(HOSTILE, HOSTILE),
            f'<td><span class="badge status {ESCAPED}">{ESCAPED}</span>',
        ),
        (
            Column("a", "A", kind="picture"),
            HOSTILE,
            f'<td class="thumbnail"><img src="{ESCAPED}" alt="" width="320" height="240" loading="lazy">',
        ),
        (Column("a", "A", kind="flag"), HOSTILE, "<td>Yes"),
        (Column("a", "A", kind="email"), HOSTILE, f'<td class="wrap-anywhere">{ESCAPED}'),
        (
            Column("a", HOSTILE, kind="day"),
            date(2026, 11, 18),
            f'<td data-label="{ESCAPED}">18 Nov 2026',
        ),
        (
            Column("a", HOSTILE, kind="time"),
            MOMENT,
            f'<td data-label="{ESCAPED}">18 Nov 2026, 02:28',
        ),
    ],
)
def test_what_somebody_typed_is_only_ever_text(column: Column, value: Any, html: str) -> None:
    assert cell(column, value) == html


def test_neither_is_a_name_a_key_or_an_address() -> None:
    row = Row(HOSTILE, 1, HOSTILE, HOSTILE, HOSTILE, [HOSTILE], False)

    html = table_rows([Column("title", "Title")], [row], can_select=True, focus_first=False)

    assert html == (
        '<tr><td class="pick"><label><input type="checkbox" name="selected"'
        f' value="{ESCAPED}@1" aria-label="Select {ESCAPED}"></label><td class="card-title">'
        f'<a href="{ESCAPED}">{ESCAPED}</a></tr>\n'
    )


def test_the_first_of_the_rows_that_were_loaded_takes_the_focus() -> None:
    rows = [Row(key, 1, key, key, f"/{key}/", [key], False) for key in ("one", "two")]

    html = table_rows([Column("title", "Title")], rows, can_select=False, focus_first=True)

    assert 'href="/one/" autofocus>' in html
    assert html.count("autofocus") == 1
    assert "checkbox" not in html


@pytest.mark.parametrize("kind", ["text", "time", "day", "badge"])
@pytest.mark.parametrize("value", [None, ""])
def test_a_cell_without_a_value_is_empty_so_that_cards_leave_it_out(kind: Any, value: Any) -> None:
    assert cell(Column("a", "A", kind=kind), value) == "<td>"


def test_nought_is_a_value() -> None:
    assert cell(Column("a", "A"), 0) == "<td>0"


def test_a_flag_that_is_not_set_and_a_missing_picture_are_shown() -> None:
    assert cell(Column("a", "A", kind="flag"), None) == "<td>No"
    assert "icons.svg#file" in cell(Column("a", "A", kind="picture"), "")


def test_changes_that_wait_are_told_beside_the_status_only() -> None:
    status, other = Column("status", "Status", kind="badge"), Column("a", "A")

    assert cell(status, Badge("published", "Published"), is_changed=True) == (
        '<td><span class="badge status published">Published</span>'
        ' <span class="badge status changed">Changed</span>'
    )
    assert cell(other, "Anything", is_changed=True) == "<td>Anything"


def test_a_time_that_was_shown_before_follows_the_language_and_the_zone_of_whoever_looks() -> None:
    column = Column("a", "A", kind="time")
    seen = set()
    for language, zone in [("en", "UTC"), ("de", "UTC"), ("en", "America/New_York"), ("en", "UTC")]:
        with translation.override(language), timezone.override(zone):
            seen.add(cell(column, MOMENT))

    assert len(seen) == 3
