"""One GET to an allowed origin, safe against SSRF, endless answers and endless waiting."""

import ipaddress
import math
import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import httpcore
import httpx

from core.stores.errors import FetchFailed, NotAllowed
from core.stores.http.bounds import Answer, Caps, IPAddress, is_public

MOST_REDIRECTS = 3
GZIP = 16 + zlib.MAX_WBITS


# When the request of this thread is given up.
_deadline: ContextVar[float] = ContextVar("outbound_deadline", default=math.inf)


@contextmanager
def given_up_after(seconds: float) -> Iterator[None]:
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def deadline() -> float:
    """When the request of this thread is given up, by `time.monotonic()`."""
    return _deadline.get()


def _at_most(seconds: float | None) -> float:
    """This time-out, or what is left of the whole request if that is less."""
    left = deadline() - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout
    return left if seconds is None else min(seconds, left)


class _TimedStream(httpcore.NetworkStream):
    """A connection whose reads and writes together take no longer than the whole request may."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _at_most(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _at_most(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, _at_most(timeout)))

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class GuardedNetwork(httpcore.SyncBackend):
    """Connects to the very addresses that were resolved and checked, against DNS rebinding."""

    def __init__(self, may_connect: Callable[[IPAddress], bool]) -> None:
        self._may_connect = may_connect

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *args: Any, **kwargs: Any
    ) -> httpcore.NetworkStream:
        *others, last = self._places(host, port)
        for place in others:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return _TimedStream(super().connect_tcp(place, port, _at_most(timeout), *args, **kwargs))
        return _TimedStream(super().connect_tcp(last, port, _at_most(timeout), *args, **kwargs))

    def _places(self, host: str, port: int) -> list[str]:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        places = [str(place[0]) for *_kind, place in found]
        allowed = [place for place in places if self._may_connect(ipaddress.ip_address(place))]
        if not allowed:
            raise NotAllowed
        return allowed


class GuardedTransport(httpx.HTTPTransport):
    def __init__(self, may_connect: Callable[[IPAddress], bool], most_connections: int = 10) -> None:
        super().__init__()
        # httpx has no argument for it, and this is the only place where the address is known.
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_connections=most_connections,
            network_backend=GuardedNetwork(may_connect),
        )


class Transport:
    """`origins` are the allowed ones, such as https://www.volleyball-baden.de"""

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
            transport=GuardedTransport(may_connect),
            # gzip only, which is decompressed chunk by chunk.
            headers={**headers, "Accept-Encoding": "gzip"},
            timeout=httpx.Timeout(caps.read_seconds, connect=caps.connect_seconds),
            # Answers are cached for everybody, so they must not depend on cookies.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            # A proxy of the environment would resolve the names itself, unchecked.
            trust_env=False,
        )

    def get(self, address: str, before_each: Callable[[], None]) -> Answer:
        """The answer with any status; FetchFailed without one. `before_each` is called for redirects too."""
        with given_up_after(self._caps.total_seconds):
            for _hop in range(MOST_REDIRECTS + 1):
                before_each()
                try:
                    with self._client.stream("GET", address) as response:
                        if not response.has_redirect_location:
                            return self._answer(response)
                        address = self._redirected(response)
                except httpx.HTTPError as error:
                    is_late = time.monotonic() >= deadline()
                    raise FetchFailed("too slow" if is_late else type(error).__name__) from error
        raise FetchFailed("too many redirects")

    def ensure_allowed(self, address: str) -> None:
        if _origin(address) not in self._origins:
            raise NotAllowed

    def close(self) -> None:
        self._client.close()

    def _redirected(self, response: httpx.Response) -> str:
        address = str(response.url.join(response.headers["Location"]))
        try:
            self.ensure_allowed(address)
        except NotAllowed as error:
            raise FetchFailed("redirected elsewhere", status=response.status_code) from error
        return address

    def _answer(self, response: httpx.Response) -> Answer:
        headers = response.headers
        try:
            body = self._body(response, headers.get("Content-Encoding", "identity").lower())
        except zlib.error as error:
            raise FetchFailed("cannot be unpacked", status=response.status_code) from error
        return Answer(
            response.status_code, headers.get("Content-Type", ""), headers.get("Retry-After", ""), body
        )

    def _body(self, response: httpx.Response, encoding: str) -> bytes:
        """The body, decompressed only up to the size limit, as a few bytes can become gigabytes."""
        if encoding not in {"identity", "gzip"}:
            raise FetchFailed("packed in another way", status=response.status_code)
        most, body = self._caps.most_bytes, bytearray()
        packed = zlib.decompressobj(GZIP) if encoding == "gzip" else None
        for chunk in response.iter_raw():
            body += chunk if packed is None else packed.decompress(chunk, most + 1 - len(body))
            if len(body) > most:
                raise FetchFailed("too large", status=response.status_code)
            if packed is not None and packed.unused_data:
                raise zlib.error("more than one")
        if packed is not None and body and not packed.eof:
            raise zlib.error("cut off")
        return bytes(body)


def _origin(address: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(address)
        port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    except (KeyError, ValueError) as error:
        raise NotAllowed from error
    if parts.username is not None:
        raise NotAllowed
    return parts.scheme, (parts.hostname or "").lower(), port
