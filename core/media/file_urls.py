"""Public URLs of files, at the bucket or its CloudFront distribution."""

from urllib.parse import quote

from django.conf import settings


def public_address(key: str) -> str:
    return f"{settings.MEDIA_PUBLIC_URL}/{quote(key)}"
