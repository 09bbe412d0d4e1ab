"""What operations answer: JSON that was not validated again, with the version of a record as its ETag."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from core.common.http import MOST_DIGITS
from core.dynamo.attributes import to_iso
from core.dynamo.errors import Conflict, DataError
from core.dynamo.items import Item


class IfMatchMissing(DataError):
    status_code = 428
    message = _("Send the ETag of the version that you changed in If-Match.")


class VersionChanged(DataError):
    status_code = 412
    message = _("Someone changed this in the meantime. Get it again and repeat your change.")


def answer(
    value: Any, *, status: int = 200, version: int | None = None, location: str | None = None
) -> HttpResponse:
    headers = {} if version is None else {"ETag": f'"{version}"'}
    if location is not None:
        headers["Location"] = location
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_text)
    return HttpResponse(text, status=status, content_type="application/json", headers=headers)


def no_content() -> HttpResponse:
    return HttpResponse(status=204)


def chosen(document: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """The fields that were asked for, or all."""
    return {name: value for name, value in document.items() if not fields or name in fields}


def seen_version(request: HttpRequest) -> int:
    """The version in If-Match, which a change must name."""
    etag = request.headers.get("If-Match")
    if etag is None:
        raise IfMatchMissing
    digits = etag.strip('"')
    if etag != f'"{digits}"' or not (digits.isascii() and digits.isdecimal()) or len(digits) > MOST_DIGITS:
        # Perhaps an ETag, but not in the format of ours.
        raise VersionChanged
    return int(digits)


def version_to_delete(request: HttpRequest, read: Callable[[], Item]) -> int:
    """The version in If-Match, which a DELETE need not name, or else that of the record as it is now."""
    return seen_version(request) if "If-Match" in request.headers else read().seen_version


@contextmanager
def precondition() -> Iterator[None]:
    """A conflict within is answered with 412: the version of If-Match is no longer the stored one."""
    try:
        yield
    except Conflict as error:
        # Subclasses say something else: a record is in use, or a list cannot be merged.
        if type(error) is Conflict:
            raise VersionChanged from error
        raise


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return to_iso(value)
    if isinstance(value, date):
        return value.isoformat()
    # Lazy texts, such as labels.
    return str(value)
