"""What an administrator posts, and files of logos."""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

PAGE = "/desk/club/"
SHIELD = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 40"><path d="M0 0h30v40z"/></svg>'
POSTED: dict[str, Any] = {
    "name": "TV Auenfeld",
    "short_name": "TVA",
    "colour": "#c8102e",
    "second_colour": "#000000",
    "language": "en",
    "time_zone": "Europe/Berlin",
    "domains": ["cms", "scouting", "quests", "tracker"],
    "version": "0",
}


def svg(data: bytes = SHIELD, name: str = "logo.svg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, "image/svg+xml")


def png(width: int, height: int, *, noise: bool = False) -> SimpleUploadedFile:
    picture = Image.effect_noise((width, height), 200) if noise else Image.new("RGBA", (width, height))
    file = BytesIO()
    picture.save(file, "PNG")
    return SimpleUploadedFile("logo.png", file.getvalue(), "image/png")


def seen(client: Client) -> str:
    return str(client.get(PAGE).context["stored"].seen_version)
