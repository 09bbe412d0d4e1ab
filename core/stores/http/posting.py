"""A POST to an address that a person has entered: it goes only where `may_connect` allows, and no further.

No redirect is followed, and of the answer only the status is read.
"""

import time
from collections.abc import Callable, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from core.stores.errors import FetchFailed
from core.stores.http.bounds import Caps, IPAddress
from core.stores.http.transport import GuardedTransport, deadline, given_up_after


class Poster:
    """May be used by so many threads at once."""

    def __init__(
        self, *, caps: Caps, may_connect: Callable[[IPAddress], bool], most_connections: int
    ) -> None:
        self._caps = caps
        self._client = httpx.Client(
            transport=GuardedTransport(may_connect, most_connections),
            timeout=httpx.Timeout(caps.read_seconds, connect=caps.connect_seconds),
            follow_redirects=False,
            # One receiver must not get the cookies of another.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            # A proxy of the environment would resolve the names itself, unchecked.
            trust_env=False,
        )

    def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The status of the answer; `FetchFailed` without one, `NotAllowed` where it may not connect to."""
        with given_up_after(self._caps.total_seconds):
            try:
                with self._client.stream("POST", address, content=body, headers=dict(headers)) as response:
                    return response.status_code
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                is_late = time.monotonic() >= deadline() or isinstance(error, httpx.TimeoutException)
                raise FetchFailed("too slow" if is_late else type(error).__name__) from error

    def close(self) -> None:
        self._client.close()
