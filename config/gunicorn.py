"""The gunicorn configuration of `make serve`; BIND and WEB_WORKERS come from the environment."""

import gc
import logging
from typing import Any

from config.backlog import SPARE, THREADS, WAITING
from core.common import env, logs

# Containers that are made and not freed before the collector looks at the youngest; the default is 700.
GARBAGE_THRESHOLD = 20_000

bind = env.text("BIND", default="127.0.0.1:8000")
workers = env.number("WEB_WORKERS", default=2, least=1, most=64)
threads = THREADS + WAITING + SPARE
worker_class = "gthread"
# No preload: a DynamoDB client that was used before a fork corrupts requests.
preload_app = False
timeout = 30
# Longer than the idle timeout of proxies (AWS: 60 s): if the server closes first, a request on its way is
# lost. On a busy machine that happened with the default of 2 s.
keepalive = 75
graceful_timeout = 20
accesslog = "-"
# Without the query string, which may contain a sign-in code or a search text.
access_log_format = "%(m)s %(U)s %(s)s %(B)s bytes %(M)s ms"
logconfig_dict = logs.configuration(level="INFO", as_json=True)
logging.captureWarnings(True)


def post_worker_init(worker: Any) -> None:
    """Open the connection to DynamoDB before the first request, and look for garbage less often.

    What was imported stays as long as the worker, and most of what a request makes is freed by counting
    references: the collector finds next to nothing, and took up to a twentieth of the time of a page.
    """
    from core.dynamo import connection

    connection.warm()
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)
