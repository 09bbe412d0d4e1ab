"""Signatures as the Standard Webhooks specification has them, and how the secrets are kept.

The receiver and this site share a secret, so that it cannot be stored as a digest: it is encrypted with the
key of the site, which is not in the table.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime

from django.conf import settings

from core.dynamo.encryption import WrongSecret, decrypt, encrypt
from core.webhooks.models import Webhook

PREFIX = "whsec_"
KEY_BYTES = 32


class Unreadable(Exception):
    """The key of the site was changed, and its earlier one is not in SECRET_KEY_FALLBACKS."""


def new_secret() -> str:
    return PREFIX + b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def seal(webhook_id: str, secret: str) -> bytes:
    return encrypt(_key(webhook_id, settings.SECRET_KEY), secret.encode())


def headers(webhook: Webhook, delivery_id: str, body: bytes, moment: datetime) -> Mapping[str, str]:
    """The headers that prove who sent this; with two signatures while a secret is being changed."""
    sealed = [webhook.secret]
    if webhook.former_secret and webhook.former_until and moment < webhook.former_until:
        sealed.append(webhook.former_secret)
    timestamp = str(int(moment.timestamp()))
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(_signature(_open(webhook.id, each), signed) for each in sealed),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = b64decode(secret.removeprefix(PREFIX))
    return "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()


def _open(webhook_id: str, sealed: bytes) -> str:
    for site_key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return decrypt(_key(webhook_id, site_key), sealed).decode()
        except WrongSecret:
            continue
    raise Unreadable


def _key(webhook_id: str, site_key: str) -> str:
    # With the id, so that nobody can give a webhook the secret of another one.
    return f"webhook secret:{webhook_id}:{site_key}"
