"""Sessions: what they cost, what several requests do to one, and what a dump of the table tells."""

import json
from typing import Any

import pytest
from django.test import Client

from core.dynamo import maintenance, metering
from core.dynamo.errors import TooLarge
from core.stores.models import StoreItem
from core.stores.sessions import SessionStore, end_all_of
from tests.cast import CAST, session_of
from tests.core.stores.stored_sessions import COOKIE, is_alive, rows, stored
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")


# --- What it costs


def test_a_new_session_is_one_request() -> None:
    with metering.metered() as meter:
        stored(colour="green")

    assert meter.operations == ["PutItem"]


def test_loading_is_one_request_and_saving_is_one() -> None:
    key = stored(colour="green")

    with metering.metered() as loading:
        session = SessionStore(key)
        colour, shape = session.get("colour"), session.get("shape")
    with metering.metered() as saving:
        session["colour"] = "red"
        session.save()

    assert (colour, shape) == ("green", None)
    assert loading.operations == ["GetItem"]
    assert saving.operations == ["UpdateItem"]
    assert SessionStore(key)["colour"] == "red"


def test_no_request_is_made_for_a_session_that_is_not_used(client: Client) -> None:
    client.cookies[COOKIE] = stored(colour="green")

    with metering.metered() as meter:
        client.get("/healthz")

    assert meter.operations == []


def test_a_changed_key_is_one_request_and_the_old_key_is_dead() -> None:
    old_key = stored(colour="green")
    session = SessionStore(old_key)
    assert session["colour"] == "green"

    with metering.metered() as meter:
        session.cycle_key()

    assert meter.operations == ["TransactWriteItems"]
    assert session.session_key != old_key
    assert SessionStore(session.session_key)["colour"] == "green"
    assert not is_alive(old_key)


# --- Several requests at the same moment


def test_each_request_saves_what_it_has_changed_and_nothing_else() -> None:
    key = stored(colour="green", shape="round", size=3)
    first, second = SessionStore(key), SessionStore(key)
    first["colour"], second["shape"] = "red", "square"
    del second["size"]
    first["new"] = [1]
    first.save()
    with metering.metered() as meter:
        second.save()

    assert meter.operations == ["UpdateItem", "UpdateItem"]
    assert dict(second.items()) == dict(SessionStore(key).items())
    assert dict(second.items()) == {"colour": "red", "shape": "square", "new": [1]}


def test_of_what_two_have_changed_the_later_one_holds() -> None:
    key = stored(colour="green")
    first, second = SessionStore(key), SessionStore(key)
    first["colour"], second["colour"] = "red", "blue"
    first.save()
    second.save()

    assert SessionStore(key)["colour"] == "blue"


def test_nothing_is_lost_however_many_save_at_once() -> None:
    key = stored(colour="green")

    def change(number: int) -> None:
        session = SessionStore(key)
        session[f"number {number}"] = number
        session.save()

    assert at_once(change, 8) == [None] * 8
    assert dict(SessionStore(key).items()) == {"colour": "green"} | {f"number {n}": n for n in range(8)}


def test_one_of_many_who_claim_gets_it() -> None:
    key = stored(colour="green")
    sessions = [SessionStore(key) for _number in range(8)]
    assert {session["colour"] for session in sessions} == {"green"}

    assert sorted(at_once(lambda number: sessions[number].claim("owner", number), 8)) == [False] * 7 + [True]
    owner = SessionStore(key)["owner"]
    assert sessions[owner]["owner"] == owner
    assert [session.get("owner") for session in sessions].count(None) == 7


# --- What a dump of the table tells


def test_a_dump_of_the_table_holds_neither_the_key_nor_the_contents() -> None:
    session = session_of(CAST["admin"])
    dump = json.dumps(rows(), default=repr)

    assert len(rows()) == 1
    for secret in [
        str(session.session_key),
        session["refresh_token"],
        CAST["admin"].email,
        CAST["admin"].name,
        "admin@",
    ]:
        assert secret not in dump
    assert CAST["admin"].sub in dump, "the index by person needs the sub"


def test_the_same_contents_look_different_each_time_they_are_saved() -> None:
    key = stored(colour="green")
    (before,) = rows()
    session = SessionStore(key)
    session["colour"] = "green"
    session.save()
    (after,) = rows()

    # Equal beginnings would tell that a nonce was used twice, which breaks the cipher.
    assert before["Data"]["S"][:16] != after["Data"]["S"][:16]


def test_contents_put_under_another_key_cannot_be_read() -> None:
    key_of_admin, own_key = stored(groups=["admin"]), stored(groups=[])
    own_pk = _row_of(own_key)["PK"]
    maintenance.request(
        "PutItem", TableName=StoreItem.Meta.table_name, Item=_row_of(key_of_admin) | {"PK": own_pk}
    )

    assert SessionStore(own_key).get("groups") is None


@pytest.mark.parametrize("data", ["", "!", "AAAA", "A" * 400])
def test_damaged_contents_are_an_empty_session(data: str) -> None:
    key = stored(colour="green")
    maintenance.request(
        "PutItem", TableName=StoreItem.Meta.table_name, Item=_row_of(key) | {"Data": {"S": data or " "}}
    )

    assert SessionStore(key).get("colour") is None


@pytest.mark.parametrize("key", ["x" * 32, "short", "ü" * 32, "../../etc/passwd", "x" * 100_000, "\x00" * 32])
def test_a_made_up_key_is_nobodys_session(key: str) -> None:
    assert SessionStore(key).get("user") is None


def _row_of(key: str) -> dict[str, Any]:
    session = SessionStore(key)
    session.load()
    return next(row for row in rows() if session.decode(row["Data"]["S"]))


# --- All sessions of a person


def test_all_sessions_of_a_person_end_and_none_of_another() -> None:
    mine = [str(session_of(CAST["member"]).session_key) for _number in range(3)]
    others = str(session_of(CAST["other-member"]).session_key)
    stranger = stored(colour="green")

    assert end_all_of(CAST["member"].sub) == 3

    assert [is_alive(key) for key in mine] == [False, False, False]
    assert is_alive(others)
    assert is_alive(stranger)
    assert end_all_of(CAST["member"].sub) == 0


def test_more_sessions_than_fit_on_a_page_end() -> None:
    for _number in range(101):
        session_of(CAST["member"])

    assert end_all_of(CAST["member"].sub) == 101
    assert rows() == []


def test_a_session_still_belongs_to_its_person_after_later_saves() -> None:
    session = SessionStore(session_of(CAST["member"]).session_key)
    session["colour"] = "green"
    session.save()

    assert end_all_of(CAST["member"].sub) == 1


# --- When DynamoDB is away


def test_more_than_an_item_holds_is_refused() -> None:
    with pytest.raises(TooLarge):
        stored(colour="g" * 400_000)
