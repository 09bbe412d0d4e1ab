"""How `make serve` runs gunicorn; every value can be set in the environment."""

import logging
from typing import Any

from config import env, logs

bind = env.text("BIND", default="127.0.0.1:8000")
workers = env.number("WEB_WORKERS", default=2, least=1, most=64)
threads = env.number("WEB_THREADS", default=8, least=1, most=256)
worker_class = "gthread"
# A DynamoDB client that was used before a fork corrupts requests.
preload_app = False
timeout = 30
graceful_timeout = 20
accesslog = "-"
# Without the query, which may hold a sign-in code or what somebody searched for.
access_log_format = "%(m)s %(U)s %(s)s %(B)s bytes %(M)s ms"
logconfig_dict = logs.configuration(level="INFO", as_json=True)
logging.captureWarnings(True)


def post_worker_init(worker: Any) -> None:
    """Open the connection before the first person needs it."""
    from dynamo import connection

    connection.warm()
