"""A minute of a small club's busiest day against a DynamoDB that is like AWS: `make load` in short."""

from pathlib import Path

import pytest

from tests.load import day, results
from tests.load.settings import SHORT


@pytest.mark.slow
def test_a_busy_minute_with_three_kills_loses_doubles_and_refuses_nothing(tmp_path: Path) -> None:
    outcome = day.run(SHORT, tmp_path)

    assert outcome.problems == []
    assert [verdict for verdict in results.lasting(outcome) if not verdict.holds] == []
    # Everybody was there, and so were the faults.
    assert {"form", "play", "save", "publish", "autosave", "claim", "attest", "sign-in"} <= set(
        outcome.journal.acknowledged
    )
    assert [outage.what for outage in outcome.outages] == ["a web worker", "the engine"]
    assert outcome.injected["stale_index"] > 0
