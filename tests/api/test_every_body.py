"""Every operation of the API, also one that is added, against fields that only the server decides.

Each test walks openapi.json.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest
from django.http import HttpResponse
from django.test import Client

from core.dynamo import metering
from tests.api.operations import Operation, body_for, items, no_ids, operations, personal, sent
from tests.scouting import field
from tests.scouting.field import KEY

pytestmark = pytest.mark.usefixtures("db", "unlimited")
OPERATIONS = operations()
WRITING = {"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"}
SMUGGLED = "smuggled"
FORBIDDEN = [
    *("id", "key", "PK", "SK", "GSI1PK", "GSI1SK", "entity", "version", "refs", "TTL", "createdAt"),
    *("updatedAt", "publishedDate", "completedAt", "oldSlugs", "author", "sub", "userId", "scoutId"),
    *("usersName", "creatorId", "performerId", "uploadedBy", "bookerId", "ownerId", "teamId", "role"),
    *("groups", "isAdmin", "status", "xp", "experience", "reputation", "questCreationPoints"),
    *("attestations", "shareToken", "__proto__"),
]


def forbidden_for(operation: Operation) -> list[str]:
    declared = (operation.body or {}).get("properties", {})
    return [name for name in FORBIDDEN if name not in declared]


def test_a_body_that_names_its_fields_refuses_every_other_one() -> None:
    token = personal()
    closed = [each for each in OPERATIONS if each.body is not None and not each.takes_other_fields]
    taken = {}
    with metering.metered() as meter:
        for operation in closed:
            names = forbidden_for(operation)
            body = body_for(operation) | dict.fromkeys(names, SMUGGLED)
            answer = sent(operation, no_ids(operation), token, body, **{"If-Match": '"1"'})
            pointers = {error["pointer"] for error in answer.json().get("errors", ())}
            refused = {f"/body/{name}" for name in names}
            if answer.status_code != 400 or not refused <= pointers:
                taken[operation.name] = (answer.status_code, sorted(refused - pointers))
    assert taken == {}
    assert len(closed) >= 20
    assert not WRITING & set(meter.operations)


def test_a_body_with_other_fields_stores_none_that_only_the_server_decides() -> None:
    """Such as forms, whose answers are named by the game, and which may be sent back as they were read."""
    field.event()
    forms = {"stand-forms": field.stand("254", 7), "pit-forms": field.pit("1678")}
    token = personal()
    walked, statuses, wrong = 0, Counter[int](), []
    for operation in OPERATIONS:
        is_closed = operation.body is not None and not operation.takes_other_fields
        if is_closed or operation.method in ("GET", "DELETE"):
            continue
        form = forms.get(operation.path.split("/")[4])
        ids = {"key": quote(f"{form.pk}|{form.sk}", safe="")} if form is not None else no_ids(operation)
        for number, name in enumerate(forbidden_for(operation), start=100):
            body = body_for(operation) or {}
            place = {"event": KEY, "teamNumber": str(number)} if "event" in body else {}
            seen = sent_version(operation, ids, token)
            answer = sent(operation, ids, token, body | place | {name: SMUGGLED}, **{"If-Match": seen})
            walked += 1
            statuses[answer.status_code] += 1
            if answer.status_code >= 500 or SMUGGLED in str(decided(answer)):
                wrong.append((operation.name, name, answer.status_code))
    assert wrong == []
    assert walked >= 4 * 30
    # Some are ignored, so that the form is stored; of the others the whole body is refused.
    assert statuses[201] >= 10
    assert statuses[200] >= 10
    assert statuses[400] >= 30
    assert SMUGGLED not in "".join(items().values())


# No address, a text from right to left, a template, a formula, times at the ends of the calendar.
TRAPS = [
    *("https://[", "]", "\u202ex", "{{ 7 }}", "%s%n", "=1+1", "'\"><b>", "..", "\u0130", "x" * 700),
    *("9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31", "0001-01-01", "24:00", "-0", "1e9"),
]


@pytest.mark.slow
def test_no_text_breaks_an_operation() -> None:
    """Each trap in each field that takes a text or a list of texts; a crash would be raised here."""
    field.event()
    token, statuses = personal(), Counter[int]()
    for operation in OPERATIONS:
        for name, schema in (operation.body or {}).get("properties", {}).items():
            kinds = {each.get("type") for each in schema.get("anyOf", [schema])}
            for trap in TRAPS if kinds & {"string", "array"} else ():
                body = body_for(operation) | {name: trap if "string" in kinds else [trap]}
                answer = sent(operation, no_ids(operation), token, body, **{"If-Match": '"1"'})
                statuses[answer.status_code] += 1
    # There is no bucket to upload to.
    assert statuses.keys() <= {200, 201, 204, 400, 403, 404, 409, 412, 422, 503}
    assert statuses[400] >= 1000
    assert statuses[201] >= 50


def sent_version(operation: Operation, ids: Mapping[str, str], token: str) -> str:
    """The ETag of the record, if there is one."""
    if "{key}" not in operation.path:
        return '"1"'
    answer = Client().get(operation.address(ids), headers={"Authorization": f"Bearer {token}"})
    return answer.headers.get("ETag", '"1"')


def decided(answer: HttpResponse) -> Any:
    """What an answer tells of a record; a refusal may name what it refuses."""
    return answer.json() if answer.status_code < 300 and answer.content else None
