"""Read settings from environment variables and fail loudly, naming the variable, when one is wrong."""

import os
import re
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


def text(*names: str, default: str = "") -> str:
    """The value of the first of these variables that is set and not empty."""
    return next((value for name in names if (value := os.environ.get(name, "").strip())), default)


def required(name: str, *, why: str) -> str:
    if value := text(name):
        return value
    raise ImproperlyConfigured(f"{name} must be set: {why}")


def flag(name: str, *, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.strip().lower() in TRUE:
        return True
    if value.strip().lower() in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")


def number(name: str, *, default: int, least: int, most: int) -> int:
    value = text(name)
    if not value:
        return default
    if not value.isdecimal() or not least <= int(value) <= most:
        raise ImproperlyConfigured(f"{name} must be a whole number from {least} to {most}, not {value!r}.")
    return int(value)


def words(name: str) -> list[str]:
    """A comma-separated list."""
    return [word for part in text(name).split(",") if (word := part.strip())]


def origins(name: str) -> list[str]:
    """Several origins, such as https://app.example: scheme and host, nothing behind it."""
    given = words(name)
    for each in given:
        if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?", each):
            raise ImproperlyConfigured(f"{name} must be origins such as https://app.example, not {each!r}.")
    return given


def address(*names: str) -> str | None:
    """The http(s) address in the first of these variables that is set."""
    name = next((name for name in names if text(name)), None)
    if name is None:
        return None
    value = text(name)
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise ImproperlyConfigured(f"{name} must be an http or https address, not {value!r}.")
    return value.rstrip("/")


def origin(address: str) -> str:
    """Scheme, host and port of a URL, for a Content-Security-Policy."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def bucket_address(bucket: str, endpoint: str | None, region: str) -> str:
    """The URL at which browsers reach the bucket: its host in AWS, a folder of the local S3; else empty."""
    if not bucket:
        return ""
    return f"{endpoint}/{bucket}" if endpoint else f"https://{bucket}.s3.{region}.amazonaws.com"


def matching(name: str, pattern: str, *, default: str, rule: str) -> str:
    value = text(name, default=default)
    if re.fullmatch(pattern, value):
        return value
    raise ImproperlyConfigured(f"{name} must be {rule}, not {value!r}.")
