"""The tables of docs/access-patterns.md that say what writes and pages cost are as measured."""

from typing import NamedTuple

import pytest

from core.accounts.personal_tokens.models import PersonalToken
from core.club.models import StoredLogo
from core.dynamo import registry
from core.dynamo.guards import UniqueGuard
from core.dynamo.history import HistoryEntry
from core.dynamo.idempotency import IdempotencyRow
from core.dynamo.items import models_of
from core.dynamo.preferences import Preference
from core.dynamo.references import ReferenceRow
from core.dynamo.search_index import WordRow
from core.dynamo.streams.failures import FailedChange, FailedPart
from core.dynamo.streams.positions import Position
from core.dynamo.support_table import SupportItem
from core.dynamo.trash import TrashedItem
from core.dynamo.use_counts import UseCount
from core.dynamo.working_copies import WorkingCopy
from core.webhooks.models import Delivery, Webhook, WebhookCount
from tests.pattern_tables import table_in
from tests.scale import costs
from tests.scale.costs import TIMES
from tests.scale.measuring import Measured
from tests.scale.partition_meter import PartitionMeter, Written

SUPPORT, NEWS = "fieldhouse", "vcm-news"
# What is stored beside records in their table, and how the document calls it.
BESIDE = {
    Delivery: "delivery",
    HistoryEntry: "history",
    IdempotencyRow: "idempotency",
    PersonalToken: "token",
    Position: "stream position",
    Preference: "preference",
    ReferenceRow: "reference",
    StoredLogo: "logo",
    TrashedItem: "trash",
    UniqueGuard: "guard",
    UseCount: "use count",
    Webhook: "webhook",
    WebhookCount: "webhook",
    WordRow: "word",
    WorkingCopy: "working copy",
}


class Reason(NamedTuple):
    """A line of what is left of a write."""

    units: str
    what: str
    why: str


def test_what_each_write_costs_is_as_measured(measured: Measured) -> None:
    assert costs.write_lines() == costs.costs(measured.first)


def test_what_each_page_costs_is_as_measured(measured: Measured) -> None:
    assert costs.page_lines() == measured.pages


@pytest.mark.parametrize(
    ("verb", "most"),
    [
        ("send a stand form", 11),
        ("send a stand form by the API", 11),
        ("change one field of a member", 6),
        ("correct a stand form", 6),
    ],
)
def test_the_most_frequent_writes_stay_below_their_limits(verb: str, most: int, measured: Measured) -> None:
    assert measured.first[verb].told_writes <= most


@pytest.mark.parametrize(
    ("verb", "heading"),
    [
        ("send a stand form", "What is left of a stand form: 11 write units"),
        ("change one field of a member", "What is left of a changed field: 6 write units"),
    ],
)
def test_what_is_left_of_them_is_argued_line_by_line(verb: str, heading: str, measured: Measured) -> None:
    lines = table_in("decisions/counts-and-receipts.md", Reason, below=heading)

    assert sum(int(line.units) for line in lines) == measured.first[verb].told_writes
    assert all(line.why for line in lines)


def kinds(measured: Measured) -> set[str]:
    """What is written by anything that is measured."""
    meters = (*measured.first.values(), *measured.second.values())
    return {costs.kind_of(item) for meter in meters for item in meter.written}


def test_every_kind_of_record_is_written_by_something_that_is_measured(measured: Measured) -> None:
    ours = [each for each in registry.repositories() if not type(each).__module__.startswith("tests.")]

    assert {each.entity for each in ours} - kinds(measured) == set()


def test_so_is_every_kind_of_item_beside_records(measured: Measured) -> None:
    """A new one is named here, in `costs.KINDS`, and with its keys in the tables of partitions."""
    records = {type(each).model for each in registry.repositories()}
    beside = {
        model
        for model in models_of(SupportItem.Meta.table_name)
        if not model.__subclasses__() and model not in records
    }

    assert beside - {FailedChange, FailedPart} == set(BESIDE)
    assert set(BESIDE.values()) - kinds(measured) == set()


def test_the_items_of_a_write_take_all_of_its_units(measured: Measured) -> None:
    taken = {
        verb: sum(item.units + sum(units for _index, units in item.indexes) for item in meter.written)
        for verb, meter in measured.first.items()
    }

    assert taken == {verb: meter.told_writes for verb, meter in measured.first.items()}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ([(NEWS, ["1"], 6, [("GSI-Slug", 3), ("GSI-Date", 1)])], "news 6 + GSI-Slug 3 + GSI-Date 1"),
        ([(SUPPORT, ["HIST#news#1", "x"], 2, [("GSI1", 1)])], "history 2 + 1"),
        (
            [(SUPPORT, [f"WORD#cms#{word}", word], 2, []) for word in ("ab", "cd")],
            f"word 2 {TIMES} 2",
        ),
        (
            [(SUPPORT, [f"HIST#news#{key}", "x"], 2, [("GSI1", 1)]) for key in "12"],
            f"history 2 {TIMES} (2 + 1)",
        ),
        ([(SUPPORT, ["IDEM#x", "x"], 2, []), (NEWS, ["1"], 2, [])], "news 2, idempotency 2"),
    ],
)
def test_a_write_is_told_item_by_item_the_records_first(written: list, told: str) -> None:
    items = [
        Written(table, tuple(key), units, tuple(indexes), True) for table, key, units, indexes in written
    ]

    assert costs.composition(PartitionMeter(written=items)) == told
