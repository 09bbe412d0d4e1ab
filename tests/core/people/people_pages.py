"""What the tests of user administration look for in pages."""

import html
import re
from typing import Any

from django.http import HttpResponse

from core.dynamo import history
from core.dynamo.attributes import unwrap
from core.dynamo.history import HistoryEntry
from core.dynamo.support_table import unpack


def texts(response: HttpResponse, pattern: str) -> list[str]:
    """The text of every match of the one group in the pattern, without tags and repeated spaces."""
    found = re.findall(pattern, response.content.decode(), re.DOTALL)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split()) for text in found]


def rows(response: HttpResponse) -> list[str]:
    """Each person of a list as one line."""
    return texts(response, r'<tr>\s*<td class="card-title"(.*?)</tr>')


def names(response: HttpResponse) -> list[str]:
    """Those in the list itself; the guests below it have a table of their own."""
    return texts(response, r'class="row-link" id="person-[^>]*>(.*?)</a>')


def toasts(response: HttpResponse) -> list[str]:
    return texts(response, r'<p class="toast-text">([^<]+)</p>')


def errors(response: HttpResponse) -> list[str]:
    return texts(response, r'<ul class="errorlist[^>]*>(.*?)</ul>')


def status_of(response: HttpResponse) -> str:
    (status,) = texts(response, r'id="status">(.*?)</span>')
    return status


def offered(response: HttpResponse) -> list[str]:
    """The actions that a person's page offers."""
    return texts(response, r'id="action-[^>]*>(.*?)</a>')


def recorded(sub: str) -> list[tuple[str, str, dict[str, Any]]]:
    """The history of a person, newest first: who, verb, values before."""
    return [(entry.actor, entry.verb, _before(entry)) for entry in history.entries("user", sub).items]


def _before(entry: HistoryEntry) -> dict[str, Any]:
    stored = unpack(entry.before)
    return {field: unwrap(stored[field]) if field in stored else None for field in entry.fields}
