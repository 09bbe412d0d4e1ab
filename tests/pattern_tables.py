"""The tables of access patterns in the docs, which tests hold to what the code does."""

import inspect
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeVar

from django.conf import settings

L = TypeVar("L", bound=NamedTuple)


def table_in(page: str, line: type[L], *, below: str = "Access patterns") -> list[L]:
    """The lines of the first table below a heading on a page of the docs; `line` names its columns."""
    text = (Path(settings.BASE_DIR) / "docs" / page).read_text().partition(f"# {below}\n")[2]
    table = re.search(r"(?:^\|.+\|\n?)+", text, re.MULTILINE)
    assert table, f"docs/{page} has no table below {below!r}."
    rows = table[0].splitlines()[2:]
    return [line(*(cell.strip(" `") for cell in row.strip("|").split("|"))) for row in rows]


def verbs_in(modules: Iterable[ModuleType], *, but: Collection[str] = ()) -> set[str]:
    """Everything of these services that is carried out once, as the tables call it."""
    return {
        f"{'.'.join(module.__name__.split('.')[-2:])}.{name}"
        for module in modules
        for name, verb in inspect.getmembers(module, inspect.isfunction)
        if verb.__module__ == module.__name__ and "once" in inspect.signature(verb).parameters
        if not name.startswith("_") and name not in but
    }
