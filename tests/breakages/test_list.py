"""The list of breakages stays true: no entry is about a text or a test that is gone."""

import ast
from functools import cache

from tests.breakages import table
from tests.breakages.catalogue import ROOT, Breakage, breakages

LEAST = 60


def test_each_text_stands_in_the_product_once() -> None:
    counts = {each.name: len(each.places()) for each in breakages()}
    assert {name: count for name, count in counts.items() if count != 1} == {}


def test_each_broken_file_differs_and_can_be_read_by_python() -> None:
    for each in breakages():
        assert each.new != each.old, each.name
        if each.place().suffix == ".py":
            ast.parse(each.broken(), filename=each.name)


def test_each_test_that_notices_exists() -> None:
    assert [each.test for each in breakages() if not _exists(each)] == []


def test_there_are_enough_of_them_each_with_a_name_of_its_own() -> None:
    names = {each.name for each in breakages()}
    assert len(names) == len(breakages())
    assert len(names) >= LEAST


def test_the_page_in_docs_lists_each_of_them_with_its_test() -> None:
    told = [row.rpartition(" `")[0] for row in table.PAGE.read_text().splitlines() if "::" in row]
    assert told == [table.row_of(each) for each in breakages()]


def _exists(breakage: Breakage) -> bool:
    file, _colons, name = breakage.test.partition("::")
    return (ROOT / file).is_file() and name in _functions_of(file)


@cache
def _functions_of(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
