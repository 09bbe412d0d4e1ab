"""The proxy itself: accepts clients, chooses faults, forwards the rest.

Each client connection has one thread and one engine connection of its own. When the engine goes away during
a request the client sees its connection break, as it would without a proxy.
"""

import random
import socket
import socketserver
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from functools import partial
from typing import Any, Self
from urllib.parse import urlsplit
from weakref import WeakSet

from core.dynamo.faults.capacity import Hot, Source
from core.dynamo.faults.faults import NO_FAULTS, PROBABILITIES, Faults
from core.dynamo.faults.lagging import LaggingCopies
from core.dynamo.faults.messages import (
    BATCHES,
    Call,
    EngineConnection,
    Message,
    Send,
    batch_entries,
    cancellation,
    grouped_like,
    handing_back,
    parts,
    refusal,
    written_items,
)
from core.dynamo.faults.overlapping import CAN_CONFLICT, CONFLICT, Overlaps
from core.dynamo.faults.schemas import Schemas
from core.dynamo.faults.throttling import Throttle
from core.dynamo.parsing import OPERATIONS_ON_ITEMS

THROTTLED = (
    "The level of configured provisioned throughput for the table was exceeded. "
    "Consider increasing your provisioning level with the UpdateTable API."
)


def can_happen(fault: str, request: Message) -> bool:
    """Whether AWS could answer this request with this fault."""
    match fault:
        case "throttle":
            return request.operation in OPERATIONS_ON_ITEMS
        case "conflict":
            return request.operation == "TransactWriteItems" and bool(request.payload.get("TransactItems"))
        case "unprocessed":
            return request.operation in BATCHES and len(batch_entries(request)) > 1
        case "stale_index":
            index_read = request.operation in ("Query", "Scan") and "IndexName" in request.payload
            return index_read and not request.payload.get("ConsistentRead")
        case _:
            return True


class Listener(socketserver.ThreadingTCPServer):
    """Accepts clients, one thread each; closing it waits for them."""

    request_queue_size = 256
    proxy: "FaultProxy"

    def finish_request(self, request: Any, client_address: Any) -> None:
        self.proxy.serve(request)

    def shutdown_request(self, request: Any) -> None:
        # Not the orderly shutdown of socketserver, which would soften a reset into an end of file.
        self.close_request(request)


class FaultProxy:
    """A context manager: while it is open, `endpoint` is the engine with the faults."""

    def __init__(
        self,
        engine: str,
        *,
        faults: Faults = NO_FAULTS,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        address = urlsplit(engine)
        self._engine_address = (address.hostname or "", address.port or 80)
        self._faults = faults
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._requests: list[str] = []
        self._injected: Counter[str] = Counter()
        self._copies = LaggingCopies()
        self._copies_caller: Message | None = None
        self._schemas = Schemas()
        self._overlaps = Overlaps(seed)
        self._throttle = Throttle(self._schemas, clock)
        self._open_sockets: WeakSet[socket.socket] = WeakSet()
        self._stopped = threading.Event()
        self._listener = Listener(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self._listener.proxy = self
        self._accepting = threading.Thread(target=self._listener.serve_forever, args=(0.02,))
        self.endpoint = f"http://127.0.0.1:{self._listener.server_address[1]}"

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._accepting.join()
        with self._lock:
            self._stopped.set()
            for open_socket in self._open_sockets:
                with suppress(OSError):
                    open_socket.shutdown(socket.SHUT_RDWR)
        self._overlaps.end_holds()
        self._listener.server_close()
        self.faults = NO_FAULTS

    @property
    def faults(self) -> Faults:
        return self._faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self._faults = faults
        if not faults.overlap:
            self._overlaps.end_holds()
        if not faults.stale_index and self._copies_caller:
            # An engine that is down or hangs keeps its copies; the next ones replace them.
            with suppress(OSError), closing(EngineConnection(self._connect)) as engine:
                self._copies.drop(engine.calls_like(self._copies_caller))

    @property
    def requests(self) -> list[str]:
        """The operations seen since the start or the last `clear`, in order of arrival."""
        with self._lock:
            return list(self._requests)

    @property
    def injected(self) -> Counter[str]:
        """How often each fault was answered since the start or the last `clear`."""
        with self._lock:
            return Counter(self._injected)

    @property
    def under_way(self) -> int:
        """How many transactions hold their items at this moment; always 0 without `overlap`."""
        return self._overlaps.under_way

    def hottest(self, most: int = 10) -> list[Hot]:
        """The partitions that gave most since the start or the last `clear`; counted only with `capacity`.

        To count without refusing anything, give them a thousandfold: `capacity=1000`.
        """
        return self._throttle.capacity.hottest(most)

    @property
    def units(self) -> dict[Source, float]:
        """The units of each table and index since then, the most first; counted only with `capacity`."""
        return self._throttle.capacity.totals()

    def clear(self) -> list[str]:
        """Forget the requests, faults and units seen so far; returns those requests."""
        self._throttle.capacity.forget_peaks()
        with self._lock:
            seen, self._requests = self._requests, []
            self._injected.clear()
            return seen

    def serve(self, client: socket.socket) -> None:
        """Answer one client's requests until it leaves, the engine fails or a fault breaks it off."""
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with (
            suppress(OSError),
            closing(EngineConnection(self._open_engine_socket)) as engine,
            client.makefile("rb") as stream,
        ):
            self._track(client)
            while request := Message.read(stream):
                answer = self._answer(request, engine, client)
                if answer is None:
                    break
                client.sendall(answer.encode())
            else:
                return
        # Without lingering the kernel sends RST on close, as for a connection that broke.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _open_engine_socket(self) -> socket.socket:
        opened = self._connect()
        opened.settimeout(None)  # an engine that hangs is the client's to judge
        self._track(opened)
        return opened

    def _connect(self) -> socket.socket:
        return socket.create_connection(self._engine_address, timeout=2)

    def _track(self, opened: socket.socket) -> None:
        """Remember a socket, so that closing the proxy can end whoever waits on it."""
        with self._lock:
            if self._stopped.is_set():
                opened.close()
                raise ConnectionAbortedError("The proxy has stopped.")
            self._open_sockets.add(opened)

    def _answer(self, request: Message, engine: EngineConnection, client: socket.socket) -> Message | None:
        """The engine's answer, a fault's, or None to reset the connection."""
        faults = self._faults
        fault = self._choose_fault(request, faults)
        with self._lock:
            self._requests.append(request.operation)
            self._injected.update([fault] if fault else [])
            wait = faults.latency * (1 + self._random.random()) / 1000 if faults.latency else 0
        self._stopped.wait(wait)
        match fault:
            case "hang":
                client.recv(1)  # returns when the client gives up or the proxy stops
                return None
            case "reset":
                return None
            case "error":
                return refusal("500 Internal Server Error", "InternalServerError", "Internal server error")
            case "throttle":
                return refusal("400 Bad Request", "ProvisionedThroughputExceededException", THROTTLED)
            case "conflict":
                return self._conflict(request)
            case "unprocessed":
                return self._partly(request, engine, faults)
            case "stale_index":
                call = self._follow([request.payload["TableName"]], request, engine)
                stale = partial(self._copies.read, call, lag=faults.lag)
                return self._within_capacity(request, call, faults, stale)
            case "lost_answer":
                self._forward(request, engine, faults)
                return None
            case _:
                return self._forward(request, engine, faults)

    def _count(self, fault: str) -> None:
        with self._lock:
            self._injected[fault] += 1

    def _choose_fault(self, request: Message, faults: Faults) -> str | None:
        # One draw shared out among the faults, so that each is exactly as likely as asked.
        with self._lock:
            draw = self._random.random()
        for fault in PROBABILITIES:
            probability = getattr(faults, fault)
            if probability and can_happen(fault, request):
                draw -= probability
                if draw < 0:
                    return fault
        return None

    def _forward(self, request: Message, engine: EngineConnection, faults: Faults) -> Message:
        """The engine's answer, unless a partition has no capacity left or a transaction is in the way."""
        call = engine.calls_like(request)
        send = partial(self._unless_held, engine=engine, faults=faults)
        return self._within_capacity(request, call, faults, send)

    def _within_capacity(self, request: Message, call: Call, faults: Faults, send: Send) -> Message:
        if not faults.capacity:
            return send(request)
        answer, is_throttled = self._throttle.carry_out(request, call, faults.capacity, send)
        if is_throttled:
            self._count("capacity")
        return answer

    def _unless_held(self, request: Message, engine: EngineConnection, faults: Faults) -> Message:
        send = partial(self._apply, engine=engine, faults=faults)
        if not faults.overlap or request.operation not in CAN_CONFLICT:
            return send(request)
        call = engine.calls_like(request)
        targets = [self._schemas.target_of(call, part) for part in parts(request)]
        answer, is_refused = self._overlaps.carry_out(request, targets, faults.overlap, send)
        if is_refused:
            self._count("overlap")
        return answer

    def _apply(self, request: Message, engine: EngineConnection, faults: Faults) -> Message:
        if not faults.stale_index:
            return engine.send(request)
        written = written_items(request)
        call = self._follow({table for table, _ in written}, request, engine)
        answer = engine.send(request)
        if answer.succeeded:
            self._copies.note(call, written)
        return answer

    def _follow(self, tables: Iterable[str], request: Message, engine: EngineConnection) -> Call:
        self._copies_caller = request
        call = engine.calls_like(request)
        for table in tables:
            self._copies.follow(call, table)
        return call

    def _conflict(self, request: Message) -> Message:
        """Cancel a transaction as AWS does when another one holds an item of it."""
        reasons = [{"Code": "None"} for _ in request.payload["TransactItems"]]
        with self._lock:
            unlucky = self._random.randrange(len(reasons))
        reasons[unlucky] = CONFLICT
        return cancellation(reasons)

    def _partly(self, request: Message, engine: EngineConnection, faults: Faults) -> Message:
        """Do some entries of a batch, at least one, and hand back the others, at least one."""
        entries = batch_entries(request)
        with self._lock:
            self._random.shuffle(entries)
            done = self._random.randrange(1, len(entries))
        part = {**request.payload, "RequestItems": grouped_like(request, entries[:done])}
        answer = self._forward(request.with_payload(part), engine, faults)
        return handing_back(request, answer, entries[done:])
