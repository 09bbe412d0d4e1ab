"""The way of a request to DynamoDB and back: connections, signatures, checksums, certificates, proxies."""

import json
import ssl
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Barrier, Event, Thread
from typing import Any
from unittest.mock import patch

import pytest
from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials, RefreshableCredentials
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.dynamo import connection, queries, transactions, transport
from core.dynamo.errors import Unavailable
from core.dynamo.signing import signed
from core.dynamo.support_table import SupportItem

KEY = {"PK": {"S": "1"}, "SK": {"S": "1"}}
ITEM = {"Item": {**KEY, "text": {"S": "x" * 100}}}


class Engine:
    """Answers every request with the same item and remembers how it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.connections: set[Any] = set()
        self.checksums: list[int] = []
        self.frame = "length"

    def framing(self, content: bytes) -> dict[str, str]:
        """The headers that tell where the answer ends."""
        return {
            "length": {"Content-Length": str(len(content))},
            "last": {"Content-Length": str(len(content)), "Connection": "close"},
            "cut off": {"Content-Length": str(len(content) + 1), "Connection": "close"},
            "chunks": {"Transfer-Encoding": "chunked"},
            "end of connection": {"Connection": "close"},
        }[self.frame]

    def framed(self, content: bytes) -> bytes:
        if self.frame != "chunks":
            return content
        parts = (content[:50], content[50:], b"")
        return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)

    @property
    def credentials(self) -> list[str]:
        """The access key that each request was signed with."""
        return [
            headers["Authorization"].split("Credential=")[1].split("/")[0] for _line, headers in self.asked
        ]


@contextmanager
def engine(certificate: Path | None = None) -> Iterator[tuple[int, Engine]]:
    script = Engine()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            script.asked.append((self.requestline, dict(self.headers)))
            script.connections.add(self.client_address)
            content = json.dumps(ITEM).encode()
            self.send_response(200)
            for name, value in script.framing(content).items():
                self.send_header(name, value)
            checksum = script.checksums.pop(0) if script.checksums else zlib.crc32(content)
            self.send_header("x-amz-crc32", str(checksum))
            self.end_headers()
            self.wfile.write(script.framed(content))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        server.daemon_threads = True
        server.block_on_close = False
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port, script
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def connect(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """`connect(endpoint)` gives the application a new connection to it; nothing pauses between attempts."""
    monkeypatch.setattr(connection.SharedConnection, "first_pause", 0)
    monkeypatch.setattr(connection, "_shared", None)

    def to(endpoint: str) -> None:
        settings.DYNAMODB_ENDPOINT = endpoint
        connection.reset()

    yield to
    connection.reset()


def read() -> SupportItem | None:
    return queries.get(SupportItem, KEY)


@contextmanager
def raw_engine(answer: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Sends these bytes for every request, and ends the connection."""
    asked: list[bytes] = []

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(65_536))
            self.request.sendall(answer)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1], asked
        finally:
            server.shutdown()
            thread.join()


def test_requests_one_after_another_share_a_connection(connect: Callable[[str], None]) -> None:
    with engine() as (port, script):
        connect(f"http://127.0.0.1:{port}")
        assert [read() is None for _ in range(3)] == [False] * 3

    assert len(script.asked) == 3
    assert len(script.connections) == 1


@pytest.mark.parametrize("frame", ["last", "chunks", "end of connection"])
def test_answers_are_read_as_proxies_may_send_them(connect: Callable[[str], None], frame: str) -> None:
    with engine() as (port, script):
        script.frame = frame
        connect(f"http://127.0.0.1:{port}")
        assert [read() is None for _ in range(2)] == [False] * 2

    assert len(script.asked) == len(script.connections) == 2


def test_an_answer_that_is_cut_off_is_none(connect: Callable[[str], None]) -> None:
    with engine() as (port, script):
        script.frame = "cut off"
        connect(f"http://127.0.0.1:{port}")
        with pytest.raises(Unavailable):
            read()

    assert len(script.asked) == 3


# Whole answers end their connection in words: else it is used again, which the engine might see or not.
@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 2",
        b"HTTP/1.1 20",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oops\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\nx-amz-crc32: zz\r\n\r\n{}",
        b"SSH-2.0-OpenSSH_9.2\r\n",
    ],
)
def test_a_write_counts_only_with_a_whole_answer(connect: Callable[[str], None], answer: bytes) -> None:
    with raw_engine(answer) as (port, asked):
        connect(f"http://127.0.0.1:{port}")
        with pytest.raises(Unavailable):
            transactions.commit(transactions.put_raw(SupportItem, KEY))

    assert len(asked) == 3


def test_the_answer_is_the_one_after_an_interim_one(connect: Callable[[str], None]) -> None:
    content = json.dumps(ITEM).encode()
    head = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"
    with raw_engine(head % len(content) + content) as (port, _asked):
        connect(f"http://127.0.0.1:{port}")
        assert read() is not None


def test_threads_that_come_first_at_once_make_one_transport(
    connect: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    begin, slow = Barrier(6), Event()

    class Noted(transport.Transport):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            made.append(self)
            # Long enough for the others to come meanwhile.
            slow.wait(0.2)
            super().__init__(*arguments, **options)

    def come() -> None:
        begin.wait()
        connection.warm()

    monkeypatch.setattr(connection, "Transport", Noted)
    connect("http://127.0.0.1:1")
    connection.connection()
    threads = [Thread(target=come) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(made) == 1


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/", "https://dynamodb.eu-central-1.amazonaws.com"])
@pytest.mark.parametrize("token", [None, "a token"])
def test_requests_are_signed_as_botocore_signs_them(url: str, token: str | None) -> None:
    headers = {"X-Amz-Target": "DynamoDB_20120810.GetItem", "Content-Type": "application/x-amz-json-1.0"}
    credentials = Credentials("access", "secret", token)
    ours = signed(url, headers, b"{}", credentials=credentials, region="eu-central-1")

    moment = datetime.strptime(ours["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    request = AWSRequest("POST", url, headers=headers, data=b"{}")
    with patch.object(auth, "get_current_datetime", return_value=moment):
        auth.SigV4Auth(credentials, "dynamodb", "eu-central-1").add_auth(request)
    assert ours["Authorization"] == request.headers["Authorization"]


def test_an_answer_with_a_wrong_checksum_is_asked_for_again(connect: Callable[[str], None]) -> None:
    with engine() as (port, script):
        connect(f"http://127.0.0.1:{port}")
        script.checksums = [1, 2]
        assert read() is not None
        assert len(script.asked) == 3

        script.checksums = [1, 2, 3]
        with pytest.raises(Unavailable):
            read()


def test_every_request_is_signed_with_the_credentials_of_its_time(connect: Callable[[str], None]) -> None:
    """The role of a machine hands out new ones every few hours."""
    names = iter(["FIRST", "SECOND", "THIRD"])

    def handed_out() -> dict[str, str]:
        # Soon to expire, so that the next request asks again.
        expiry = (datetime.now(UTC) + timedelta(seconds=30)).isoformat()
        return {"access_key": next(names), "secret_key": "s", "token": "t", "expiry_time": expiry}

    credentials = RefreshableCredentials.create_from_metadata(handed_out(), handed_out, "test")
    with engine() as (port, script):
        connect(f"http://127.0.0.1:{port}")
        connection.connection().client._request_signer._credentials = credentials
        read()
        read()

    assert script.credentials == ["SECOND", "THIRD"]
    assert [headers["X-Amz-Security-Token"] for _line, headers in script.asked] == ["t", "t"]


def self_signed(path: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.parametrize("trusted", [True, False])
def test_only_a_certificate_that_is_trusted_is_talked_to(
    connect: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    certificate = self_signed(tmp_path / "certificate.pem")
    if trusted:
        monkeypatch.setenv("AWS_CA_BUNDLE", str(certificate))
    with engine(certificate) as (port, script):
        connect(f"https://127.0.0.1:{port}")
        if trusted:
            assert read() is not None
            assert read() is not None
            assert len(script.connections) == 1
        else:
            with pytest.raises(Unavailable):
                read()
            assert script.asked == []


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:{port}", "127.0.0.1:{port}"])
def test_a_proxy_of_the_environment_is_used(
    connect: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    with engine() as (port, script):
        monkeypatch.setenv("http_proxy", proxy.format(port=port))
        connect("http://dynamodb.invalid:8000")
        assert read() is not None

    assert [line for line, _headers in script.asked] == ["POST http://dynamodb.invalid:8000/ HTTP/1.1"]


def test_a_proxy_is_told_the_password(
    connect: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with engine() as (port, script):
        monkeypatch.setenv("http_proxy", f"http://user:pw@127.0.0.1:{port}")
        connect("http://dynamodb.invalid:8000")
        assert read() is not None

    ((_line, headers),) = script.asked
    assert headers["Proxy-Authorization"] == "Basic dXNlcjpwdw=="
