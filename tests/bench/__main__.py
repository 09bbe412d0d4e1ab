"""`make bench`: page costs with 500, 5,000 and 100,000 records, and our own cost over the bare Query."""

import os
import statistics
import sys
import time
from collections.abc import Callable

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from tqdm import tqdm  # noqa: E402

from config.engines.dynoxide import Dynoxide  # noqa: E402
from dynamo import connection, tables  # noqa: E402
from tests.bench import list_page  # noqa: E402
from tests.dynamo.filling import Cost, costs, fill, stop_streams  # noqa: E402
from tests.dynamo.library import Article, articles  # noqa: E402

SIZES = (500, 5_000, 100_000)
ROUNDS = 200


def main() -> int:
    # So that the test client hands out the context of a page.
    setup_test_environment()
    with Dynoxide() as engine:
        settings.DYNAMODB_ENDPOINT = engine.endpoint
        tables.create_all()
        stop_streams()
        found = {size: _costs_with(size, before) for size, before in zip(SIZES, (0, *SIZES), strict=False)}
        _write("What a page costs: requests, items read, capacity units")
        for size, measured in found.items():
            _write(
                f"  {size:>7,} records   " + "   ".join(f"{name} {cost}" for name, cost in measured.items())
            )
        _write(f"A page of 25 records over the bare Query: {_ratio():.2f} times its time")
        _write(
            f"The list of news over its bare requests and template: {list_page.ratio():.2f} times their time"
        )
    same = len({tuple(measured.items()) for measured in found.values()}) == 1
    _write("The costs are the same at every size." if same else "THE COSTS DIFFER.")
    return 0 if same else 1


def _costs_with(size: int, before: int) -> dict[str, Cost]:
    for first in tqdm(range(before, size, 500), desc=f"{size:,} records", disable=None):
        fill(first, min(first + 500, size))
    return costs()


def _ratio() -> float:
    """Medians of interleaved rounds, so that a busy machine slows both alike."""
    request = {
        "TableName": Article.Meta.table_name,
        "IndexName": "GSI-List",
        "KeyConditionExpression": "kind = :kind",
        "ExpressionAttributeValues": {":kind": {"S": "article"}},
        "ScanIndexForward": False,
        "Limit": 25,
    }
    ours, bare = [], []
    for _round in range(ROUNDS):
        bare.append(_seconds(lambda: connection.connection().client._make_api_call("Query", dict(request))))
        ours.append(_seconds(lambda: articles.latest(limit=25)))
    return statistics.median(ours) / statistics.median(bare)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
