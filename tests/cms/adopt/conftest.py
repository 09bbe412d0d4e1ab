"""The tables of the original, with 200 items of its own, in which this application is at work as well."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import connection, tables
from tests import engine_tables
from tests.cms.adopt.document import OtherProgram, everything
from tests.connecting import connected_to


@pytest.fixture(scope="session")
def _file_of_the_original(memory_folder: Path, _kept_streaming_engine: Dynoxide) -> Path:
    engine = _kept_streaming_engine
    engine_tables.restart_with(None, engine)
    other = OtherProgram(engine.endpoint)
    other.make_tables()
    for table, item in everything():
        other.put(table, item)
    with connected_to(engine.endpoint):
        # `tables create` tells in the end that the indexes of the original project more than ours.
        list(tables.ensure_tables(tables.specs()))
    return engine_tables.copy_to(memory_folder / "original.sqlite", engine)


@pytest.fixture(scope="session")
def _file_once_adopted(
    memory_folder: Path, _file_of_the_original: Path, _kept_streaming_engine: Dynoxide
) -> Path:
    engine = _kept_streaming_engine
    engine_tables.restart_with(_file_of_the_original, engine)
    with connected_to(engine.endpoint):
        call_command("tables", "adopt", "--app", "cms", stdout=StringIO())
    return engine_tables.copy_to(memory_folder / "adopted.sqlite", engine)


@pytest.fixture
def is_adopted() -> bool:
    """Whether the tables were adopted before the test begins; a test asks for it by a parameter."""
    return False


@pytest.fixture
def other(
    is_adopted: bool, request: pytest.FixtureRequest, _kept_streaming_engine: Dynoxide
) -> Iterator[OtherProgram]:
    """The other program; the application is connected to its tables."""
    file = request.getfixturevalue("_file_once_adopted" if is_adopted else "_file_of_the_original")
    engine_tables.restart_with(file, _kept_streaming_engine)
    with connected_to(_kept_streaming_engine.endpoint):
        connection.warm()
        yield OtherProgram(_kept_streaming_engine.endpoint)
