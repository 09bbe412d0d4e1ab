"""`make serve`: gunicorn with the production settings."""

import http.client
import json
import re
import subprocess
import sys
from pathlib import Path

from config.engines.dynoxide import Dynoxide
from config.engines.process import answers, free_port
from tests.config.processes import ROOT, clean_environment, descendants, eventually


def test_gunicorn_serves_with_two_workers_and_plain_http_is_sent_to_https(
    db: Dynoxide, tmp_path: Path
) -> None:
    port = free_port()
    environment = clean_environment(
        SECRET_KEY="only-for-this-test-" + "0123456789" * 5,
        ALLOWED_HOSTS="127.0.0.1",
        BIND=f"127.0.0.1:{port}",
        DYNAMODB_ENDPOINT=db.endpoint,
        COGNITO_USER_POOL_ID="eu-central-1_Test",
        COGNITO_CLIENT_ID="test",
        COGNITO_DOMAIN="https://login.fieldhouse.example",
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
    )
    command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
    log = tmp_path / "log"
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        eventually(lambda: answers(port, "/healthz") or server.poll() is not None, "gunicorn does not answer")
        assert server.poll() is None, log.read_text()
        assert answers(port, "/readyz")
        eventually(lambda: len(descendants(server.pid)) == 2, "there are not two workers")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/?code=hunter2")
        answer = connection.getresponse()
        connection.close()
        assert (answer.status, answer.getheader("Location")) == (
            301,
            f"https://127.0.0.1:{port}/?code=hunter2",
        )
    finally:
        server.terminate()
        assert server.wait(timeout=30) == 0
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    accesses = [line["event"] for line in lines if line["logger"] == "gunicorn.access"]
    # Two workers write in whichever order they finish.
    assert any(re.fullmatch(r"GET / 301 0 bytes \d+ ms", line) for line in accesses)
    assert "hunter2" not in log.read_text()
