"""`manage.py streams` delivers; killed in the middle of that, it loses nothing."""

import signal
import subprocess
import sys
import threading
from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from core.webhooks import repository
from core.webhooks.dispatcher import LEASE
from tests.awaiting import eventually
from tests.cms.articles import article
from tests.config.processes import ROOT, clean_environment

SCRIPT = """
import django
from django.conf import settings
from django.core.management import call_command

django.setup()
settings.WEBHOOKS_TO_LOOPBACK = True
call_command("streams")
"""


@pytest.fixture
def worker(streaming):
    environment = clean_environment(
        DJANGO_SETTINGS_MODULE="tests.settings",
        DYNAMODB_ENDPOINT=streaming.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB_STREAMS=streaming.endpoint,
        PYTHONPATH=str(ROOT),
    )
    with subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment) as process:
        yield process
        if process.poll() is None:
            process.kill()


def states(*made):
    return [[each.status for each in repository.delivered(one.webhook.id).items] for one in made]


def test_a_killed_worker_leaves_what_it_was_sending_to_the_next(
    register, receiver, worker, dispatcher, clock
):
    """One had answered, the other two had not: these are told again, with the same ids."""
    go_on = threading.Event()

    def answer(told):
        if told.path != "/quick":
            go_on.wait(300)
        return 204

    receiver.answer = answer
    quick, *slow = register("/quick"), register("/slow/1"), register("/slow/2")
    article("Derby", published=True, publish_at=now())
    assert eventually(lambda: states(quick), lambda found: found == [["sent"]]) == [["sent"]]
    assert eventually(lambda: len(receiver.told), lambda count: count == 3) == 3
    worker.kill()
    assert worker.wait(300) == -signal.SIGKILL
    go_on.set()
    assert states(*slow) == [["waiting"], ["waiting"]]
    first = {told.path: told.id for told in receiver.told}

    dispatcher.run_due()
    assert len(receiver.told) == 3
    clock.ahead = LEASE + timedelta(seconds=1)
    dispatcher.run_due()
    assert states(quick, *slow) == [["sent"]] * 3
    assert sorted(told.path for told in receiver.told) == ["/quick", *["/slow/1"] * 2, *["/slow/2"] * 2]
    assert {told.path: told.id for told in receiver.told} == first


@pytest.mark.usefixtures("worker")
def test_a_delivery_that_is_not_answered_keeps_no_stream_waiting(register, receiver):
    go_on = threading.Event()

    def answer(told):
        if told.path == "/slow":
            go_on.wait(300)
        return 204

    receiver.answer = answer
    quick, slow = register("/quick"), register("/slow")
    try:
        for number in range(1, 4):
            article(f"Derby {number}", published=True, publish_at=now())
            expected = [["sent"] * number]
            assert eventually(lambda: states(quick), lambda found, all=expected: found == all) == expected
        assert states(slow) == [["waiting"] * 3]
    finally:
        go_on.set()
    assert eventually(lambda: states(slow), lambda found: found == [["sent"] * 3]) == [["sent"] * 3]


def test_a_worker_that_is_stopped_waits_for_the_answer(register, receiver, worker):
    arrived, go_on = threading.Event(), threading.Event()

    def answer(_told):
        arrived.set()
        go_on.wait(300)
        return 204

    receiver.answer = answer
    made = register()
    article("Derby", published=True, publish_at=now())
    assert arrived.wait(300)
    worker.terminate()
    go_on.set()
    assert worker.wait(300) == 0
    assert states(made) == [["sent"]]
