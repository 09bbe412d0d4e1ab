"""Tables of figures that are a page, a CSV and a workbook."""

import zipfile
from contextlib import closing
from datetime import UTC, datetime

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.timezone import localdate

from core.crud import sheets
from core.crud.sheets import ASCENDING, DESCENDING, Cell, Heading, Sheet

SHEET = Sheet(
    "figures",
    "Stats",
    [*sheets.text_columns("Who"), *sheets.side_columns("Team"), Heading("AVG", "Average")],
    [[sheets.text("Robin", "/robin/"), sheets.side_cell("Owls"), sheets.number(0.5)]],
    [[sheets.text("Total"), sheets.side_cell(""), sheets.number(3.0)]],
)


@pytest.mark.parametrize(
    ("sort", "first", "next_sort", "order"),
    [
        ("", DESCENDING, "-avg", ""),
        ("-avg", DESCENDING, "avg", DESCENDING),
        ("avg", DESCENDING, "-avg", ASCENDING),
        ("-runs", DESCENDING, "-avg", ""),
        ("", ASCENDING, "avg", ""),
        ("avg", ASCENDING, "-avg", ASCENDING),
        ("-avg", ASCENDING, "avg", DESCENDING),
    ],
)
def test_a_heading_begins_with_its_first_order_and_a_second_click_turns_it(sort, first, next_sort, order):
    heading = sheets.sortable(Heading("AVG"), "avg", sort, first=first)
    assert (heading.sort, heading.order) == (next_sort, order)


def test_a_page_says_what_an_abbreviation_means_and_shows_a_phone_what_is_beside_the_name():
    page = render_to_string("core/crud/sheet.html", {"sheet": SHEET})
    assert '<th scope="col" class="number"><abbr title="Average">AVG</abbr></th>' in page
    assert (
        '<th scope="row"><a href="/robin/">Robin</a><span class="figure-below">Owls</span></th>'
        '<td class="figure-beside">Owls</td><td class="number">0.5</td>'
    ) in page
    assert '<th scope="row">Total</th><td class="figure-beside"></td><td class="number">3</td>' in page


def test_a_rank_stands_before_the_heading_of_its_row():
    row = [sheets.number(1), sheets.text("Robin"), sheets.number(0.5)]
    page = render_to_string("core/crud/sheet.html", {"sheet": Sheet("a", "A", [], [row], is_ranked=True)})
    assert '<table class="figure-table ranked"' in page
    assert '<td class="number">1</td><th scope="row">Robin</th><td class="number">0.5</td>' in page


def test_a_heading_that_sorts_keeps_what_else_is_asked_for():
    heading = sheets.sortable(Heading("Runs"), "runs", "")
    page = render_to_string(
        "core/crud/sheet.html", {"sheet": Sheet("a", "A", [heading], []), "sort_asked": "season=all&least=3"}
    )
    assert 'id="sort-1" href="?season=all&amp;least=3&amp;sort=-runs">Runs</a>' in page


def test_a_csv_has_the_values_and_what_they_come_to(rf):
    answer = sheets.as_file(rf.get("/", {"as": "csv"}), SHEET, "Owls & Ünder 12")
    assert answer is not None
    day = localdate().isoformat()
    assert answer["Content-Disposition"] == f'attachment; filename="figures-owls-under-12-{day}.csv"'
    lines = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()
    assert lines == ["Who,Team,AVG", "Robin,Owls,0.5", "Total,,3.0"]


def test_a_name_without_latin_letters_leaves_only_the_day_in_the_name_of_the_file(rf):
    answer = sheets.file_of(SHEET, "チーム", "csv")
    assert answer["Content-Disposition"] == f'attachment; filename="figures-{localdate().isoformat()}.csv"'


def test_a_workbook_has_numbers_as_numbers(rf, tmp_path):
    answer = sheets.as_file(rf.get("/", {"as": "xlsx"}), SHEET, "owls")
    assert answer is not None
    book = tmp_path / "book.xlsx"
    with closing(answer):
        book.write_bytes(b"".join(answer.streaming_content))
    with zipfile.ZipFile(book) as parts:
        assert '<c r="C2"><v>0.5</v></c>' in parts.read("xl/worksheets/sheet1.xml").decode()


@pytest.mark.parametrize("asked", [{}, {"as": "pdf"}])
def test_what_is_no_file_is_a_page(rf, asked):
    assert sheets.as_file(rf.get("/", asked), SHEET, "owls") is None


def test_links_keep_what_was_asked_for_without_the_file():
    given = QueryDict("season=all&as=csv&list=log&team=20&team=71&sort=-avg")
    assert sheets.asked(given) == "season=all&team=20&team=71&sort=-avg"
    assert sheets.asked(given, "sort") == "season=all&team=20&team=71"


@pytest.mark.parametrize(("asked", "name"), [("log", "log"), ("", "teams"), ("unknown", "teams")])
def test_of_several_tables_the_first_is_meant_unless_another_is_named(rf, asked, name):
    tables = {each: Sheet(each, each, [], []) for each in ("teams", "log")}
    assert sheets.listed(rf.get("/", {"list": asked}), tables).name == name


def test_a_day_is_shown_as_people_write_it_and_filed_as_the_clocks_of_the_club_have_it(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    cell = sheets.day(datetime(2026, 6, 1, 22, 30, tzinfo=UTC), "/game/")
    assert cell == Cell("2 Jun 2026", datetime(2026, 6, 2, 0, 30), "/game/")
    assert sheets.day(None) == Cell("No date")
