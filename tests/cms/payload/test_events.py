"""`manage.py import_payload`: what becomes of the fields of events."""

from datetime import UTC, datetime

from cms.events.repository import events
from core.content.richtext import plain_text
from tests.cms.payload.exports import brought, doc, lexical, run, write
from tests.cms.payload.imported import ANNA, CREATED, fields, notes


def test_an_event_comes_with_all_that_it_had(folder, anna):
    write(
        folder,
        users=[ANNA],
        events=[
            doc(
                "e-1",
                title="Sommerfest",
                description=lexical("Mit Grill."),
                date={"startDate": "2026-07-04T13:00:00.000Z", "endDate": "2026-07-04T20:15:00.000Z"},
                address={"name": "Halle", "street": "Am Platz 1", "postalCode": 1067, "city": "Dresden"},
                authors=[ANNA],
                images=None,
            )
        ],
    )

    lines = run(folder)

    record = brought(events, "events", "e-1")
    assert fields(record, "title", "slug", "status") == ["Sommerfest", "sommerfest", "published"]
    assert plain_text(record.description) == "Mit Grill."
    assert fields(record, "start_date", "end_date") == [
        *(datetime(2026, 7, 4, 13, tzinfo=UTC), datetime(2026, 7, 4, 20, 15, tzinfo=UTC))
    ]
    assert record.address == {"name": "Halle", "street": "Am Platz 1", "postalCode": 1067, "city": "Dresden"}
    assert fields(record, "author_ids", "image_ids", "created_at") == [[anna], [], CREATED]
    assert notes(lines) == []


def test_what_does_not_fit_into_an_event_is_left_out_and_noted(folder):
    write(
        folder,
        events=[
            doc(
                1,
                title="Verdreht",
                date={"startDate": "2026-07-04T13:00:00.000Z", "endDate": "2026-07-03T13:00:00.000Z"},
                address={"name": "Halle", "postalCode": 7},
            ),
            doc(2, title="Irgendwann", date={"startDate": "morgen"}),
        ],
    )

    lines = run(folder)

    first, second = (brought(events, "events", key) for key in (1, 2))
    assert fields(first, "status", "end_date", "address") == ["published", None, {"name": "Halle"}]
    assert fields(second, "status", "start_date") == ["draft", None]
    assert notes(lines) == [
        "events 1 “Verdreht”: its end was left out, for it does not fit its beginning: "
        "“2026-07-03T13:00:00.000Z”",
        "events 1 “Verdreht”: “postalCode” was left out: “7” (Enter a postal code, such as "
        "79379 or SW1A 1AA.)",
        "events 2 “Irgendwann”: “date.startDate” is not a time and was left out: “morgen”",
        "events 2 “Irgendwann”: it lacks a date, so it is a draft",
    ]
