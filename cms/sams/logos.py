"""Logos of SAMS clubs, copied to our bucket: public pages load no pictures from other sites."""

from functools import lru_cache

from django.conf import settings

from core.common import env
from core.common.logs import events
from core.dynamo.errors import DataError
from core.media import storage
from core.media.errors import UploadRefused
from core.media.processing import IMAGE, prepare
from core.stores.http import FetchFailed, HttpClient, NotAllowed, Outbound
from core.stores.interfaces import Limit

FOLDER = "sams-logos"
OUTBOUND = Outbound("sams-logos", Limit(60, 60_000))
PATIENCE_SECONDS = 120


def copy(club_uuid: str, link: str) -> str | None:
    """Copy a logo and return its S3 key; None (and a log entry) if it fails, so that a sync goes on."""
    try:
        fetched = client().get(link, priority="background", patience_seconds=PATIENCE_SECONDS)
        if fetched.status == 404:
            raise FetchFailed("not there", status=404)
        picture = prepare(fetched.body, kinds=(IMAGE,))
    except (UploadRefused, FetchFailed, NotAllowed) as error:
        events.info("sams_logo_left_out", club=club_uuid, reason=type(error).__name__)
        return None
    # The first variant is enough, because logos are displayed small.
    part = next(iter(picture.variants), picture.original)
    key = f"{FOLDER}/{club_uuid}.{part.extension}"
    try:
        storage.write(key, part.data, mime_type=part.mime_type)
    except DataError as error:
        events.warning("sams_logo_not_stored", club=club_uuid, reason=type(error).__name__)
        return None
    return key


def client() -> HttpClient:
    return _made((env.origin(settings.SAMS_BASE_URL), *settings.SAMS_LOGO_ORIGINS))


@lru_cache(maxsize=1)
def _made(origins: tuple[str, ...]) -> HttpClient:
    """A client without the API key, which must only be sent to SAMS itself."""
    return HttpClient(OUTBOUND.name, origins=origins, limit=OUTBOUND.limit, ttl_seconds=3600)
