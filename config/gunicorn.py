"""How `make serve` runs gunicorn; every value can be set in the environment."""

import logging
from typing import Any

from config.backlog import SPARE, THREADS, WAITING
from core.common import env, logs

bind = env.text("BIND", default="127.0.0.1:8000")
workers = env.number("WEB_WORKERS", default=2, least=1, most=64)
threads = THREADS + WAITING + SPARE
worker_class = "gthread"
# A DynamoDB client that was used before a fork corrupts requests.
preload_app = False
timeout = 30
# Longer than proxies keep a connection that nobody uses (AWS: 60 s): who closes first may lose a request that
# is on its way. On a busy machine that happened with the usual 2 s.
keepalive = 75
graceful_timeout = 20
accesslog = "-"
# Without the query, which may hold a sign-in code or what somebody searched for.
access_log_format = "%(m)s %(U)s %(s)s %(B)s bytes %(M)s ms"
logconfig_dict = logs.configuration(level="INFO", as_json=True)
logging.captureWarnings(True)


def post_worker_init(worker: Any) -> None:
    """Open the connection before the first person needs it."""
    from core.dynamo import connection

    connection.warm()
