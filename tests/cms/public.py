"""The pages that readers see: what tests look for in them, and pictures that need no bucket."""

import re
from html import unescape
from typing import Any

from django.test import Client

from cms.media.models import MediaFile
from cms.media.repository import media
from core.dynamo import metering
from core.dynamo.actors import SYSTEM


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def part(page: str, tag: str, html_id: str) -> str:
    """What is between the tags of an element; lists in it must not be nested."""
    found = re.search(rf'<{tag}[^>]* id="{html_id}">(.*?)</{tag}>', page, re.DOTALL)
    return found[1] if found else ""


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def headings(html: str) -> list[str]:
    return [text_of(found) for found in re.findall(r"<h[1-6][^>]*>(.*?)</h[1-6]>", html, re.DOTALL)]


def operations(client: Client, address: str) -> list[str]:
    """What a page asks of DynamoDB."""
    with metering.metered() as meter:
        page_of(client, address)
    return sorted(meter.operations)


def make_picture(name: str = "team.jpg", **fields: Any) -> MediaFile:
    """The record of a picture; its file is nowhere, and no page asks for it."""
    known = {"filename": name, "original_name": name, "s3_key": f"teams/{name}", "s3_bucket": "b", "size": 1}
    return media.create(
        MediaFile(**{**known, "mime_type": "image/jpeg", "width": 900, "height": 600, **fields}), actor=SYSTEM
    )
