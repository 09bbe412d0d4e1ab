"""One GET to an allowed origin: no private address, no other host, no endless answer, no endless wait."""

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpcore
import httpx

from stores.http.errors import FetchFailed, NotAllowed

MOST_REDIRECTS = 3
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Caps:
    """How long and how large an answer may be."""

    connect_seconds: float = 2.0
    read_seconds: float = 5.0
    total_seconds: float = 15.0
    most_bytes: int = 5 * 1024 * 1024


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    retry_after: str
    body: bytes


def is_public(address: IPAddress) -> bool:
    """Whether an address is out there, and neither ours, nor the machine's, nor the cloud's own."""
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_global and not address.is_multicast


class GuardedNetwork(httpcore.SyncBackend):
    """Looks a name up, checks the address and connects to that very one: no second look-up can differ."""

    def __init__(self, may_connect: Callable[[IPAddress], bool]) -> None:
        self._may_connect = may_connect

    def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for *_kind, place in found:
            if self._may_connect(ipaddress.ip_address(str(place[0]))):
                return super().connect_tcp(str(place[0]), port, *args, **kwargs)
        raise NotAllowed


class _GuardedTransport(httpx.HTTPTransport):
    def __init__(self, may_connect: Callable[[IPAddress], bool]) -> None:
        super().__init__()
        # httpx has no argument for it, and this is the only place where the address is known.
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_connections=10,
            network_backend=GuardedNetwork(may_connect),
        )


class Transport:
    """`origins` are the only places that may be asked, such as https://www.volleyball-baden.de"""

    def __init__(
        self,
        origins: Iterable[str],
        *,
        headers: Mapping[str, str],
        caps: Caps,
        may_connect: Callable[[IPAddress], bool] = is_public,
    ) -> None:
        self._origins = {_origin(address) for address in origins}
        self._caps = caps
        self._client = httpx.Client(
            transport=_GuardedTransport(may_connect),
            headers=dict(headers),
            timeout=httpx.Timeout(caps.read_seconds, connect=caps.connect_seconds),
            # A proxy of the environment would be asked instead, and would look names up itself.
            trust_env=False,
        )

    def get(self, address: str) -> Answer:
        """The answer, whatever its status; FetchFailed without one."""
        deadline = time.monotonic() + self._caps.total_seconds
        for _hop in range(MOST_REDIRECTS + 1):
            self.ensure_allowed(address)
            try:
                with self._client.stream("GET", address) as response:
                    if response.has_redirect_location:
                        address = str(response.url.join(response.headers["Location"]))
                        continue
                    return self._answer(response, deadline)
            except httpx.HTTPError as error:
                raise FetchFailed(type(error).__name__) from error
        raise FetchFailed("too many redirects")

    def ensure_allowed(self, address: str) -> None:
        if _origin(address) not in self._origins:
            raise NotAllowed

    def close(self) -> None:
        self._client.close()

    def _answer(self, response: httpx.Response, deadline: float) -> Answer:
        body = bytearray()
        # Counted after unpacking, so that a small packed answer cannot become a huge one; and as it comes,
        # so that an answer which drips is noticed.
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > self._caps.most_bytes:
                raise FetchFailed("too large", status=response.status_code)
            if time.monotonic() > deadline:
                raise FetchFailed("too slow", status=response.status_code)
        headers = response.headers
        return Answer(
            response.status_code, headers.get("Content-Type", ""), headers.get("Retry-After", ""), bytes(body)
        )


def _origin(address: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(address)
        port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    except (KeyError, ValueError) as error:
        raise NotAllowed from error
    if parts.username is not None:
        raise NotAllowed
    return parts.scheme, (parts.hostname or "").lower(), port
