"""How values are stored: integers as numbers, others as JSON or as a signed pickle."""

import hashlib
import hmac
import json
import logging
import pickle
import zlib
from typing import Any, Protocol

from django.conf import settings

from core.dynamo.items import AttributeValue

log = logging.getLogger(__name__)

# DynamoDB keeps 38 digits of a number.
LARGEST_NUMBER = 10**38 - 1
COMPRESS_OVER = 4096
PLAIN, COMPRESSED = b"\x00", b"\x01"
SIGNATURE_BYTES = 32


class Unreadable(Exception):
    """The stored value was not written by this codec."""


class Codec(Protocol):
    def encode(self, pk: str, value: Any) -> AttributeValue: ...

    def decode(self, pk: str, stored: AttributeValue) -> Any: ...


class JSONCodec:
    """For values that JSON can carry; other programs can read them."""

    def encode(self, pk: str, value: Any) -> AttributeValue:
        if _is_number(value):
            return {"N": str(value)}
        return {"S": json.dumps(value, separators=(",", ":"))}

    def decode(self, pk: str, stored: AttributeValue) -> Any:
        try:
            return int(stored["N"]) if "N" in stored else json.loads(stored["S"])
        except (KeyError, ValueError) as error:
            raise Unreadable from error


class SignedPickleCodec:
    """For any value that can be pickled.

    The signature covers the key too: whoever can write to the table can neither run code here nor pass one
    value off as another.
    """

    def encode(self, pk: str, value: Any) -> AttributeValue:
        if _is_number(value):
            return {"N": str(value)}
        payload = PLAIN + pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        if len(payload) > COMPRESS_OVER:
            payload = COMPRESSED + zlib.compress(payload[1:])
        return {"B": _signature(settings.SECRET_KEY, pk, payload) + payload}

    def decode(self, pk: str, stored: AttributeValue) -> Any:
        if "N" in stored:
            return int(stored["N"])
        signed = bytes(stored.get("B", b""))
        signature, payload = signed[:SIGNATURE_BYTES], signed[SIGNATURE_BYTES:]
        secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        if not any(hmac.compare_digest(signature, _signature(each, pk, payload)) for each in secrets):
            log.warning("A cached value has a wrong signature and is not used")
            raise Unreadable
        try:
            pickled = zlib.decompress(payload[1:]) if payload[:1] == COMPRESSED else payload[1:]
            return pickle.loads(pickled)  # noqa: S301 - only what we signed
        except Exception as error:
            # A deploy may have moved or changed the class; whatever that raises, the value is lost.
            raise Unreadable from error


def _is_number(value: Any) -> bool:
    # bool is a subclass of int, but True is not the number 1.
    return type(value) is int and abs(value) <= LARGEST_NUMBER


def _signature(secret: str, pk: str, payload: bytes) -> bytes:
    derived = hashlib.sha256(f"core.stores.cache:{secret}".encode()).digest()
    # The length keeps key and payload apart.
    message = len(pk.encode()).to_bytes(4, "big") + pk.encode() + payload
    return hmac.digest(derived, message, "sha256")
