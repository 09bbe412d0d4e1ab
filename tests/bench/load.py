"""Clients that send requests on kept connections, in a process of their own: standard library only.

`run` starts it: the plan goes to its standard input, what was answered comes from its standard output.
"""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle
from typing import Any

HOST = "127.0.0.1"
PATIENCE_SECONDS = 60
NO_ANSWER = 0
# A write is sent again, because the next one builds on it; each refusal counts as an error all the same.
ATTEMPTS = 3


@dataclass(frozen=True)
class Request:
    """`expect` is the one status that counts as done."""

    path: str
    method: str = "GET"
    body: str = ""
    content_type: str = "application/x-www-form-urlencoded"
    expect: int = 200


@dataclass(frozen=True)
class Plan:
    """One list of requests per client. Reads go round and round; writes end with their list."""

    port: int
    headers: Mapping[str, str]
    clients: Sequence[Sequence[Request]]
    seconds: float
    again: bool = True


@dataclass
class Answers:
    """What came back: milliseconds of what was done, and how many answers of each status."""

    elapsed: float = 0.0
    ms: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    # Of each client, which of its requests were done.
    done: list[list[int]] = field(default_factory=list)
    # Of the server's workers; whoever runs the plan knows them.
    processor_seconds: float = 0.0

    def add(self, other: "Answers") -> None:
        self.elapsed += other.elapsed
        self.ms += other.ms
        self.statuses += other.statuses
        self.errors += other.errors
        self.done += other.done
        self.processor_seconds += other.processor_seconds

    @property
    def per_second(self) -> float:
        return len(self.ms) / self.elapsed if self.elapsed else 0.0


def run(plan: Plan) -> Answers:
    """Carry out a plan in a process of its own, so that its work is not ours."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.load"],
        input=json.dumps(asdict(plan)).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    told = json.loads(done.stdout)
    return Answers(**told | {"statuses": Counter(told["statuses"])})


class Client:
    """One kept connection."""

    def __init__(self, port: int, headers: Mapping[str, str]) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_SECONDS)
        self._headers = headers

    def ask(self, request: Request) -> tuple[int, bytes]:
        headers = {**self._headers}
        if request.method == "POST":
            headers["Content-Type"] = request.content_type
        try:
            self._connection.request(request.method, request.path, request.body.encode() or None, headers)
            answer = self._connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return NO_ANSWER, b""

    def close(self) -> None:
        self._connection.close()


def _carry_out(plan: dict[str, Any]) -> Answers:
    total, lock = Answers(), threading.Lock()
    done: list[list[int]] = [[] for _client in plan["clients"]]
    ready = threading.Barrier(len(plan["clients"]) + 1)

    def work(number: int, requests: Iterator[Request]) -> None:
        client, answers = Client(plan["port"], plan["headers"]), Answers()
        ready.wait()
        deadline = time.perf_counter() + plan["seconds"]
        for index, request in enumerate(requests):
            started = time.perf_counter()
            if started >= deadline:
                break
            for _attempt in range(1 if plan["again"] else ATTEMPTS):
                status, _body = client.ask(request)
                answers.statuses[str(status)] += 1
                if status == request.expect:
                    answers.ms.append((time.perf_counter() - started) * 1000)
                    done[number].append(index)
                    break
                answers.errors += 1
        client.close()
        with lock:
            total.add(answers)

    threads = []
    for number, listed in enumerate(plan["clients"]):
        requests = [Request(**each) for each in listed]
        endless = cycle(requests) if plan["again"] else iter(requests)
        threads.append(threading.Thread(target=work, args=(number, endless)))
    for thread in threads:
        thread.start()
    ready.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    total.elapsed, total.done = time.perf_counter() - started, done
    return total


if __name__ == "__main__":
    json.dump(vars(_carry_out(json.load(sys.stdin))), sys.stdout)
