"""The outbound HTTP client: cache, deduplication, rate limit, then the request."""

from core.stores.errors import FetchFailed, NotAllowed
from core.stores.http.client import Fetched, HttpClient, Outbound

__all__ = ["FetchFailed", "Fetched", "HttpClient", "NotAllowed", "Outbound"]
