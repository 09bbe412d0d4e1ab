"""The filtered list as a file: CSV sent while it is read, and a workbook."""

import csv
import io
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client
from django.utils.timezone import localdate

from cms.news.models import News
from cms.news.repository import news
from core.accounts.models import Person
from core.accounts.repository import people
from core.crud import export
from core.dynamo import deadline, metering, working_copies
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.queries import MOST_LOOKED_THROUGH
from tests.cast import sign_in
from tests.core.crud.roles import LIST, MAKER, fill, make

AsRole = Callable[[str], Client]
CSV, XLSX = f"{LIST}export.csv", f"{LIST}export.xlsx"
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def text_of(response: Any) -> str:
    return b"".join(response.streaming_content).decode()


def lines_of(response: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text_of(response).removeprefix("\ufeff"))))


def names_in(response: Any) -> list[str]:
    return [line[1] for line in lines_of(response)[1:]]


# --- CSV ---------------------------------------------------------------------------------------------------


def test_csv_has_the_columns_of_the_list_with_key_and_times(as_role: AsRole) -> None:
    role = make("Treasurer", vorstand=True, created_at=datetime(2026, 7, 1, 10, 30, tzinfo=UTC))

    response = as_role("member").get(CSV)

    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="roles-{localdate()}.csv"'
    text = text_of(response)
    assert text.startswith("\ufeffKey,Name,Board,Changed,Created\r\n")
    changed = role.updated_at.astimezone(export.localtime().tzinfo).strftime("%Y-%m-%d %H:%M")
    assert text.splitlines()[1] == f"{role.id},Treasurer,Yes,{changed},2026-07-01 12:30"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "\uff1d", "\uff20"])
def test_no_cell_begins_a_formula(start: str) -> None:
    records = iter([["key", f"{start}1+1", None]])

    *_headings, line = export.csv_parts(["Key", "Name", "Empty"], records)

    assert next(csv.reader([line]))[1] == f"'{start}1+1"


def test_numbers_and_harmless_texts_stay_as_they_are() -> None:
    records = iter([["key", -5, 1.5, "a=b", "O'Hara", "a,b\n“c”"]])

    *_headings, line = export.csv_parts([], records)

    assert next(csv.reader(io.StringIO(line))) == ["key", "-5", "1.5", "a=b", "O'Hara", "a,b\n“c”"]


def test_it_follows_filter_search_and_order(as_role: AsRole) -> None:
    for name, vorstand in [("Trainer", False), ("Treasurer", True), ("Referee", True)]:
        make(name, vorstand=vorstand)
    client = as_role("member")

    assert names_in(client.get(CSV)) == ["Referee", "Trainer", "Treasurer"]
    assert names_in(client.get(CSV, {"sort": "-name"})) == ["Treasurer", "Trainer", "Referee"]
    assert names_in(client.get(CSV, {"vorstand": "yes"})) == ["Referee", "Treasurer"]
    assert sorted(names_in(client.get(CSV, {"q": "tr"}))) == ["Trainer", "Treasurer"]
    assert names_in(client.get(CSV, {"q": "tr", "vorstand": "yes"})) == ["Treasurer"]
    assert names_in(client.get(CSV, {"q": "nothing"})) == []


def test_a_record_that_a_search_finds_by_two_words_is_one_line(as_role: AsRole) -> None:
    for number in range(60):
        make(f"Trainer {number} of trainees")

    names = names_in(as_role("member").get(CSV, {"q": "train"}))

    assert len(names) == 60
    assert len(set(names)) == 60


def test_names_of_other_records_stand_for_their_keys(as_role: AsRole) -> None:
    people.create(Person(sub="ada", name="Ada Abel", email="ada@fieldhouse.example"), actor=MAKER)
    news.create(News(title="Derby", slug="derby", author_ids=["ada", "gone"]), actor=MAKER)

    (line,) = lines_of(as_role("official").get("/cms/news/export.csv"))[1:]

    assert line[1:3] == ["Derby", "Draft"]
    assert line[4] == "Ada Abel"


def test_changes_that_wait_are_told_beside_the_status(as_role: AsRole) -> None:
    article = news.create(News(title="Derby", slug="derby", status="published"), actor=MAKER)
    working_copies.save(
        entity="news",
        key=article.id,
        label="Derby",
        values={"typed": {}},
        seen_version=0,
        based_on=1,
        actor=MAKER,
    )

    (line,) = lines_of(as_role("official").get("/cms/news/export.csv"))[1:]

    assert line[2] == "Published, Changed"


def test_each_hundred_records_are_one_request_made_while_the_file_is_sent(as_role: AsRole) -> None:
    fill(0, 250)
    client = as_role("member")

    with metering.metered() as meter:
        response = client.get(CSV)
        before_sending = list(meter.operations)
        lines = lines_of(response)

    assert len(lines) == 251
    assert before_sending == ["GetItem", "Query"]
    assert meter.operations == ["GetItem", "Query", "Query", "Query"]


def test_each_page_has_time_of_its_own(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(0, 150)
    allowances: list[float] = []
    find = export.find

    def find_and_note(*args: Any, **kwargs: Any) -> Any:
        remaining = deadline.current()
        allowances.append(remaining.left if remaining else 0)
        return find(*args, **kwargs)

    monkeypatch.setattr(export, "find", find_and_note)
    text_of(as_role("member").get(CSV))

    assert allowances == [settings.DYNAMODB_REQUEST_SECONDS] * 2


def test_a_file_that_was_cut_says_so_in_its_last_line(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MOST_ROWS", 110)
    fill(0, 111)

    lines = lines_of(as_role("member").get(CSV))

    assert len(lines) == 1 + 110 + 1
    assert lines[-1] == ["This file has only the first 110 rows. Narrow the filters to get the rest."]


def test_exactly_the_most_rows_are_a_whole_file(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MOST_ROWS", 110)
    fill(0, 110)

    assert names_in(as_role("member").get(CSV))[-1] == "Role 00109"


@pytest.mark.parametrize("address", [CSV, XLSX])
def test_a_filter_that_finds_little_is_ended_at_last_and_says_so(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(export, "MOST_QUERIES", 2)
    fill(0, 401)
    make("Treasurer", vorstand=True)
    client = as_role("member")

    with metering.metered() as meter:
        response = client.get(address, {"vorstand": "yes"})
        text = text_of(response) if address == CSV else last_line_of(response)

    assert meter.operations.count("Query") == 2
    told = (
        "This file is not complete because there was too much to search. Narrow the filters to get the rest."
    )
    assert told in text


def last_line_of(response: Any) -> str:
    return list(cells_of(part(response, "xl/worksheets/sheet1.xml")))[-1][0][1]


def test_a_filter_that_ends_with_the_last_query_is_a_whole_file(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MOST_QUERIES", 3)
    fill(0, 401)
    make("Treasurer", vorstand=True)

    assert names_in(as_role("member").get(CSV, {"vorstand": "yes"})) == ["Treasurer"]


def test_fifty_thousand_records_are_the_most_that_a_filter_looks_through() -> None:
    assert export.MOST_QUERIES * MOST_LOOKED_THROUGH == 50_000


def test_ten_thousand_rows_are_the_most() -> None:
    assert export.MOST_ROWS == 10_000


def test_an_outage_in_the_middle_is_the_last_line(client: Client, proxy: FaultProxy) -> None:
    fill(0, 150)
    response = sign_in(client, "member").get(CSV)
    proxy.faults = Faults(reset=1)

    lines = lines_of(response)

    assert len(lines) == 1 + 100 + 1
    assert lines[-1][0] == "THIS FILE IS INCOMPLETE."


@pytest.mark.parametrize("address", [CSV, XLSX])
def test_an_outage_at_the_beginning_is_an_error_page(
    client: Client, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    sign_in(client, "member")
    find = export.find

    def find_in_an_outage(*args: Any, **kwargs: Any) -> Any:
        proxy.faults = Faults(reset=1)
        return find(*args, **kwargs)

    monkeypatch.setattr(export, "find", find_in_an_outage)

    assert client.get(address).status_code == 503


@pytest.mark.parametrize("address", ["/cms/news/export.csv", "/cms/news/export.xlsx"])
def test_who_may_not_see_the_list_gets_no_file(as_role: AsRole, address: str) -> None:
    assert as_role("member").get(address).status_code == 403


def test_the_links_of_the_list_follow_what_is_chosen(as_role: AsRole) -> None:
    make("Treasurer", vorstand=True)

    page = as_role("member").get(LIST, {"vorstand": "yes"}, headers={"HX-Request": "true"}).content.decode()

    assert f'href="{CSV}?vorstand=yes&amp;sort=name"' in page
    assert f'href="{XLSX}?vorstand=yes&amp;sort=name"' in page


# --- Excel -------------------------------------------------------------------------------------------------


def part(response: Any, name: str) -> ElementTree.Element:
    """One file of the workbook. ElementTree is fine here: we have written it ourselves."""
    with zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content))) as book:
        return ElementTree.fromstring(book.read(name))  # noqa: S314


def cells_of(sheet: ElementTree.Element) -> Iterator[list[tuple[str | None, str]]]:
    """The rows: each cell's type and text."""
    for row in sheet.iter(f"{SHEET}row"):
        yield [(cell.get("t"), "".join(cell.itertext())) for cell in row.iter(f"{SHEET}c")]


def test_the_workbook_holds_texts_as_texts_and_times_as_times(as_role: AsRole) -> None:
    role = make("=1+1", created_at=datetime(2026, 7, 1, 10, 30, tzinfo=UTC))

    response = as_role("member").get(XLSX)

    assert response["Content-Disposition"] == f'attachment; filename="roles-{localdate()}.xlsx"'
    sheet = part(response, "xl/worksheets/sheet1.xml")
    headings, row = cells_of(sheet)
    assert [text for _type, text in headings] == ["Key", "Name", "Board", "Changed", "Created"]
    assert row[:3] == [("inlineStr", role.id), ("inlineStr", "=1+1"), ("inlineStr", "No")]
    kind, days = row[4]
    assert kind is None
    # Days since 1899-12-30, on the clocks of the club.
    assert float(days) == pytest.approx(46204 + 12.5 / 24)
    assert list(sheet.iter(f"{SHEET}f")) == []
    pane = next(sheet.iter(f"{SHEET}pane"))
    assert (pane.get("ySplit"), pane.get("state")) == ("1", "frozen")


def test_the_workbook_that_was_cut_says_so(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "MOST_ROWS", 3)
    fill(0, 4)

    rows = list(cells_of(part(as_role("member").get(XLSX), "xl/worksheets/sheet1.xml")))

    assert len(rows) == 1 + 3 + 1
    assert rows[-1][0][1].startswith("This file has only the first 3 rows.")


def test_what_excel_cannot_hold_does_not_break_the_workbook() -> None:
    values = [["x" * 40_000, datetime(1066, 10, 14), "\x00\x0b", -5, None]]

    with export.workbook("odd", list("abcde"), values) as file:
        (_headings, row) = cells_of(
            ElementTree.fromstring(zipfile.ZipFile(file).read("xl/worksheets/sheet1.xml"))  # noqa: S314
        )

    assert len(row[0][1]) == 32_767
    assert row[1][1] == "1066-10-14 00:00:00"
    assert row[3] == (None, "-5")
