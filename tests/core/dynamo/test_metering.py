"""Counting requests and units in a block."""

import pytest

from core.dynamo import metering
from tests.core.dynamo.library import articles


@pytest.mark.usefixtures("db")
def test_a_block_counts_on_when_one_that_has_counted_the_same_ends() -> None:
    with metering.metered() as outer:
        with metering.metered() as inner:
            articles.latest()
        articles.latest()

    assert (inner.requests, outer.requests) == (1, 2)
