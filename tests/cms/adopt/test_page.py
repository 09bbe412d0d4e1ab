"""docs/adopt.md says which lists show an item of the original at once: its table is read here."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from core.dynamo import tables
from tests.cms.adopt.document import TABLES, OtherProgram, everything
from tests.cms.adopt.test_document import ENTITIES, OURS

PAGE = (Path(__file__).parents[3] / "docs/adopt.md").read_text()
ROWS = re.findall(r"^\| (vcm-\S+) \| (\S+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|$", PAGE, re.MULTILINE)


def test_every_index_is_in_the_table() -> None:
    declared = {
        (spec.name, index.name, ", ".join(key.name for key in index.keys))
        for spec in tables.specs()
        if spec.name in TABLES
        for index in spec.indexes
    }
    assert {(table, index, keys) for table, index, keys, _when in ROWS} == declared


@pytest.mark.parametrize(("table", "index", "keys", "when"), ROWS)
def test_an_item_is_in_an_index_at_once_if_the_document_has_its_keys(
    table: str, index: str, keys: str, when: str
) -> None:
    written = {name for name_of_table, item in everything() if name_of_table == table for name in item}
    expected = "at once" if written >= set(keys.split(", ")) else "after its adoption"
    assert when == expected


def test_the_commands_of_the_page_do_what_it_says(other: OtherProgram) -> None:
    """From the bottom up: the dry run changes nothing, and the last of them finds nothing left."""
    told = []
    commands = re.findall(r"^manage\.py (tables adopt.*?) +#", PAGE, re.MULTILINE)
    for command in reversed(commands):
        out = StringIO()
        call_command(*command.split(), stdout=out)
        told += [line for line in out.getvalue().splitlines() if line.startswith("news: ")]

    assert len(commands) == 3
    assert [line.rpartition(",")[0] for line in told] == [
        "news: 60 seen, 60 would be adopted, 0 already ours",
        "news: 60 seen, 60 adopted, 0 already ours",
        "news: 60 seen, 0 adopted, 60 already ours",
    ]


def test_what_is_ours_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.partition("Besides, our records have")[2].partition("\n\n")[0]))
    for entity in ENTITIES.values():
        assert OURS[entity] <= named, entity
