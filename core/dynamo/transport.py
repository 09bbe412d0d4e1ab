"""Sends signed requests to DynamoDB, with time-outs that allow for a busy machine.

`Transport.call` replaces botocore's way from the parameters of an operation on items to its result or error,
which takes twice as long with hooks, retries and copies of headers. The errors are botocore's, and its client
still has the credentials and the endpoint.

Time-outs count the silence of DynamoDB, not the load of this machine. Time in which tasks on this machine
(this process, or a local engine) wait for a processor is forgiven, up to the deadline's `forgivable` limit;
the rest counts against the read time-out and the deadline. If DynamoDB hangs, the machine is idle, so nothing
is forgiven and the request ends in time.
"""

import os
import re
import ssl
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead, RemoteDisconnected
from typing import IO, Any, BinaryIO, cast
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
from core.dynamo.rawjson import dumps
from core.dynamo.signing import signed

CONNECT_SECONDS = 0.5
LEAST_READ_SECONDS = 0.05
# An answer within this time does not count against the deadline.
PROMPT_SECONDS = 0.1
LONGEST_LINE = 64 * 1024
# The connection retries, not urllib3.
NO_RETRIES = Retry.from_int(False, redirect=False)
STATUS_LINE = re.compile(rb"HTTP/(?P<version>1\.\d) (?P<status>[1-5]\d\d)( .*)?\r?\n")


@dataclass
class _Answer:
    """A response that has been read, with what urllib3's pools need; header names in lower case."""

    status: int
    headers: dict[str, str]
    data: bytes
    version_string: str = "HTTP/1.1"
    length_remaining: int = 0
    retries: Any = None


class _WaitingConnection(HTTPConnection):
    """Sends a request in one packet, and waits for its answer within the deadline.

    It writes and reads HTTP itself, which is faster: http.client parses headers like those of an e-mail, and
    urllib3 copies them twice.
    """

    # What the socket receives, in the order of the answers.
    _received: BinaryIO | None = None

    def connect(self) -> None:
        started = time.monotonic()
        try:
            super().connect()
        finally:
            _charge(time.monotonic() - started)
        self._received = self.sock.makefile("rb")

    def close(self) -> None:
        received, self._received = self._received, None
        if received is not None:
            received.close()
        super().close()

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
        file = cast(BinaryIO, self._received)
        try:
            version, status = _status(file)
            while status < 200:
                # An interim response such as 100 Continue.
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
    """The HTTP version and the status; an incomplete line is an error."""
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
    """The body: with a length from DynamoDB, chunked or up to the end of the connection from a proxy."""
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
        # All requests go to one endpoint; a proxy needs the whole URL.
        self._pool = None if proxy else self._pools.connection_from_url(endpoint)
        self._path = urlsplit(_url(endpoint)).path
        self._parser = ItemParser()

    def call(self, client: Any, operation: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """The result of one operation; replaces a client's `_make_api_call`."""
        if operation not in OPERATIONS_ON_ITEMS:
            left: dict[str, Any] = type(client)._make_api_call(client, operation, parameters)
            return left
        if operation == "TransactWriteItems":
            # As botocore does. A retry has the same token.
            parameters.setdefault("ClientRequestToken", str(uuid4()))
        model = client.meta.service_model.operation_model(operation)
        answer = self._signed_answer(client, operation, dumps(parameters))
        response = {"status_code": answer.status, "headers": answer.headers, "body": answer.data}
        parsed: dict[str, Any] = self._parser.parse(response, model.output_shape)
        if answer.status < 300:
            return parsed
        code = parsed.get("Error", {}).get("Code")
        shape = model.service_model.shape_for_error_code(code)
        # Details of the error, such as the cancellation reasons of a transaction.
        parsed |= self._parser.parse(response, shape) if shape else {}
        raise client.exceptions.from_code(code)(parsed, operation)

    def _signed_answer(self, client: Any, operation: str, body: bytes) -> _Answer:
        signer, url = client._request_signer, _url(client.meta.endpoint_url)
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
            answer = self._proxied(url, headers, body) if self._pool is None else self._direct(headers, body)
        except (urllib3.exceptions.HTTPError, HTTPException, OSError) as error:
            raise HTTPClientError(error=error) from error
        if 200 < answer.status < 300:
            raise HTTPClientError(error=f"{answer.status} is no answer of DynamoDB")
        checksum = answer.headers.get("x-amz-crc32")
        if checksum is not None and checksum != str(zlib.crc32(answer.data)):
            raise HTTPClientError(error="the checksum of the answer does not match")
        return answer

    def _direct(self, headers: dict[str, str], body: bytes) -> _Answer:
        """What urllib3's `urlopen` does without its retries and redirects, which take as long as the rest."""
        pool: Any = self._pool
        connection = pool._get_conn()
        try:
            connection.timeout = CONNECT_SECONDS
            connection.request("POST", self._path, body, headers)
            connection.timeout = _read_seconds()
            answer: _Answer = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        finally:
            pool._put_conn(connection)
        return answer

    def _proxied(self, url: str, headers: dict[str, str], body: bytes) -> _Answer:
        answer: _Answer = self._pools.urlopen(  # type: ignore[assignment]
            "POST",
            url,
            body=body,
            headers=headers,
            timeout=Timeout(connect=CONNECT_SECONDS, read=_read_seconds()),
            retries=NO_RETRIES,
            redirect=False,
        )
        return answer

    def close(self) -> None:
        self._pools.clear()


def _url(endpoint: str) -> str:
    return f"{endpoint.rstrip('/')}/"


def _read_seconds() -> float:
    seconds = float(settings.DYNAMODB_READ_SECONDS)
    remaining = deadline.current()
    return seconds if remaining is None else max(LEAST_READ_SECONDS, min(seconds, remaining.left))


def _wait_for_answer(sock: Any, seconds: float) -> tuple[bool, float]:
    """Whether an answer came before so many seconds of silence, and how much time was forgiven."""
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
