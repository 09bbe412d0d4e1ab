"""AES-GCM with a secret text, such as a session key of which the table holds only the digest."""

import hashlib
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES = 12


class WrongSecret(Exception):
    """The data was not encrypted with this secret, or it was changed."""


def encrypt(secret: str, contents: bytes) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + _cipher(secret).encrypt(nonce, contents, None)


def decrypt(secret: str, data: bytes) -> bytes:
    try:
        return _cipher(secret).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], None)
    except (InvalidTag, ValueError) as error:
        raise WrongSecret from error


def _cipher(secret: str) -> AESGCM:
    return AESGCM(hashlib.sha256(secret.encode()).digest())
