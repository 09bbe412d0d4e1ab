"""Sign requests to DynamoDB: AWS Signature Version 4, for a POST of bytes without a query.

botocore's own way there takes five times as long: it goes through all headers, and every time it derives from
the secret the key that is the same all day.
"""

import hmac
import time
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlsplit

from botocore.exceptions import NoCredentialsError

SERVICE = "dynamodb"
END = "aws4_request"
# In the order of the alphabet, as they are signed; the others may be changed on the way.
SIGNED = ("content-type", "host", "x-amz-date", "x-amz-security-token", "x-amz-target")


def signed(
    url: str, headers: dict[str, str], body: bytes, *, credentials: Any, region: str
) -> dict[str, str]:
    """The headers of a request, with those that prove who sent it."""
    if credentials is None:
        raise NoCredentialsError
    host, path = _place(url)
    moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    proven = {**headers, "Host": host, "X-Amz-Date": moment}
    if credentials.token:
        proven["X-Amz-Security-Token"] = credentials.token
    given = {name.lower(): " ".join(value.split()) for name, value in proven.items()}
    names = [name for name in SIGNED if name in given]
    lines = "".join(f"{name}:{given[name]}\n" for name in names)
    request = f"POST\n{path}\n\n{lines}\n{';'.join(names)}\n{sha256(body).hexdigest()}"
    scope = f"{moment[:8]}/{region}/{SERVICE}/{END}"
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{sha256(request.encode()).hexdigest()}"
    signature = _digest(_key(credentials.secret_key, moment[:8], region), text).hex()
    proven["Authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={credentials.access_key}/{scope}, "
        f"SignedHeaders={';'.join(names)}, Signature={signature}"
    )
    return proven


@lru_cache(maxsize=4)
def _place(url: str) -> tuple[str, str]:
    """The host as its header names it, and the path."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return (host if parts.port in (None, usual) else f"{host}:{parts.port}"), quote(parts.path or "/", "/~")


@lru_cache(maxsize=4)
def _key(secret: str, day: str, region: str) -> bytes:
    key = f"AWS4{secret}".encode()
    for part in (day, region, SERVICE, END):
        key = _digest(key, part)
    return key


def _digest(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
