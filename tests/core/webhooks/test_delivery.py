"""How a delivery is sent: signed, one after the other for each webhook, and again until it has arrived."""

import base64
import hashlib
import hmac
import json
import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.faults import Faults
from core.dynamo.items import new_id
from core.stores.http.bounds import Caps
from core.webhooks import dispatcher as sending
from core.webhooks import repository, rules, services, signatures
from core.webhooks.dispatcher import LEASE, NEXT, Dispatcher
from core.webhooks.models import Webhook
from tests.cast import CAST
from tests.log_lines import written

pytestmark = pytest.mark.usefixtures("db")
ADMIN = CAST["admin"]
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _no_jitter(monkeypatch):
    monkeypatch.setattr(rules.random, "uniform", lambda _least, _most: 1)


def log_of(made):
    return [
        (each.status, int(each.attempts), each.code, each.error)
        for each in repository.delivered(made.webhook.id).items
    ]


def add(made, kind="news.published", at=None, body="{}"):
    moment = at or now()
    delivery = repository.new_delivery(made.webhook, kind, "key", moment, body, due=moment, change=new_id())
    repository.add([delivery])
    return delivery


def test_a_test_arrives_with_its_signature(register, receiver, dispatcher):
    made = register()
    services.send_test(ADMIN, made.webhook.id)
    dispatcher.run_due()

    (told,) = receiver.told
    (delivery,) = repository.delivered(made.webhook.id).items
    assert json.loads(told.body) == {
        "type": "webhook.test",
        "timestamp": delivery.sk.partition("#")[0],
        "data": {"webhook": made.webhook.id},
    }
    assert (told.path, told.id, told.headers["content-type"]) == ("/hook", delivery.id, "application/json")
    key = base64.b64decode(made.secret.removeprefix("whsec_"))
    signed = f"{told.id}.{told.headers['webhook-timestamp']}.".encode() + told.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert (len(key), told.headers["webhook-signature"]) == (32, f"v1,{expected}")
    assert log_of(made) == [("sent", 1, 204, None)]


def test_the_signature_is_that_of_the_specification():
    """The example of standardwebhooks.com."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    webhook = Webhook.new()
    webhook.secret = signatures.seal(webhook.id, secret)
    moment = datetime.fromtimestamp(1614265330, UTC)
    headers = signatures.headers(webhook, "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}', moment)
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_new_secret_signs_beside_the_former_one_for_a_day(register, receiver, dispatcher, clock):
    made = register()
    changed = services.change_secret(ADMIN, made.webhook.id)
    for ahead in (timedelta(), DAY + timedelta(minutes=1)):
        clock.ahead = ahead
        add(made, at=now() + ahead)
        dispatcher.run_due()

    def signature(secret, told):
        signed = f"{told.id}.{told.headers['webhook-timestamp']}.".encode() + told.body
        key = base64.b64decode(secret.removeprefix("whsec_"))
        return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()

    first, second = receiver.told
    both = f"{signature(changed.secret, first)} {signature(made.secret, first)}"
    assert first.headers["webhook-signature"] == both
    assert second.headers["webhook-signature"] == signature(changed.secret, second)


def test_a_refused_delivery_is_sent_again_for_a_day_with_longer_pauses_and_the_same_id(
    register, receiver, dispatcher, clock
):
    made = register()
    receiver.answer = lambda _told: 500
    delivery = add(made)
    pauses = []
    for _attempt in range(50):
        dispatcher.run_due()
        (stored,) = repository.delivered(made.webhook.id).items
        if stored.due_at is None:
            break
        pauses.append(round((stored.due_at - stored.tried_at).total_seconds()))
        clock.ahead = stored.due_at - now() + timedelta(seconds=1)

    hours = 4 * 3600
    assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3840, 7680, hours, hours, hours, hours]
    assert log_of(made) == [("failed", 14, 500, None)]
    assert {(told.id, told.body) for told in receiver.told} == {(delivery.id, b"{}")}
    timestamps = [int(told.headers["webhook-timestamp"]) for told in receiver.told]
    assert timestamps == sorted(set(timestamps))
    webhook = repository.webhook(made.webhook.id)
    assert (webhook.problem, webhook.is_paused) == ("undelivered", False)


def test_nothing_is_sent_before_it_is_due_again(register, receiver, dispatcher, clock):
    made = register()
    receiver.answer = lambda _told: 503
    add(made)
    dispatcher.run_due()
    clock.ahead = timedelta(seconds=25)
    dispatcher.run_due()
    assert len(receiver.told) == 1
    clock.ahead = timedelta(seconds=31)
    dispatcher.run_due()
    assert len(receiver.told) == 2


def test_what_was_refused_and_then_taken_is_delivered_and_the_webhook_well_again(
    register, receiver, dispatcher, clock
):
    made = register()
    receiver.answer = lambda _told: 500 if len(receiver.told) == 1 else 200
    add(made)
    dispatcher.run_due()
    assert repository.webhook(made.webhook.id).failing_since is not None
    clock.ahead = timedelta(seconds=31)
    dispatcher.run_due()
    assert log_of(made) == [("sent", 2, 200, None)]
    assert repository.webhook(made.webhook.id).failing_since is None


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(register, receiver, dispatcher, status):
    made = register()
    receiver.answer, receiver.headers = lambda _told: status, {"Location": receiver.url("/elsewhere")}
    add(made)
    dispatcher.run_due()
    assert [told.path for told in receiver.told] == ["/hook"]
    assert log_of(made) == [("waiting", 1, status, None)]


def test_cookies_of_a_receiver_are_not_kept(register, receiver, dispatcher):
    made = register()
    receiver.headers = {"Set-Cookie": "session=of-one; Path=/"}
    add(made, at=now() - timedelta(seconds=1)), add(made)
    dispatcher.run_due()
    assert ["cookie" in told.headers for told in receiver.told] == [False, False]


def test_a_long_answer_is_not_read(register, receiver, dispatcher):
    made = register()
    receiver.headers = {"Content-Length": str(10**12)}
    add(made)
    dispatcher.run_due()
    assert log_of(made) == [("sent", 1, 204, None)]


def test_an_address_that_is_gone_is_paused_at_once(register, receiver, dispatcher):
    made = register()
    receiver.answer = lambda _told: 410
    add(made, at=now() - timedelta(seconds=1)), add(made)
    dispatcher.run_due()
    webhook = repository.webhook(made.webhook.id)
    assert (webhook.is_paused, webhook.problem, len(receiver.told)) == (True, "gone", 1)
    assert log_of(made) == [("failed", 0, None, "paused"), ("failed", 1, 410, None)]


def test_an_address_that_fails_for_days_is_paused(register, receiver, dispatcher, clock):
    made = register()
    receiver.answer = lambda _told: 500
    add(made)
    dispatcher.run_due()
    clock.ahead = timedelta(days=2)
    add(made, at=now() + clock.ahead)
    dispatcher.run_due()
    assert not repository.webhook(made.webhook.id).is_paused
    clock.ahead = timedelta(days=3, minutes=1)
    add(made, at=now() + clock.ahead)
    dispatcher.run_due()
    webhook = repository.webhook(made.webhook.id)
    assert (webhook.is_paused, webhook.problem) == (True, "failing")

    services.resume(ADMIN, made.webhook.id)
    webhook = repository.webhook(made.webhook.id)
    assert (webhook.is_paused, webhook.problem, webhook.failing_since) == (False, None, None)


def test_an_address_where_nobody_listens_is_tried_again(register, dispatcher):
    made = register(address="http://127.0.0.1:9/")
    add(made)
    dispatcher.run_due()
    assert log_of(made) == [("waiting", 1, None, "unreached")]


def test_a_slow_address_delays_no_other(register, receiver, dispatcher):
    """Ten that do not answer, each with three deliveries, and one that does."""
    go_on, arrived = threading.Event(), threading.Event()

    def answer(told):
        if told.path == "/quick":
            arrived.set()
        else:
            assert go_on.wait(300)
        return 204

    receiver.answer = answer
    slow = [register("/slow") for _each in range(10)]
    quick = register("/quick")
    for number in range(3):
        for made in slow:
            add(made, at=now() + timedelta(milliseconds=number))
    add(quick)
    worker = threading.Thread(target=dispatcher.run_due)
    worker.start()
    try:
        assert arrived.wait(300)
        # One at a time to each of the slow ones.
        assert [told.path for told in receiver.told].count("/slow") <= 10
    finally:
        go_on.set()
        worker.join()
    assert log_of(quick) == [("sent", 1, 204, None)]
    assert [log_of(made) for made in slow] == [[("sent", 1, 204, None)] * 3] * 10


def test_an_answer_that_does_not_come_is_given_up_after_ten_seconds(
    register, receiver, dispatcher, monkeypatch
):
    assert (sending.CAPS.total_seconds, sending.CAPS.read_seconds) == (10, 10)
    monkeypatch.setattr(sending, "CAPS", Caps(total_seconds=0.05))
    made, go_on = register(), threading.Event()

    def answer(_told):
        go_on.wait(300)
        return 204

    receiver.answer = answer
    add(made)
    dispatcher.run_due()
    go_on.set()
    assert log_of(made) == [("waiting", 1, None, "slow")]


def test_two_workers_send_nothing_twice(register, receiver, dispatcher, clock):
    made = [register(f"/{number}") for number in range(10)]
    for number in range(5):
        for each in made:
            add(each, at=now() - timedelta(seconds=number))
    other = Dispatcher(clock=clock)
    threads = [threading.Thread(target=each.run_due) for each in (dispatcher, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    dispatcher.run_due()
    ids = [told.id for told in receiver.told]
    assert (len(ids), len(set(ids))) == (50, 50)


def test_what_was_claimed_and_not_concluded_is_sent_again_when_the_claim_ends(
    register, receiver, dispatcher, clock, monkeypatch
):
    made = register()
    delivery = add(made)
    with monkeypatch.context() as patch:
        patch.setattr(dispatcher, "_conclude", lambda *_arguments: 1 / 0)
        dispatcher.run_due()
    assert log_of(made) == [("waiting", 0, None, None)]
    clock.ahead = LEASE + timedelta(seconds=1)
    dispatcher.run_due()
    assert [told.id for told in receiver.told] == [delivery.id] * 2
    assert log_of(made) == [("sent", 1, 204, None)]


def test_what_is_paused_is_not_sent_and_can_be_sent_again_later(register, receiver, dispatcher):
    made = register()
    delivery = add(made)
    services.pause(ADMIN, made.webhook.id)
    dispatcher.run_due()
    assert (log_of(made), receiver.told) == ([("failed", 0, None, "paused")], [])
    services.resume(ADMIN, made.webhook.id)
    services.send_again(ADMIN, made.webhook.id, delivery.sk)
    dispatcher.run_due()
    assert [told.id for told in receiver.told] == [delivery.id]
    assert log_of(made) == [("sent", 1, 204, None)]


def test_what_waits_for_a_deleted_webhook_is_not_sent(register, receiver, dispatcher):
    made = register()
    add(made)
    services.delete(ADMIN, made.webhook.id)
    dispatcher.run_due()
    assert receiver.told == []


def test_a_secret_that_cannot_be_read_pauses_the_webhook(register, receiver, dispatcher, settings):
    made = register()
    add(made)
    settings.SECRET_KEY = "another-key-" * 5
    dispatcher.run_due()
    webhook = repository.webhook(made.webhook.id)
    assert (webhook.is_paused, webhook.problem, receiver.told) == (True, "unreadable", [])


def test_a_secret_is_read_with_an_earlier_key_of_the_site(register, receiver, dispatcher, settings):
    made = register()
    add(made)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key-" * 5
    dispatcher.run_due()
    assert log_of(made) == [("sent", 1, 204, None)]


@pytest.mark.parametrize("webhooks", [1, 30])
def test_a_change_for_thirty_webhooks_is_three_requests_and_two_for_each(
    register, receiver, dispatcher, webhooks
):
    """The webhooks; what is due for each; the deliveries and the claims of all; and how each went."""
    moment = now()
    made = [register(f"/{number}") for number in range(webhooks)]
    repository.add(
        repository.new_delivery(
            each.webhook, "news.published", "key", moment, "{}", due=moment, change=new_id()
        )
        for each in made
    )
    meter = started(dispatcher)
    assert len(receiver.told) == webhooks
    assert meter.operations[: webhooks + 3] == ["Query"] * (webhooks + 1) + [
        "BatchGetItem",
        "TransactWriteItems",
    ]
    assert meter.operations[webhooks + 3 :] == ["UpdateItem"] * webhooks


def started(dispatcher):
    """What it costs to look once, and to send what is next."""
    with metering.metered() as meter:
        dispatcher._start_due()
        for future in list(dispatcher._sending.values()):
            future.result()
    return meter


def test_what_waits_for_one_webhook_is_not_read_for_each_delivery_nor_for_others(
    register, receiver, dispatcher
):
    busy, other = register("/busy"), register("/other")
    for number in range(20):
        add(busy, at=now() - timedelta(minutes=number))
    add(other)
    meter = started(dispatcher)
    assert sorted(told.path for told in receiver.told) == ["/busy", "/other"]
    # Both webhooks, and of the deliveries a few of the first and the one of the other.
    assert [call.items for call in meter.calls if call.operation == "Query"] == [2, NEXT, 1]


def test_an_index_that_still_has_what_was_sent_keeps_nothing_waiting(register, receiver, dispatcher, proxy):
    made = register()
    ids = [add(made, at=now() - timedelta(minutes=NEXT - number)).id for number in range(NEXT)]
    proxy.faults = Faults(stale_index=1, lag=3_600_000)
    dispatcher.run_due()
    proxy.faults = Faults()
    assert [told.id for told in receiver.told] == ids


def test_no_log_has_a_secret_or_an_address(register, receiver, dispatcher):
    with written() as output:
        made = register("/path-of-a-hook")
        changed = services.change_secret(ADMIN, made.webhook.id)
        add(made)
        dispatcher.run_due()
    assert '"event": "webhook_made"' in output.getvalue()
    for hidden in (made.secret, changed.secret, "path-of-a-hook"):
        assert hidden not in output.getvalue()
