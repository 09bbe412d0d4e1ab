"""The outbound client: where it may go, and nowhere else."""

import ipaddress
import socket
from typing import Any

import pytest

from core.stores.http import FetchFailed, NotAllowed
from core.stores.http.bounds import is_public
from tests.core.stores.far_side import FarSide, Make, Reply


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/teams",
        "http://localhost/teams",
        "http://user:word@{host}/teams",
        "http://{host}.evil.example/teams",
        "http://evil.example#{host}",
        "file:///etc/passwd",
        "//{host}/teams",
        "http://[::1",
        "teams",
        "",
    ],
)
def test_only_allowed_origins_are_asked(make: Make, far: FarSide, address: str) -> None:
    with pytest.raises(NotAllowed):
        make().get(address.format(host=far.origin.removeprefix("http://")))
    assert far.asked == []


def test_a_redirect_within_the_origin_is_followed_and_no_other(make: Make, far: FarSide) -> None:
    far.reply = Reply(status=302, headers={"Location": "http://169.254.169.254/latest/meta-data"})
    with pytest.raises(FetchFailed) as refusal:
        make().get(f"{far.origin}/teams")
    assert (refusal.value.reason, refusal.value.status) == ("redirected elsewhere", 302)
    assert far.asked == ["/teams"]

    far.reply = Reply(status=302, headers={"Location": "/elsewhere"})
    with pytest.raises(FetchFailed) as refusal:
        make().get(f"{far.origin}/teams")
    assert refusal.value.reason == "too many redirects"
    assert far.asked[1:] == ["/teams", "/elsewhere", "/elsewhere", "/elsewhere"]


def test_a_name_that_leads_to_a_private_address_is_refused(make: Make, far: FarSide) -> None:
    with pytest.raises(NotAllowed):
        make(may_connect=is_public).get(f"{far.origin}/teams")
    assert far.asked == []


def test_of_several_addresses_one_that_answers_is_enough(
    make: Make, far: FarSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up, port = socket.getaddrinfo, int(far.origin.rpartition(":")[2])

    def two_addresses(host: str, *arguments: Any, **options: Any) -> list[Any]:
        if host != "far.example":
            return look_up(host, *arguments, **options)
        # Nobody listens on the first one.
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"127.0.0.{n}", port)) for n in (2, 1)]

    monkeypatch.setattr(socket, "getaddrinfo", two_addresses)
    origin = f"http://far.example:{port}"

    assert make(origins=[origin]).get(f"{origin}/teams").status == 200


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2a00:1450:4001:80b::200e", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.1", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00:ec2::254", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:169.254.169.254", False),
        ("::ffff:224.0.0.1", False),
        # IPv4 addresses that other forms of IPv6 addresses stand for.
        ("64:ff9b::8.8.8.8", True),
        ("64:ff9b::169.254.169.254", False),
        ("64:ff9b:1::8.8.8.8", False),
        ("2002:a9fe:a9fe::1", False),
        ("::7f00:1", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public
