"""How a signed request travels to DynamoDB, and how long it may take.

`Transport.call` stands in for botocore's own way from the parameters of an operation on items to its result
or its error, which costs as much again for hooks, retries and copies of headers that nobody here needs. The
errors are botocore's, and its client still says who signs and where to send it.

Time-outs count the silence of DynamoDB, not the business of this machine. An answer that is late while tasks
on this machine wait for a processor (ours, or a local engine) is waited for: such time is forgiven, to the
request's `forgivable` limit, and what is not forgiven counts against the read time-out and the budget. When
DynamoDB hangs, the site has nothing to do, so nothing is forgiven and the page gives up as fast as it should.
"""

import os
import re
import ssl
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead, RemoteDisconnected
from typing import IO, Any
from urllib.parse import urlsplit
from uuid import uuid4

import urllib3
from botocore.exceptions import HTTPClientError
from botocore.httpsession import ProxyConfiguration, get_cert_path
from botocore.utils import get_environ_proxies
from django.conf import settings
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import Retry, Timeout, wait_for_read

from core.dynamo import deadline, pressure
from core.dynamo.parsing import OPERATIONS_ON_ITEMS, ItemParser
from core.dynamo.serializing import as_json
from core.dynamo.signing import signed

CONNECT_SECONDS = 0.5
LEAST_READ_SECONDS = 0.05
# An answer within this time is not slow: it costs nothing of the budget.
PROMPT_SECONDS = 0.1
LONGEST_LINE = 64 * 1024
# Made once. The connection decides what is sent again.
NO_RETRIES = Retry.from_int(False, redirect=False)
STATUS_LINE = re.compile(rb"HTTP/(?P<version>1\.\d) (?P<status>[1-5]\d\d)( .*)?\r?\n")


@dataclass
class _Answer:
    """What urllib3's pools ask of an answer, which has been read; the names of its headers in lower case."""

    status: int
    headers: dict[str, str]
    data: bytes
    version_string: str = "HTTP/1.1"
    length_remaining: int = 0
    retries: Any = None


class _WaitingConnection(HTTPConnection):
    """Sends a request in one packet, and waits for its answer as the budget of the web request allows.

    It writes and reads HTTP itself: Python's own client takes headers for those of an e-mail, and urllib3
    copies them twice.
    """

    def connect(self) -> None:
        started = time.monotonic()
        try:
            super().connect()
        finally:
            _charge(time.monotonic() - started)

    def request(self, method: str, url: str, body: Any = None, headers: Any = None, **_: Any) -> None:
        if self.sock is None:
            self.connect()
        self.sock.settimeout(self.timeout)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {url} HTTP/1.1\r\n{lines}Content-Length: {len(body)}\r\n\r\n"
        self.sock.sendall(head.encode("latin-1") + body)

    def getresponse(self) -> Any:
        started, forgiven = time.monotonic(), 0.0
        self.sock.settimeout(self.timeout)
        try:
            has_answer, forgiven = _wait_for_answer(self.sock, float(self.timeout or 0))
            if not has_answer:
                raise TimeoutError("DynamoDB does not answer.")
            return self._read()
        finally:
            _charge(time.monotonic() - started, forgiven)

    def _read(self) -> _Answer:
        with self.sock.makefile("rb") as file:
            try:
                version, status = _status(file)
                while status < 200:
                    # Such as 100 Continue: the answer itself is still to come.
                    _headers(file)
                    version, status = _status(file)
                headers = _headers(file)
                answer = _Answer(status, headers, _body(file, headers))
            except ValueError as error:
                raise HTTPException("This is not HTTP.") from error
        is_last = version == "1.0" or "content-length" not in headers
        if is_last or headers.get("connection", "").lower() == "close":
            self.close()
        return answer


def _status(file: IO[bytes]) -> tuple[str, int]:
    """The version of HTTP and the status; half of a line says nothing, least of all that it worked."""
    line = file.readline(LONGEST_LINE)
    if not line:
        raise RemoteDisconnected("DynamoDB ended the connection.")
    found = STATUS_LINE.fullmatch(line)
    if found is None:
        raise ValueError(line)
    return found["version"].decode(), int(found["status"])


def _headers(file: IO[bytes]) -> dict[str, str]:
    headers: dict[str, str] = {}
    while (line := file.readline(LONGEST_LINE)) not in (b"\r\n", b"\n"):
        if not line.endswith(b"\n"):
            raise ValueError(line)
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return headers


def _body(file: IO[bytes], headers: Mapping[str, str]) -> bytes:
    """Of known length, as from DynamoDB; a proxy may send it in chunks, or end the connection behind it."""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        parts = []
        while size := int(file.readline(LONGEST_LINE).partition(b";")[0], 16):
            parts.append(_exactly(file, size + 2)[:-2])
        return b"".join(parts)
    if "content-length" in headers:
        return _exactly(file, int(headers["content-length"]))
    return file.read()


def _exactly(file: IO[bytes], size: int) -> bytes:
    if size < 0:
        raise ValueError(size)
    data = file.read(size)
    if len(data) < size:
        raise IncompleteRead(data, size - len(data))
    return data


class _WaitingTLSConnection(_WaitingConnection, HTTPSConnection):
    pass


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _WaitingConnection


class _TLSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _WaitingTLSConnection


class Transport:
    """Signs, sends and reads, and keeps the connections."""

    def __init__(self, session: Any, *, endpoint: str, pool_size: int) -> None:
        options: dict[str, Any] = {"maxsize": pool_size}
        if endpoint.startswith("https:"):
            trusted = session.get_config_variable("ca_bundle") or os.environ.get("REQUESTS_CA_BUNDLE") or True
            options["ssl_context"] = ssl.create_default_context(cafile=get_cert_path(trusted))
        proxies = ProxyConfiguration(get_environ_proxies(endpoint))
        if proxy := proxies.proxy_url_for(endpoint):
            options["proxy_headers"] = proxies.proxy_headers_for(proxy)
            self._pools: urllib3.PoolManager = urllib3.ProxyManager(proxy, **options)
        else:
            self._pools = urllib3.PoolManager(**options)
        self._pools.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}
        # All goes to one endpoint; a proxy is told the whole address.
        self._pool = None if proxy else self._pools.connection_from_url(endpoint)
        self._parser = ItemParser()

    def call(self, client: Any, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """The result of one operation; in the place of a client's `_make_api_call`."""
        if operation not in OPERATIONS_ON_ITEMS:
            left: dict[str, Any] = type(client)._make_api_call(client, operation, parameters)
            return left
        if operation == "TransactWriteItems":
            # As botocore does. A request that is sent again has the one that it got here.
            parameters.setdefault("ClientRequestToken", str(uuid4()))
        model = client.meta.service_model.operation_model(operation)
        answer = self._signed_answer(client, operation, as_json(parameters))
        response = {"status_code": answer.status, "headers": answer.headers, "body": answer.data}
        parsed: dict[str, Any] = self._parser.parse(response, model.output_shape)
        if answer.status < 300:
            return parsed
        code = parsed.get("Error", {}).get("Code")
        shape = model.service_model.shape_for_error_code(code)
        # What this error tells beyond its message, such as why a transaction was cancelled.
        parsed |= self._parser.parse(response, shape) if shape else {}
        raise client.exceptions.from_code(code)(parsed, operation)

    def _signed_answer(self, client: Any, operation: str, body: bytes) -> _Answer:
        signer, url = client._request_signer, f"{client.meta.endpoint_url.rstrip('/')}/"
        headers = {
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Content-Type": "application/x-amz-json-1.0",
            "User-Agent": client.meta.config.user_agent,
            "Accept-Encoding": "identity",
        }
        credentials = signer.get_auth_instance(signer.signing_name, signer.region_name).credentials
        return self._answer(
            url, signed(url, headers, body, credentials=credentials, region=signer.region_name), body
        )

    def _answer(self, url: str, headers: dict[str, str], body: bytes) -> _Answer:
        try:
            answer: _Answer = (self._pool or self._pools).urlopen(  # type: ignore[assignment]
                "POST",
                urlsplit(url).path or "/" if self._pool else url,
                body=body,
                headers=headers,
                timeout=Timeout(connect=CONNECT_SECONDS, read=_read_seconds()),
                retries=NO_RETRIES,
                redirect=False,
            )
        except urllib3.exceptions.HTTPError as error:
            raise HTTPClientError(error=error) from error
        if 200 < answer.status < 300:
            raise HTTPClientError(error=f"{answer.status} is no answer of DynamoDB")
        if answer.headers.get("x-amz-crc32", str(zlib.crc32(answer.data))) != str(zlib.crc32(answer.data)):
            raise HTTPClientError(error="the checksum of the answer does not match")
        return answer

    def close(self) -> None:
        self._pools.clear()


def _read_seconds() -> float:
    seconds = float(settings.DYNAMODB_READ_SECONDS)
    remaining = deadline.current()
    return seconds if remaining is None else max(LEAST_READ_SECONDS, min(seconds, remaining.left))


def _wait_for_answer(sock: Any, seconds: float) -> tuple[bool, float]:
    """Whether there is one before DynamoDB was silent for so long, and what was forgiven meanwhile."""
    if wait_for_read(sock, min(seconds, PROMPT_SECONDS)):
        return True, 0.0
    remaining = deadline.current()
    forgivable = deadline.forgivable(seconds) if remaining is None else remaining.forgivable
    started, stalled_before = time.monotonic(), pressure.stalled()
    has_answer, forgiven, silence = False, 0.0, PROMPT_SECONDS
    while not has_answer and silence < seconds:
        has_answer = wait_for_read(sock, seconds - silence)
        elapsed = time.monotonic() - started
        forgiven = min(pressure.stalled() - stalled_before, elapsed, forgivable)
        silence = PROMPT_SECONDS + elapsed - forgiven
    return has_answer, forgiven


def _charge(seconds: float, forgiven: float = 0.0) -> None:
    remaining = deadline.current()
    if remaining is not None and seconds > PROMPT_SECONDS:
        remaining.spend(seconds, forgiven=forgiven)
