"""The outbound HTTP client: cache, deduplication, rate limit, then the request."""

from core.stores.http.client import Fetched, HttpClient, Outbound
from core.stores.http.errors import FetchFailed, NotAllowed

__all__ = ["FetchFailed", "Fetched", "HttpClient", "NotAllowed", "Outbound"]
