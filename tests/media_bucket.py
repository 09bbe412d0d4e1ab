"""A real bucket in ministack: fixtures for the tests of files, and files made for them."""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pillow_heif
import pytest
import requests
from django.conf import settings
from django.test import override_settings
from PIL import Image

from config.engines.ministack import Ministack
from config.engines.provision import provision_bucket
from core.media import storage

SITE = "http://testserver"


class Bucket:
    """The bucket of this test worker."""

    def __init__(self, engine: Ministack, name: str) -> None:
        self.engine = engine
        self.name = name
        self.address = f"{engine.endpoint}/{name}"

    def keys(self, prefix: str = "") -> list[str]:
        return [entry["Key"] for entry in self._listed() if entry["Key"].startswith(prefix)]

    def put(self, key: str, data: bytes, **options: Any) -> None:
        storage._call("put_object", Key=key, Body=data, **options)

    def get(self, key: str) -> bytes:
        return storage.read(key)

    def head(self, key: str) -> dict[str, Any]:
        return storage._call("head_object", Key=key)

    def served(self, key: str) -> requests.Response:
        """As readers get it: without any key to the bucket."""
        return requests.get(f"{self.address}/{key}", timeout=300)

    def send(self, post: storage.Post, data: bytes) -> requests.Response:
        """As a browser sends it, with a form that the application made."""
        return requests.post(post.url, data=post.fields, files={"file": data}, timeout=300)

    def empty(self) -> None:
        storage.delete([entry["Key"] for entry in self._listed()])

    def _listed(self) -> list[dict[str, Any]]:
        return list(storage._call("list_objects_v2").get("Contents", ()))


@pytest.fixture(scope="session")
def bucket_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bucket]:
    data: Path = tmp_path_factory.mktemp("ministack")
    with Ministack(data=data, region=settings.AWS_REGION) as running:
        yield Bucket(running, provision_bucket(running.endpoint, settings.AWS_REGION, SITE))


@pytest.fixture
def bucket(bucket_engine: Bucket, settings: Any) -> Iterator[Bucket]:
    """The bucket as the application's own, with nothing in it."""
    usual = {
        "S3_ENDPOINT": bucket_engine.engine.endpoint,
        "MEDIA_BUCKET": bucket_engine.name,
        "BUCKET_ADDRESS": bucket_engine.address,
        "MEDIA_PUBLIC_URL": bucket_engine.address,
    }
    for name, value in usual.items():
        setattr(settings, name, value)
    yield bucket_engine
    with override_settings(**usual):
        bucket_engine.empty()


# --- Files ---------------------------------------------------------------------------------------------


def encoded(picture: Image.Image, format: str, **options: Any) -> bytes:
    file = BytesIO()
    if format == "HEIF":
        # The product can only read them; the encoder is for tests alone.
        pillow_heif.from_pillow(picture).save(file, **options)
    else:
        picture.save(file, format, **options)
    return file.getvalue()


def photo(width: int = 1600, height: int = 1200, *, colour: str = "steelblue", **options: Any) -> bytes:
    """A JPEG, red in its left upper corner, so that one sees which way up it is."""
    picture = Image.new("RGB", (width, height), colour)
    picture.paste("red", (0, 0, width // 4, height // 4))
    return encoded(picture, "JPEG", **options)


def opened(data: bytes) -> Image.Image:
    picture = Image.open(BytesIO(data))
    picture.load()
    return picture


def animation(frames: int = 3, size: tuple[int, int] = (60, 40), **options: Any) -> bytes:
    """Frames of different colours, so that none is left out."""
    pictures = [Image.new("RGB", size, (number % 256, number // 256, 99)) for number in range(frames)]
    return encoded(pictures[0], "GIF", save_all=True, append_images=pictures[1:], duration=50, **options)


def png_that_claims(width: int, height: int) -> bytes:
    """A few bytes that would become a picture of any size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(b"\x00" * 1000)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def pdf(text: str = "Satzung") -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
        f"({text})".encode(),
    ]
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + table + trailer
