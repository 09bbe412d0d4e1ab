"""What one person's browser does, for many people in one process: asyncio and the standard library only."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

HOST = "127.0.0.1"
CSRF = "c" * 32
PATIENCE_SECONDS = 120
NO_ANSWER = 0
# Somebody who was refused for a moment, or got no answer, tries the same again.
AGAIN_SECONDS = 1.0
# So long after the end somebody may still try.
LAST_TRIES_SECONDS = 60
HTMX = {"HX-Request": "true"}


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str] = {}
    body: str = ""
    cookies: Mapping[str, str] = {}

    @property
    def is_for_a_moment(self) -> bool:
        """Whether the same request may have another answer soon."""
        return self.status == NO_ANSWER or self.status == 429 or self.status >= 500


class Sent(NamedTuple):
    """One request: when it was due since the beginning, and how long after that it was answered."""

    kind: str
    due: float
    ms: float
    status: int
    is_refusal: bool


@dataclass
class Journal:
    """What happened, and what was acknowledged, by its kind."""

    sent: list[Sent] = field(default_factory=list)
    acknowledged: dict[str, list[Any]] = field(default_factory=dict)

    def note(self, what: str, *details: Any) -> None:
        self.acknowledged.setdefault(what, []).append(details)


class Clock:
    """The requests of everybody are due by this clock, however late earlier ones are answered."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.begin = asyncio.get_running_loop().time()

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time() - self.begin

    async def until(self, due: float) -> None:
        await asyncio.sleep(max(0.0, due - self.now))

    @property
    def is_over(self) -> bool:
        return self.now > self.seconds + LAST_TRIES_SECONDS


class Connection:
    """One kept connection; a broken one is opened anew by the next request."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> Answer:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                reader, writer = await self._opened()
                writer.write(request)
                return await self._read(reader)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            self.close()
            return Answer(NO_ANSWER)

    def close(self) -> None:
        if self._open is not None:
            with suppress(OSError, RuntimeError):
                self._open[1].close()
        self._open = None

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        # The server may have closed it since the last request.
        if self._open is None or self._open[0].at_eof() or self._open[0].exception():
            self.close()
            self._open = await asyncio.open_connection(HOST, self._port, limit=2**20)
        return self._open

    async def _read(self, reader: asyncio.StreamReader) -> Answer:
        status = int((await reader.readuntil(b"\r\n")).split()[1])
        headers: dict[str, str] = {}
        cookies: dict[str, str] = {}
        while line := (await reader.readuntil(b"\r\n")).strip():
            name, _colon, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
            if name.lower() == "set-cookie":
                cookie, _equals, content = value.strip().partition("=")
                cookies[cookie] = content.partition(";")[0]
        if headers.get("transfer-encoding") == "chunked":
            body = b"".join([chunk async for chunk in _chunks(reader)])
        else:
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        return Answer(status, headers, body.decode(), cookies)


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int(await reader.readuntil(b"\r\n"), 16):
        yield await reader.readexactly(size)
        await reader.readexactly(len(b"\r\n"))
    await reader.readexactly(len(b"\r\n"))


class Browser:
    """Somebody with a kept connection and their cookies."""

    def __init__(self, port: int, clock: Clock, journal: Journal, *, session: str = "") -> None:
        self._port, self._clock, self._journal = port, clock, journal
        self._connection = Connection(port)
        self.cookies = {"__Host-csrf": CSRF} | ({"__Host-session": session} if session else {})

    def beside(self) -> "Browser":
        """The same person on another connection."""
        return Browser(self._port, self._clock, self._journal, session=self.cookies.get("__Host-session", ""))

    async def get(
        self,
        kind: str,
        due: float,
        path: str,
        *,
        expect: Collection[int] = (200,),
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return await self._send(kind, due, "GET", path, "", expect, headers or {})

    async def post(
        self,
        kind: str,
        due: float,
        path: str,
        fields: Mapping[str, Any],
        *,
        expect: Collection[int] = (302,),
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a form with a key, and again with the same key for as long as the refusal is for a moment."""
        body = urlencode({"once": str(uuid4()), **fields}, doseq=True)
        while True:
            answer = await self._send(kind, due, "POST", path, body, expect, headers or {})
            if not answer.is_for_a_moment or self._clock.is_over:
                return answer
            due = self._clock.now + AGAIN_SECONDS

    async def _send(
        self,
        kind: str,
        due: float,
        method: str,
        path: str,
        body: str,
        expect: Collection[int],
        headers: Mapping[str, str],
    ) -> Answer:
        await self._clock.until(due)
        answer = await self._connection.ask(self._as_bytes(method, path, body, headers))
        self.cookies.update(answer.cookies)
        took = (self._clock.now - due) * 1000
        self._journal.sent.append(Sent(kind, due, took, answer.status, answer.status not in expect))
        return answer

    def _as_bytes(self, method: str, path: str, body: str, headers: Mapping[str, str]) -> bytes:
        sent = {
            "Host": f"{HOST}:{self._port}",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-Forwarded-Proto": "https",
            "Accept-Language": "de",
            **headers,
        }
        if method == "POST":
            sent |= {
                "Origin": f"https://{HOST}:{self._port}",
                "X-CSRFToken": self.cookies["__Host-csrf"],
                "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": str(len(body)),
            }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
        return "\r\n".join([*lines, "", body]).encode()

    def close(self) -> None:
        self._connection.close()
