"""Whatever stands in a document of an export, it becomes a record, or there is a word about why not."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cms.payload.document import Document, LeftOut, NotImported, key_in, moment_in, our_id
from cms.payload.kinds import KINDS
from cms.payload.kinds.team import clock_in
from cms.payload.relations import Relations
from tests.cms.payload.exports import lexical

NAMES = (
    *("title", "name", "content", "description", "excerpt", "publishedDate", "_status", "isPublished"),
    *("authors", "images", "date", "address", "people", "schedules", "gender", "age", "league", "sbvvTeam"),
    *("instagram", "email", "phone", "roles", "avatar", "vorstand", "filename", "alt", "focalX", "website"),
    *("logo", "expiryDate", "traveler", "comment", "schedule", "booker", "createdAt", "slug"),
)
INNER = (
    *("startDate", "endDate", "street", "postalCode", "city", "coaches", "contactPeople", "day", "time"),
    *("startTime", "endTime", "location", "start", "end", "id", "value", "relationTo", "root", "children"),
)
TIMES = ("9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00+14:00", "2027-05-01T10:00:00.000Z", "18:30")
PLAIN = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.sampled_from(TIMES)),
    st.sampled_from(["men", "montags", "published", "a@example.com", "https://example.com"]),
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(INNER), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.collection)
@given(values=st.dictionaries(st.sampled_from(NAMES), ANYTHING))
@example(values={"title": "Fest", "date": {"startDate": TIMES[0], "endDate": TIMES[0]}})
@example(values={"traveler": "Bo", "schedule": {"start": TIMES[0], "end": TIMES[0]}})
@example(values={"name": "Herren", "schedules": [{"day": "montags", "time": 5, "location": {}}]})
@example(values={"title": "Derby", "content": lexical("Five sets.")})
def test_anything_becomes_a_record_or_is_refused(kind, values):
    document = Document(kind.collection, "1", values)

    with suppress(NotImported, LeftOut):
        record = kind.build(document, Relations())
        assert record.serialize(null_check=False)["id"] == {"S": document.id}
    document.note_left_over()


def test_an_id_depends_on_collection_and_key_alone():
    assert our_id("news", "5") == "547b44c0-4940-5fae-b9c6-60c2a418707a"
    assert our_id("events", "5") != our_id("news", "5")


@pytest.mark.parametrize(
    ("relation", "key"),
    [
        *((5, "5"), ("5", "5"), ({"id": 5, "name": "Bo"}, "5"), ({"relationTo": "media", "value": 5}, "5")),
        *(({"relationTo": "media", "value": {"id": "x"}}, "x"), (None, ""), (True, ""), ([5], ""), ({}, "")),
        *((5.5, ""), ({"relationTo": "media"}, "")),
    ],
)
def test_a_relation_is_an_id_or_a_document(relation, key):
    assert key_in(relation) == key


def test_a_time_is_read_to_the_millisecond_and_only_in_reasonable_years():
    assert moment_in("2025-06-07T17:02:44.123987Z") == datetime(2025, 6, 7, 17, 2, 44, 123000, tzinfo=UTC)
    assert [moment_in(text) for text in (*TIMES[:2], "5", "", None, 5)] == [None] * 6


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        *(("2025-01-15T18:30:00.000Z", "19:30"), ("2025-07-15T18:30:00.000Z", "20:30"), ("18:30", "18:30")),
        *(("24:00", None), ("half past six", None), (None, None), (1830, None)),
    ],
)
def test_a_time_of_day_is_that_of_the_clubs_clock(stored, shown):
    assert clock_in(stored) == shown
