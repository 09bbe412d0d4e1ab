"""A local engine as a child process that ends with ours: start, stop, kill, pause, restart."""

import ctypes
import http.client
import os
import random
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, ClassVar, Self

from config.engines.install import EngineError

HOST = "127.0.0.1"
# Below the ephemeral ports, so that a stopped engine's port stays free for its restart.
PORTS = range(20_000, 32_000)
LIBC = ctypes.CDLL(None) if os.uname().sysname == "Linux" else None
PR_SET_PDEATHSIG = 1


class Engine:
    """Base class; subclasses define the command and the URL that answers when the engine is ready."""

    name: ClassVar[str]
    health_path: ClassVar[str] = "/"
    # The signal that the child gets when our process dies.
    death_signal: ClassVar[signal.Signals] = signal.SIGKILL
    # Whether the output is captured for error messages; otherwise it goes to the terminal.
    keeps_output: ClassVar[bool] = True

    def __init__(self, *, port: int | None = None, start_seconds: float = 30) -> None:
        self._wanted_port = port
        self._start_seconds = start_seconds
        self._output: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def command(self) -> list[str | Path]:
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        return os.environ

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        return self._running().pid

    def start(self) -> Self:
        """Start on the wanted port or on a free one, with retries, because another process may take that."""
        if self._wanted_port is not None:
            self._start_on(self._wanted_port)
            return self
        for attempts_left in (4, 3, 2, 1, 0):
            try:
                self._start_on(free_port())
                break
            except PortTakenError:
                if not attempts_left:
                    raise
        return self

    def stop(self) -> None:
        """SIGTERM, and SIGKILL after ten seconds."""
        if self._process is None:
            return
        self.resume()
        self._signal_all(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        self.kill()

    def kill(self) -> None:
        """SIGKILL, as a power cut."""
        process = self._running()
        self._signal_all(signal.SIGKILL)
        process.wait()
        self._forget()

    def pause(self) -> None:
        """SIGSTOP: connections are accepted but not answered."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal_all(signal.SIGCONT)

    def restart(self) -> None:
        """Start again on the same port, stopping it first if it still runs."""
        self.stop()
        self._start_on(self.port)

    def has_died(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def complaint(self) -> str:
        """The last line of the engine's output, for error messages."""
        if self._output is None:
            return "see above"
        self._output.seek(0)
        lines = self._output.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip().rstrip(".") if lines else "it gave no reason"

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _signal_all(self, number: signal.Signals) -> None:
        """Send a signal to the engine's process group, even if the engine itself has ended."""
        with suppress(ProcessLookupError):
            os.killpg(self._running().pid, number)

    def _forget(self) -> None:
        self._process = None
        if self._output is not None:
            self._output.close()
            self._output = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise EngineError(f"{self.name} is not running.")
        return self._process

    def _start_on(self, port: int) -> None:
        if not is_free(port):
            raise PortTakenError(f"{self.name} cannot start: port {port} is already in use.")
        self.port = port
        if self.keeps_output:
            self._output = tempfile.TemporaryFile()  # noqa: SIM115 (closed when the engine ends)
        try:
            self._process = start_child(
                self.command(), self.environment(), output=self._output, death_signal=self.death_signal
            )
        except OSError as error:
            self._forget()
            raise EngineError(f"{self.name} cannot start: {error.strerror}.") from error
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.stop()
            raise

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + self._start_seconds
        while time.monotonic() < deadline:
            if self.has_died():
                raise self._early_death()
            if answers(self.port, self.health_path):
                # If another engine took the port, ours has died and the response came from the other one.
                if self.has_died():
                    raise self._early_death()
                return
            time.sleep(0.01)
        raise EngineError(f"{self.name} started but did not answer within {self._start_seconds:g} seconds.")

    def _early_death(self) -> EngineError:
        if not is_free(self.port):
            return PortTakenError(f"{self.name} cannot start: port {self.port} is already in use.")
        return EngineError(f"{self.name} stopped while starting: {self.complaint()}.")


class PortTakenError(EngineError):
    """Another process listens on the port."""


def start_child(
    command: list[str | Path],
    environment: Mapping[str, str],
    *,
    output: IO[bytes] | None,
    death_signal: signal.Signals,
) -> subprocess.Popen[bytes]:
    """A child in its own session, without our Ctrl-C; it gets `death_signal` when this thread ends."""
    return subprocess.Popen(  # noqa: S603
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output else None,
        start_new_session=True,
        preexec_fn=_die_with(os.getpid(), death_signal),
    )


def _die_with(parent: int, death_signal: signal.Signals) -> Callable[[], None]:
    def ask_the_kernel() -> None:
        if LIBC is not None:
            LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal))
            if os.getppid() != parent:
                os._exit(1)

    return ask_the_kernel


def free_port() -> int:
    for port in random.sample(PORTS, 100):
        if is_free(port):
            return port
    raise EngineError(f"No free port was found between {PORTS.start} and {PORTS.stop}.")


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=1)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
