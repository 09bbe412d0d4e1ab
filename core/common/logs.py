"""Structured logs: one JSON object per line in production, readable lines on a developer's machine.

An event names who (`sub`), what and when; never tokens, cookies, e-mail addresses or the contents of records.
The last processor removes secrets and addresses that get into a message, ours or a library's.
"""

import logging
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any
from uuid import UUID

import structlog
from django.utils.functional import Promise
from structlog.contextvars import bind_contextvars
from structlog.stdlib import BoundLogger, ProcessorFormatter
from structlog.typing import EventDict, Processor, WrappedLogger

events: BoundLogger = structlog.stdlib.get_logger("fieldhouse.events")

REMOVED = "[removed]"
LONGEST = 2_000
# Tracebacks may be longer than other values; their end matters most, so it is kept.
LONGEST_TRACEBACK = 20_000
SENSITIVE = "authorization|cookie|credential|csrf|e-?mail|passw|secret|session_?(?:id|key)|token|verifier"
SENSITIVE_NAME = re.compile(SENSITIVE, re.IGNORECASE)
WORD = r"""[^\s@<>()\[\],;:="'/?&]"""
# Also percent-encoded, once or more often.
SLASH = "(?:/|%(?:25)*2F)"
# Values after a sensitive name.
NAMED = [
    # Headers: everything to the end of the line.
    (re.compile(r"""(?i)\b((?:set-)?cookie|authorization)(["']?\s*[:=]).*"""), rf"\1\2 {REMOVED}"),
    # name=value, "name": "value"
    (
        re.compile(
            rf"""(?i)([\w-]{{0,40}}(?:{SENSITIVE})[\w-]{{0,40}}["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&]+)"""
        ),
        rf"\1{REMOVED}",
    ),
]
PATTERNS = [
    # URLs with a token, also as a parameter of another URL (`next=%2Flive%2F…`). test_routes.py checks every
    # route that has a token.
    (
        re.compile(rf"""(?i)({SLASH}(?:calendars|invitations|live){SLASH})(?:(?!{SLASH})[^\s?&"'<>])+"""),
        rf"\1{REMOVED}",
    ),
    (re.compile(r"(?i)([?&](?:code|state)=)[^&\s]+"), rf"\1{REMOVED}"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]+"), rf"\1 {REMOVED}"),
    # A JSON Web Token begins with the base64 of '{"'.
    (re.compile(r"eyJ[\w-]+(?:\.[\w-]*)+"), REMOVED),
    (re.compile(rf"""("[^"@]*"|(?<!{WORD}){WORD}+)(?:@|%40){WORD}+"""), REMOVED),
]
# Most values: the patterns above match nothing in them, because they need another character or `eyJ`.
PLAIN = re.compile(r"(?!.*eyJ)[\w.-]*")
# At DEBUG these libraries log whole items, tokens and addresses.
QUIET = ("authlib", "botocore", "httpx", "pynamodb", "requests", "urllib3")
# These loggers have handlers of their own, which would bypass `redact`; at DEBUG they log page contents.
OTHERS = ("django", "django.server", "gunicorn.access", "gunicorn.error")

# What `SHARED` adds to every line: nothing of a request, whatever the caller names like it.
MADE_HERE = {"level", "logger", "timestamp"}
SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def clean(text: str) -> str:
    """The text with everything removed that looks like a secret or an e-mail address."""
    if PLAIN.fullmatch(text):
        return text
    # Few texts contain a sensitive name; searching for one first takes a sixth of the time.
    for pattern, replacement in (*NAMED, *PATTERNS) if SENSITIVE_NAME.search(text) else PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def _beginning(text: str) -> str:
    """The beginning of a long text, cut between words: half a secret would not be recognised as one."""
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] + " …"


def _end(traceback: str) -> str:
    """The end of a long traceback, cut between lines for the same reason."""
    if len(traceback) <= LONGEST_TRACEBACK:
        return traceback
    return "…\n" + traceback[-LONGEST_TRACEBACK:].partition("\n")[2]


@lru_cache(maxsize=256)
def _is_sensitive(name: str) -> bool:
    return bool(SENSITIVE_NAME.search(name))


def _safe(name: str, value: Any) -> Any:
    """A value for the log. Of an object only the type is logged, because it may be a record."""
    if _is_sensitive(name):
        return REMOVED
    match value:
        case None | bool() | int() | float():
            return value
        case str() | Promise() | date() | Decimal() | UUID():
            # Against log injection by line breaks in values of a request.
            return clean(_beginning(str(value))).replace("\r", "\\r").replace("\n", "\\n")
        case Mapping():
            return {clean(_beginning(str(key))): _safe(str(key), part) for key, part in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_safe(name, part) for part in value]
    return f"<{type(value).__name__}>"


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """The last structlog processor before the renderer: removes secrets and cuts long values."""
    traceback = event.pop("exception", None)
    safe = {name: value if name in MADE_HERE else _safe(name, value) for name, value in event.items()}
    return safe if traceback is None else safe | {"exception": clean(_end(traceback))}


class RefusalFilter(logging.Filter):
    """Drops Django's own log lines about 4xx responses and keeps their text as `reason`.

    RequestLogMiddleware logs each of these responses once.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        is_refusal = getattr(record, "status_code", 500) < 500
        if is_refusal:
            bind_contextvars(reason=record.getMessage())
        return not is_refusal


def configuration(*, level: str, as_json: bool) -> dict[str, Any]:
    """The LOGGING setting: all loggers, ours and those of libraries, use the same processors."""
    renderer: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    steps = [
        ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        redact,
        renderer,
    ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": ProcessorFormatter, "foreign_pre_chain": SHARED, "processors": steps}},
        "filters": {"refusals": {"()": RefusalFilter}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {name: {"level": "WARNING"} for name in QUIET}
        | {name: {"level": "INFO" if level == "DEBUG" else level, "propagate": True} for name in OTHERS},
    }


structlog.configure(
    processors=[*SHARED, ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=BoundLogger,
)
