"""The tables of the original, with 200 items of its own, in which this application is at work as well."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import connection
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
        call_command("tables", "create", "--dry-run", stdout=StringIO())
        # `create` ends with an error, for the indexes of the original project more than ours.
        from core.dynamo import tables

        list(tables.ensure_tables(tables.specs()))
    return engine_tables.copy_to(memory_folder / "original.sqlite", engine)


@pytest.fixture
def other(_file_of_the_original: Path, _kept_streaming_engine: Dynoxide) -> Iterator[OtherProgram]:
    """The other program; the application is connected to its tables, and has not adopted anything yet."""
    engine_tables.restart_with(_file_of_the_original, _kept_streaming_engine)
    with connected_to(_kept_streaming_engine.endpoint):
        connection.warm()
        yield OtherProgram(_kept_streaming_engine.endpoint)
