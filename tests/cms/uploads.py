"""Uploading as the browser does it."""

from typing import Any

from django.http import HttpResponse
from django.test import Client

from cms.media.models import MediaFile
from cms.media.repository import media
from core.media import storage
from tests.media_bucket import Bucket


def begun(client: Client, **fields: Any) -> HttpResponse:
    return client.post("/cms/media/uploads/", {"name": "Sommerfest.jpg", "size": 1000, **fields})


def finished(client: Client, ticket: str, **fields: Any) -> HttpResponse:
    return client.post("/cms/media/uploads/finish/", {"ticket": ticket, **fields})


def sent(client: Client, bucket: Bucket, data: bytes, **fields: Any) -> str:
    """Up to the moment when the file is in S3; answers the ticket."""
    answer = begun(client, size=len(data), **fields).json()
    assert bucket.send(storage.Post(answer["url"], answer["fields"]), data).status_code == 204
    return str(answer["ticket"])


def all_media() -> list[MediaFile]:
    return media.by_age().items
