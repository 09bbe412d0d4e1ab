"""What the tests of the stores' dashboard look for in pages, and what its history says."""

import html
import re

from django.http import HttpResponse

from core.crud.verbs import sentence
from core.dynamo import history
from core.stores.cache import CacheStore
from core.stores.table import now_ms

HTMX = {"HX-Request": "true"}


def texts(response: HttpResponse, pattern: str) -> list[str]:
    """The text of every match of the one group in the pattern, without tags and repeated spaces."""
    found = re.findall(pattern, response.content.decode(), re.DOTALL)
    return [" ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split()) for text in found]


def figures(response: HttpResponse) -> list[str]:
    return texts(response, r'<dd class="figure">(.*?)</dd>')


def rows(response: HttpResponse) -> list[str]:
    return texts(response, r"<tr id=[^>]*>(.*?)</tr>")


def toasts(response: HttpResponse) -> list[str]:
    # The last one is the template for what fails.
    return texts(response, r'<p class="toast-text">(.*?)</p>')[:-1]


def recorded(store: str) -> list[str]:
    """What was done to a store, newest first, as people read it."""
    entries = history.entries("store", store).items
    return [html.unescape(sentence(each.verb, who=each.actor_name, what=each.label)) for each in entries]


def set_long_ago(hash: str) -> None:
    """Keep a value that ended, and that nothing has removed."""
    CacheStore(clock=lambda: now_ms() - 600_000).set(hash, "x", 60)
