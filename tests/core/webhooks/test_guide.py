"""The examples in docs/webhooks.md verify what they are told, and its tables are true."""

import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from config.engines.process import HOST
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.streams import Change
from core.webhooks import repository, services
from core.webhooks.registry import kinds
from tests.awaiting import eventually
from tests.cast import CAST
from tests.cms.articles import article
from tests.config.processes import ROOT, clean_environment

GUIDE = (ROOT / "docs" / "webhooks.md").read_text()
ADMIN = CAST["admin"]


def example(language):
    return re.search(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)[1]


def free_port():
    with socket.socket() as found:
        found.bind((HOST, 0))
        return found.getsockname()[1]


def answers(port):
    with socket.socket() as asking:
        return asking.connect_ex((HOST, port)) == 0


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("language", "command"),
    [("python", [sys.executable, "-c"]), ("javascript", ["node", "--input-type=module", "-e"])],
)
def test_an_example_takes_what_comes_from_here_and_nothing_else(register, dispatcher, language, command):
    port = free_port()
    address = f"http://{HOST}:{port}/"
    made = register(address=address)
    environment = clean_environment(SECRET=made.secret, PORT=str(port))
    with subprocess.Popen([*command, example(language)], env=environment, stdout=subprocess.PIPE) as program:
        try:
            assert eventually(lambda: answers(port) or program.poll() is not None, bool)
            services.send_test(ADMIN, made.webhook.id)
            dispatcher.run_due()
            (delivery,) = repository.delivered(made.webhook.id).items
            assert (delivery.status, delivery.code) == ("sent", 204)
            assert program.stdout.readline() == b"webhook.test\n"

            forged = {
                "webhook-id": delivery.id,
                "webhook-timestamp": str(int(now().timestamp())),
                "webhook-signature": "v1,AAAA",
            }
            request = urllib.request.Request(address, b"{}", forged, method="POST")
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request)  # noqa: S310
            with refused.value as error:
                assert error.code == 400
        finally:
            program.kill()


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("webhooks", [1, 30])
def test_a_change_is_queued_for_all_webhooks_by_two_requests(register, webhooks):
    made = [register(f"/{number}") for number in range(webhooks)]
    published = article("Derby", published=True, publish_at=now())
    change = Change("vcm-news", "INSERT", "1", now(), None, published.serialize())
    with metering.metered() as meter:
        services.queue(kinds()["news.published"], change)
    assert meter.operations == ["Query", "TransactWriteItems"]
    assert [len(repository.due(each.webhook.id, now()).items) for each in made] == [1] * webhooks


def test_the_guide_names_every_kind():
    named = re.findall(r"^\| `([a-z.-]+)` \|", GUIDE, re.MULTILINE)
    assert named == [*kinds(), services.TEST]
