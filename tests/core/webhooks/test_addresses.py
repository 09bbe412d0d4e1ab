"""Where a webhook may lead: never into a private network, whatever its address looks like."""

import socket

import pytest

from core.dynamo.attributes import now
from core.dynamo.errors import Invalid
from core.webhooks import repository, rules, services
from tests.cast import CAST

ADMIN = CAST["admin"]
NO_ADDRESS = "This is not a valid address."
NOT_HTTPS = "The address must start with https://."
PASSWORD = "Leave out the user name and password. Others could read them here."
PRIVATE = "This address is in a private network."


@pytest.fixture
def _as_in_production(settings):
    settings.WEBHOOKS_TO_LOOPBACK = False


@pytest.mark.usefixtures("_as_in_production")
@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", NO_ADDRESS),
        ("example.org/hook", NO_ADDRESS),
        ("https://", NO_ADDRESS),
        ("https:///hook", NO_ADDRESS),
        ("https://[::1", NO_ADDRESS),
        ("https://example.org:99999/", NO_ADDRESS),
        ("https://exa mple.org/", NO_ADDRESS),
        ("https://example.org/\r\nHost: other", NO_ADDRESS),
        ("https://müllheim.example/", NO_ADDRESS),
        ("http://example.org/", NOT_HTTPS),
        ("http://127.0.0.1/", NOT_HTTPS),
        ("ftp://example.org/", NOT_HTTPS),
        ("file://example.org/etc/passwd", NOT_HTTPS),
        ("https://user@example.org/", PASSWORD),
        ("https://user:password@example.org/", PASSWORD),
        ("https://@example.org/", PASSWORD),
        ("https://127.0.0.1/", PRIVATE),
        ("https://127.1/", PRIVATE),
        ("https://2130706433/", PRIVATE),
        ("https://0x7f.0.0.1/", PRIVATE),
        ("https://0177.0.0.1/", PRIVATE),
        ("https://0.0.0.0/", PRIVATE),
        ("https://10.1.2.3/", PRIVATE),
        ("https://100.64.0.1/", PRIVATE),
        ("https://169.254.169.254/latest/meta-data/", PRIVATE),
        ("https://172.16.0.1/", PRIVATE),
        ("https://192.168.1.1/", PRIVATE),
        ("https://192.0.2.1/", PRIVATE),
        ("https://224.0.0.1/", PRIVATE),
        ("https://255.255.255.255/", PRIVATE),
        ("https://[::]/", PRIVATE),
        ("https://[::1]/", PRIVATE),
        ("https://[::ffff:127.0.0.1]/", PRIVATE),
        ("https://[::ffff:a9fe:a9fe]/", PRIVATE),
        ("https://[64:ff9b::a00:1]/", PRIVATE),
        ("https://[2002:7f00:1::]/", PRIVATE),
        ("https://[fc00::1]/", PRIVATE),
        ("https://[fd00:ec2::254]/", PRIVATE),
        ("https://[fe80::1]/", PRIVATE),
        ("https://[ff02::1]/", PRIVATE),
    ],
)
def test_what_is_refused(address, reason):
    with pytest.raises(Invalid) as refused:
        rules.check_address(address)
    assert (str(refused.value), refused.value.field) == (reason, "address")


@pytest.mark.usefixtures("_as_in_production")
@pytest.mark.parametrize(
    "address",
    [
        "https://example.org",
        "https://hooks.example.org:8443/fieldhouse?club=1",
        "https://93.184.216.34/hook",
        "https://[2606:2800:220:1:248:1893:25c8:1946]/hook",
    ],
)
def test_what_is_taken(address):
    rules.check_address(address)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000/", "http://localhost/", "https://[::1]/hook"])
def test_a_developers_machine_may_be_told_by_itself(address):
    rules.check_address(address)


@pytest.mark.parametrize("address", ["http://example.org/", "http://10.0.0.1/", "https://10.0.0.1/"])
def test_and_by_nobody_else_without_https(address):
    with pytest.raises(Invalid):
        rules.check_address(address)


# The second one of these is of a name that leads to two addresses.
@pytest.mark.usefixtures("db", "_as_in_production")
@pytest.mark.parametrize(
    "found",
    [["127.0.0.1"], ["10.0.0.1", "169.254.169.254"], ["::ffff:127.0.0.1"], ["fe80::1"], ["fd00:ec2::254"]],
)
def test_a_name_that_leads_into_a_private_network_is_not_asked(
    register, receiver, dispatcher, monkeypatch, found
):
    made = register(address="https://hooks.example.org/")
    asked = resolves_to(monkeypatch, "hooks.example.org", found, receiver)
    moment = now()
    repository.add(
        [repository.new_delivery(made.webhook, "news.published", "key", moment, "{}", due=moment, change="1")]
    )
    dispatcher.run_due()
    (delivery,) = repository.delivered(made.webhook.id).items
    assert (delivery.status, delivery.error, receiver.told) == ("waiting", "private", [])
    assert asked == ["hooks.example.org"]


@pytest.mark.usefixtures("db")
def test_the_connection_goes_to_the_address_that_was_checked(register, receiver, dispatcher, monkeypatch):
    """A name is looked up once: what it leads to a moment later does not count."""
    made = register(address=receiver.url().replace("127.0.0.1", "localhost"))
    asked = resolves_to(monkeypatch, "localhost", ["127.0.0.1"], receiver)
    services.send_test(ADMIN, made.webhook.id)
    dispatcher.run_due()
    assert (asked, [told.headers["host"].partition(":")[0] for told in receiver.told]) == (
        ["localhost"],
        ["localhost"],
    )


@pytest.mark.usefixtures("db")
def test_no_proxy_of_the_environment_is_used(register, receiver, dispatcher, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    made = register()
    services.send_test(ADMIN, made.webhook.id)
    dispatcher.run_due()
    assert len(receiver.told) == 1


def resolves_to(monkeypatch, name, found, receiver):
    """The name leads to these addresses, where the receiver would be; says how often it is looked up."""
    asked, known = [], socket.getaddrinfo
    port = int(receiver.address.rpartition(":")[2])

    def getaddrinfo(host, *arguments, **options):
        if host != name or options.get("flags"):
            return known(host, *arguments, **options)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked
