"""What a test chooses for the season must not be known to the next one."""

from collections.abc import Iterator

import pytest

from scouting.services import settings


@pytest.fixture(autouse=True)
def _another_season() -> Iterator[None]:
    settings.forget()
    yield
    settings.forget()
