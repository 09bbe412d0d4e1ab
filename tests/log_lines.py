"""What the application writes to its log, for tests to look at."""

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.conf import settings

from core.common import logs

# Nothing that tests put into these values may ever be found in a log.
MAIL = "ada.lovelace+club@fieldhouse.example"
PRIVATE = ("hunter2", "lovelace", "fieldhouse.example", "müllheim", "eyJzdWIi", "c2lnbmF0dXJl")


@contextmanager
def written(*, as_json: bool = True, level: str = "DEBUG") -> Iterator[io.StringIO]:
    """What the configuration of the application writes while the block runs."""
    output = io.StringIO()
    configuration = logs.configuration(level=level, as_json=as_json)
    configuration["handlers"]["console"]["stream"] = output
    root = logging.getLogger()
    handlers = list(root.handlers)
    logging.config.dictConfig(configuration)
    structlog.contextvars.clear_contextvars()
    try:
        yield output
    finally:
        logging.config.dictConfig(settings.LOGGING)
        root.handlers[:] = handlers


def lines(output: io.StringIO) -> list[dict[str, Any]]:
    """Every line is one JSON object."""
    return [json.loads(line) for line in output.getvalue().splitlines()]


def assert_clean(output: io.StringIO) -> None:
    for secret in PRIVATE:
        assert secret not in output.getvalue()
