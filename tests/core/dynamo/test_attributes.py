"""Attribute types of our own."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dynamo import maintenance
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now, unwrap, wrap
from core.dynamo.errors import Invalid, TooLarge
from core.dynamo.items import same, size_of
from core.dynamo.support_table import pack, unpack
from tests.core.dynamo.library import Article, articles

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False, width=32)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(min_size=1), inner),
    max_leaves=20,
)


class TestTimestamp:
    @pytest.mark.parametrize(
        ("text", "moment"),
        [
            ("2026-01-02T03:04:05.678Z", MOMENT),
            ("2026-01-02T03:04:05.678000+00:00", MOMENT),
            ("2026-01-02T03:04:05.678+0000", MOMENT),
            ("2026-01-02T04:04:05.678+01:00", MOMENT),
            ("2026-01-02T03:04:05Z", MOMENT.replace(microsecond=0)),
            ("2026-01-02T03:04:05", MOMENT.replace(microsecond=0)),
        ],
    )
    def test_it_reads_every_usual_form(self, text: str, moment: datetime) -> None:
        assert TimestampAttribute().deserialize(text) == moment

    @pytest.mark.parametrize(
        "moment",
        [
            MOMENT,
            MOMENT.replace(microsecond=678999),
            MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30))),
        ],
    )
    def test_it_writes_one_fixed_width(self, moment: datetime) -> None:
        assert TimestampAttribute().serialize(moment) == "2026-01-02T03:04:05.678Z"

    def test_text_sorts_like_time(self) -> None:
        moments = [MOMENT, MOMENT.replace(microsecond=0), MOMENT.replace(year=2025)]
        texts = [TimestampAttribute().serialize(moment) for moment in moments]

        assert sorted(texts) == [TimestampAttribute().serialize(moment) for moment in sorted(moments)]

    def test_a_moment_without_a_time_zone_is_refused(self) -> None:
        with pytest.raises(ValueError, match="time zone"):
            TimestampAttribute().serialize(datetime(2026, 1, 2))

    def test_now_survives_the_round_trip(self) -> None:
        moment = now()

        assert TimestampAttribute().deserialize(TimestampAttribute().serialize(moment)) == moment


class TestJSON:
    @given(st.dictionaries(st.text(min_size=1), json_values))
    def test_every_json_value_survives_the_round_trip(self, value: dict[str, object]) -> None:
        attribute = JSONMapAttribute()

        assert attribute.deserialize(attribute.serialize(value)) == value

    @given(st.lists(json_values))
    def test_lists_too(self, value: list[object]) -> None:
        attribute = JSONListAttribute()

        assert attribute.deserialize(attribute.serialize(value)) == value

    @given(st.dictionaries(st.text(min_size=1), json_values))
    def test_what_is_packed_unpacks_to_the_same(self, value: dict[str, object]) -> None:
        raw = {name: wrap(part) for name, part in value.items()}

        assert unpack(pack(raw)) == raw

    @pytest.mark.parametrize("value", [object(), b"bytes", {1, 2}])
    def test_what_is_not_json_is_refused(self, value: object) -> None:
        with pytest.raises(TypeError):
            JSONMapAttribute().serialize({"x": value})

    @pytest.mark.parametrize(
        "value",
        [float("nan"), float("inf"), 1e200, 1e-200, 5e-324, 10**38 + 1, Decimal("NaN"), Decimal("1E+126")],
    )
    def test_a_number_that_dynamodb_cannot_keep_is_refused(self, value: object) -> None:
        with pytest.raises(Invalid, match="number"):
            JSONMapAttribute().serialize({"x": value})

    @pytest.mark.parametrize("value", [10**38, 10**125, -(10**38 - 1), 1e-130, 0.1, 0, -0.0])
    @pytest.mark.usefixtures("db")
    def test_a_number_at_the_edge_is_kept_by_the_engine(self, value: float) -> None:
        raw = {"articleId": {"S": "1"}, "body": {"M": JSONMapAttribute().serialize({"x": value})}}

        maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=raw)

        assert articles.get("1").body == {"x": value}

    def test_a_map_that_looks_like_a_stored_value_stays_a_map(self) -> None:
        assert JSONMapAttribute().deserialize(JSONMapAttribute().serialize({"S": "x"})) == {"S": "x"}

    def test_thirty_two_levels_are_the_most(self) -> None:
        deepest: dict[str, object] = {}
        for _level in range(31):
            deepest = {"inner": deepest}

        JSONMapAttribute().serialize(deepest)
        with pytest.raises(TooLarge):
            JSONMapAttribute().serialize({"inner": deepest})
        JSONListAttribute().serialize([deepest["inner"]])
        with pytest.raises(TooLarge):
            JSONListAttribute().serialize([deepest])

    def test_sets_and_bytes_of_other_programs_can_be_shown(self) -> None:
        assert unwrap({"SS": ["b", "a"]}) == ["a", "b"]
        assert unwrap({"NS": ["10", "9"]}) == [9, 10]
        assert unwrap({"B": b"\x00"}) == b"\x00"
        with pytest.raises(ValueError, match="Unknown"):
            unwrap({"X": 1})

    def test_binary_values_survive_packing(self) -> None:
        raw = {"m": {"M": {"b": {"B": b"\x00\xff"}, "l": {"L": [{"BS": [b"a", b"b"]}]}}}}

        assert unpack(pack(raw)) == raw


def test_a_packed_document_takes_a_tenth_of_its_size() -> None:
    text = "Der Verein lädt zum Sommerfest ein. " * 1000

    assert len(pack({"text": {"S": text}})) < len(text) / 10


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": "ä€"}, 5),
        ({"N": "1234567890"}, 7),
        ({"B": b"abc"}, 3),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"SS": ["a", "ä"]}, 3),
        ({"NS": ["12", "1234"]}, 7),
        ({"BS": [b"a", b"bc"]}, 3),
        ({"L": [{"S": "a"}, {"BOOL": True}]}, 7),
        ({"M": {"ab": {"S": "c"}}}, 7),
    ],
)
def test_sizes_are_counted_as_dynamodb_counts_them(value: dict[str, Any], size: int) -> None:
    assert size_of({"": value}) == size


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"N": "1"}, {"N": "1.0"}, True),
        ({"N": "1"}, {"S": "1"}, False),
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}, True),
        ({"NS": ["1", "2.0"]}, {"NS": ["2", "1"]}, True),
        ({"L": [{"N": "1"}]}, {"L": [{"N": "1.0"}]}, True),
        ({"L": [{"N": "1"}]}, {"L": [{"N": "1"}, {"N": "1"}]}, False),
        ({"M": {"a": {"N": "1"}}}, {"M": {"a": {"N": "1.0"}}}, True),
        ({"M": {"a": {"N": "1"}}}, {"M": {"b": {"N": "1"}}}, False),
        (None, None, True),
        (None, {"NULL": True}, False),
    ],
)
def test_stored_values_are_compared_by_meaning(one: dict, other: dict, equal: bool) -> None:  # type: ignore[type-arg]
    assert same(one, other) is equal


@pytest.mark.usefixtures("db")
def test_the_largest_item_we_let_through_is_accepted_by_the_engine_and_a_larger_one_by_neither() -> None:
    raw = {"articleId": {"S": "1"}, "text": {"S": ""}}
    raw["text"]["S"] = "ä" * ((400 * 1024 - size_of(raw)) // 2)
    maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=raw)

    raw["text"]["S"] += "ää"
    assert size_of(raw) > 400 * 1024
    with pytest.raises(maintenance.RequestRefused, match="size"):
        maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=raw)


@pytest.mark.parametrize(("text", "number"), [("5", 5), ("-3", -3), ("2.0", 2.0), ("1E+2", 100.0)])
def test_a_whole_number_is_an_int_and_any_other_a_float(text: str, number: float) -> None:
    raw = {"priority": {"N": text}}
    read = Article.from_raw_data(raw).priority

    assert (read, type(read)) == (number, type(number))
    assert type(Article.priority.deserialize(text)) is type(number)


def test_records_share_no_values() -> None:
    one, other = Article.from_raw_data({}), Article.from_raw_data({})
    one.kind = "changed"

    assert other.kind == "article"
