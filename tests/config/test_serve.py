"""`make serve`: gunicorn with the production settings."""

import http.client
import json
import re
from pathlib import Path

from config.engines.dynoxide import Dynoxide
from config.engines.process import answers, free_port
from tests.awaiting import assert_eventually
from tests.config.processes import descendants, serving


def test_gunicorn_serves_with_two_workers_and_plain_http_is_sent_to_https(
    db: Dynoxide, tmp_path: Path
) -> None:
    port = free_port()
    log = tmp_path / "log"
    with serving(port, log, DYNAMODB_ENDPOINT=db.endpoint, BEHIND_PROXY="false") as server:
        assert answers(port, "/readyz")
        assert_eventually(lambda: len(descendants(server.pid)) == 2, "there are not two workers")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        connection.request("GET", "/?code=hunter2")
        answer = connection.getresponse()
        connection.close()
        assert (answer.status, answer.getheader("Location")) == (
            301,
            f"https://127.0.0.1:{port}/?code=hunter2",
        )
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    accesses = [line["event"] for line in lines if line["logger"] == "gunicorn.access"]
    # Two workers write in whichever order they finish.
    assert any(re.fullmatch(r"GET / 301 0 bytes \d+ ms", line) for line in accesses)
    assert "hunter2" not in log.read_text()
