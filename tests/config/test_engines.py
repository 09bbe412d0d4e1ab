"""The local engines: installed once, started on a free port, stopped for certain."""

import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from config.engines import dynoxide, ministack
from config.engines.dynoxide import Dynoxide
from config.engines.install import EngineError, install_once
from config.engines.ministack import Ministack
from config.engines.process import answers, is_free
from tests.awaiting import assert_eventually
from tests.config.processes import ROOT, is_running


def call(engine: Dynoxide, operation: str, **payload: object) -> dict[str, object]:
    """One raw request, so that nothing of ours can repeat or repair it."""
    connection = http.client.HTTPConnection("127.0.0.1", engine.port, timeout=300)
    try:
        connection.request(
            "POST",
            "/",
            json.dumps(payload),
            {
                "X-Amz-Target": f"DynamoDB_20120810.{operation}",
                "Content-Type": "application/x-amz-json-1.0",
                "X-Amz-Date": "20260101T000000Z",
                "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/local/dynamodb/aws4_request, "
                "SignedHeaders=host, Signature=0",
            },
        )
        answer = connection.getresponse()
        body: dict[str, object] = json.loads(answer.read())
        assert answer.status == 200, body
        return body
    finally:
        connection.close()


def create_table(engine: Dynoxide) -> None:
    call(
        engine,
        "CreateTable",
        TableName="kept-records",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )


def stored_keys(engine: Dynoxide) -> set[str]:
    items = call(engine, "Scan", TableName="kept-records")["Items"]
    assert isinstance(items, list)
    return {item["PK"]["S"] for item in items}


def never_answers(folder: Path) -> Path:
    """An engine that starts and then does nothing."""
    program = folder / "engine"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    return program


# --- running ---


def test_an_engine_answers_on_loopback_as_soon_as_it_has_started() -> None:
    with Dynoxide() as engine:
        assert engine.endpoint == f"http://127.0.0.1:{engine.port}"
        assert call(engine, "ListTables") == {"TableNames": []}
        pid = engine.pid
    assert not is_running(pid)
    assert is_free(engine.port)


def test_500_acknowledged_writes_survive_kill_9_and_a_restart_on_the_same_port(tmp_path: Path) -> None:
    with Dynoxide(db_path=tmp_path / "dynamodb.sqlite") as engine:
        create_table(engine)
        port = engine.port
        for number in range(500):
            call(engine, "PutItem", TableName="kept-records", Item={"PK": {"S": str(number)}})
        engine.kill()
        engine.restart()
        assert engine.port == port
        assert stored_keys(engine) == {str(number) for number in range(500)}


def test_whatever_was_acknowledged_when_the_kill_came_is_kept(tmp_path: Path) -> None:
    acknowledged: set[str] = set()

    def write(engine: Dynoxide, writer: int) -> None:
        for number in range(10_000):
            key = f"{writer}-{number}"
            try:
                call(engine, "PutItem", TableName="kept-records", Item={"PK": {"S": key}})
            except (OSError, http.client.HTTPException):
                return
            acknowledged.add(key)

    with Dynoxide(db_path=tmp_path / "dynamodb.sqlite") as engine:
        create_table(engine)
        writers = [threading.Thread(target=write, args=(engine, writer)) for writer in range(4)]
        for writer in writers:
            writer.start()
        assert_eventually(lambda: len(acknowledged) >= 200, "the writers never got going")
        engine.kill()
        for writer in writers:
            writer.join()
        engine.restart()
        assert acknowledged <= stored_keys(engine)


def test_an_engine_without_a_file_forgets_everything() -> None:
    with Dynoxide() as engine:
        create_table(engine)
        engine.restart()
        assert call(engine, "ListTables") == {"TableNames": []}


def test_a_paused_engine_accepts_but_does_not_answer_until_it_is_resumed() -> None:
    with Dynoxide() as engine:
        engine.pause()
        with socket.create_connection(("127.0.0.1", engine.port), timeout=1) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: engine\r\n\r\n")
            connection.settimeout(0.3)
            with pytest.raises(TimeoutError):
                connection.recv(1)
            engine.resume()
            connection.settimeout(10)
            assert connection.recv(12) == b"HTTP/1.1 200"


def test_a_paused_engine_can_be_stopped() -> None:
    with Dynoxide() as engine:
        pid = engine.pid
        engine.pause()
    assert not is_running(pid)


def test_ministack_serves_cognito_and_s3_on_loopback(tmp_path: Path) -> None:
    with Ministack(data=tmp_path, region="eu-central-1") as engine:
        assert answers(engine.port, "/_ministack/health")
        pid = engine.pid
    assert not is_running(pid)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_an_engine_dies_with_the_process_that_started_it(how: signal.Signals) -> None:
    script = "from config.engines.dynoxide import Dynoxide; import time\n"
    script += "engine = Dynoxide().start(); print(engine.pid, flush=True); time.sleep(600)"
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.send_signal(how)
    assert_eventually(lambda: not is_running(pid), "the engine outlived its parent")


def test_ctrl_c_in_the_terminal_does_not_reach_the_engine() -> None:
    with Dynoxide() as engine:
        assert os.getsid(engine.pid) == engine.pid != os.getsid(0)


# --- not running ---


def test_a_port_in_use_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(EngineError) as refusal:
            Dynoxide(port=port).start()
    assert str(refusal.value) == f"dynoxide (DynamoDB) cannot start: port {port} is already in use."


def test_a_port_lost_to_another_process_is_replaced_by_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, socket.socket() as unused:
        taken = other.getsockname()[1]
        unused.bind(("127.0.0.1", 0))
        free = unused.getsockname()[1]
        unused.close()
        offered = iter([taken, free])
        monkeypatch.setattr("config.engines.process.free_port", lambda: next(offered))
        with Dynoxide() as engine:
            assert engine.port == free


def test_an_engine_that_never_answers_is_one_sentence_and_leaves_nothing_behind(tmp_path: Path) -> None:
    engine = Dynoxide(binary=never_answers(tmp_path), start_seconds=0.3)
    started: list[int] = []
    original = engine._wait_until_it_answers

    def note_pid_and_wait() -> None:
        started.append(engine.pid)
        original()

    engine._wait_until_it_answers = note_pid_and_wait  # type: ignore[method-assign]
    with pytest.raises(EngineError) as refusal:
        engine.start()
    assert str(refusal.value) == "dynoxide (DynamoDB) started but did not answer within 0.3 seconds."
    assert not is_running(started[0])


def test_an_engine_that_gives_up_while_starting_says_why(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\necho 'the disk is full' >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(EngineError) as refusal:
        Dynoxide(binary=program).start()
    assert str(refusal.value) == "dynoxide (DynamoDB) stopped while starting: the disk is full."


def test_a_program_that_cannot_be_run_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as refusal:
        Dynoxide(binary=tmp_path / "missing").start()
    assert str(refusal.value) == "dynoxide (DynamoDB) cannot start: No such file or directory."


def test_an_engine_that_was_never_started_has_no_pid() -> None:
    with pytest.raises(EngineError, match=r"^dynoxide \(DynamoDB\) is not running\.$"):
        _ = Dynoxide().pid


# --- installing ---


@pytest.fixture
def without_npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.usefixtures("without_npm")
def test_a_missing_npm_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as refusal:
        dynoxide.find_or_install(tmp_path / "engines")
    assert str(refusal.value) == (
        "npm is needed to install the local DynamoDB engine (dynoxide) and was not found."
    )


@pytest.mark.usefixtures("without_npm")
def test_an_engine_that_is_installed_needs_no_npm(tmp_path: Path) -> None:
    installed = dynoxide.FOLDER / "dynoxide"
    shutil.copytree(installed, tmp_path / "engines/dynoxide")
    binary = dynoxide.find_or_install(tmp_path / "engines")
    assert binary == tmp_path / "engines/dynoxide/node_modules/@dynoxide/linux-x64/dynoxide"
    assert os.access(binary, os.X_OK)


def test_a_half_finished_installation_is_done_again(tmp_path: Path) -> None:
    binary = tmp_path / "dynoxide/node_modules/@dynoxide/linux-x64/dynoxide"
    binary.parent.mkdir(parents=True)
    binary.write_text("only the first bytes")
    assert dynoxide.find_or_install(tmp_path) == binary
    with Dynoxide(binary=binary) as engine:
        assert call(engine, "ListTables") == {"TableNames": []}


def test_of_two_processes_that_install_at_once_one_installs_and_the_other_waits(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.touch()
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\necho run >> {runs}\nwhile [ ! -e {tmp_path}/go ]; do sleep 0.01; done\n")
    npm.chmod(0o755)
    script = "import sys, pathlib; from config.engines.dynoxide import find_or_install\n"
    script += "find_or_install(pathlib.Path(sys.argv[1]))"

    def install() -> subprocess.Popen[bytes]:
        environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        return subprocess.Popen(
            [sys.executable, "-c", script, tmp_path / "engines"], cwd=ROOT, env=environment
        )

    def npm_runs() -> int:
        return len(runs.read_text().splitlines())

    with install() as first:
        assert_eventually(lambda: npm_runs() == 1, "the first never called npm")
        with install() as second:
            assert_eventually(
                lambda: npm_runs() == 2 or waits_for_a_lock(second.pid), "the second never got there"
            )
            (tmp_path / "go").touch()
    assert (first.returncode, second.returncode, npm_runs()) == (0, 0, 1)


def waits_for_a_lock(pid: int) -> bool:
    return any(
        "->" in line and str(pid) in line.split() for line in Path("/proc/locks").read_text().splitlines()
    )


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "engines").write_text("a file where the folder should be")
    with pytest.raises(EngineError) as refusal:
        dynoxide.find_or_install(tmp_path / "engines")
    assert str(refusal.value) == f"The engines cannot be installed in {tmp_path / 'engines'}: File exists."


def test_what_another_python_has_installed_is_installed_anew(tmp_path: Path) -> None:
    pins = tmp_path / "pins"
    pins.write_text("ministack==1")
    installs: list[str] = []
    for version in ("3.11.7", "3.11.7", "3.13.0"):
        install_once(
            tmp_path / "engine",
            pins,
            lambda folder, version=version: installs.append(version),
            made_with=version,
        )
    assert installs == ["3.11.7", "3.13.0"]


def test_a_package_that_is_not_the_pinned_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pins = tmp_path / "pins"
    pins.mkdir()
    shutil.copy(dynoxide.PINS / "package.json", pins)
    lock = json.loads(dynoxide.LOCK_FILE.read_text())
    lock["packages"]["node_modules/@dynoxide/linux-x64"]["integrity"] = "sha512-" + "A" * 86 + "=="
    (pins / "package-lock.json").write_text(json.dumps(lock))
    monkeypatch.setattr(dynoxide, "PINS", pins)
    monkeypatch.setattr(dynoxide, "LOCK_FILE", pins / "package-lock.json")
    with pytest.raises(EngineError, match=r"^Installing dynoxide with npm failed: "):
        dynoxide.find_or_install(tmp_path / "engines")


def test_a_platform_without_a_package_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(EngineError) as refusal:
        dynoxide.find_or_install()
    assert str(refusal.value) == "dynoxide is published for Linux on x86-64, not for linux on riscv64."


def test_a_pip_that_fails_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pins = tmp_path / "ministack.txt"
    pins.write_text("ministack==0.0.0 --hash=sha256:" + "0" * 64 + "\n")
    monkeypatch.setattr(ministack, "REQUIREMENTS", pins)
    with pytest.raises(EngineError, match=r"^Installing ministack with pip failed: .*ministack==0\.0\.0"):
        ministack.find_or_install(tmp_path / "engines")


@pytest.mark.parametrize("pins", ["package-lock.json", "ministack.txt"])
def test_the_pins_hold_hashes_and_no_addresses(pins: str) -> None:
    text = (dynoxide.PINS / pins).read_text()
    assert "sha512-" in text or "--hash=sha256:" in text
    assert "http" not in text
    assert "resolved" not in text


def test_writes_do_not_read_all_earlier_stream_records(tmp_path: Path) -> None:
    path = tmp_path / "dynamodb.sqlite"
    asked = "SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?"
    with Dynoxide(db_path=path), closing(sqlite3.connect(path)) as database:
        plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {asked}", ["fieldhouse"])]

    assert len(plan) == 1
    assert "INDEX fieldhouse_stream_records (table_name=?)" in plan[0]
