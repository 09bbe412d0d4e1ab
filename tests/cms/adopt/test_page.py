"""docs/adopt.md says which lists show an item of the original at once: its table is read here."""

import re
from pathlib import Path

import pytest

from core.dynamo import tables
from tests.cms.adopt.document import TABLES, everything
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


def test_what_is_ours_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.partition("Besides, our records have")[2].partition("\n\n")[0]))
    for entity in ENTITIES.values():
        assert OURS[entity] <= named, entity
