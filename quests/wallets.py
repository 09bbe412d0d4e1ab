"""Ethereum wallet addresses: 0x and 40 hexadecimal digits, whose capitals are a checksum (EIP-55)."""

import re
from typing import Final

ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)

# Keccak-256 as Ethereum uses it: the SHA-3 of hashlib pads differently.
RATE: Final = 136
MASK: Final = 2**64 - 1


def has_valid_checksum(address: str) -> bool:
    """An address in one case carries no checksum and is valid."""
    digits = address[2:]
    return digits in (digits.lower(), digits.upper()) or address == with_checksum(address)


def with_checksum(address: str) -> str:
    """The address with its checksum, as it is stored: the hash determines which letters are capitals."""
    digits = address[2:].lower()
    hashed = keccak_256(digits.encode()).hex()
    return "0x" + "".join(
        digit.upper() if int(nibble, 16) >= 8 else digit
        for digit, nibble in zip(digits, hashed, strict=False)
    )


def keccak_256(data: bytes) -> bytes:
    padded = bytearray(data + b"\x01" + bytes(-(len(data) + 1) % RATE))
    padded[-1] |= 0x80
    lanes = [[0] * 5 for _x in range(5)]
    for start in range(0, len(padded), RATE):
        for place in range(RATE // 8):
            lane = padded[start + 8 * place : start + 8 * place + 8]
            lanes[place % 5][place // 5] ^= int.from_bytes(lane, "little")
        lanes = _permuted(lanes)
    return b"".join(lanes[place % 5][place // 5].to_bytes(8, "little") for place in range(4))


def _permuted(lanes: list[list[int]]) -> list[list[int]]:
    """Keccak-f[1600]: theta, rho and pi, chi, iota."""
    register = 1
    for _round in range(24):
        columns = [lanes[x][0] ^ lanes[x][1] ^ lanes[x][2] ^ lanes[x][3] ^ lanes[x][4] for x in range(5)]
        mixed = [columns[(x + 4) % 5] ^ _rotated(columns[(x + 1) % 5], 1) for x in range(5)]
        lanes = [[lanes[x][y] ^ mixed[x] for y in range(5)] for x in range(5)]
        x, y, current = 1, 0, lanes[1][0]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, lanes[x][y] = lanes[x][y], _rotated(current, (step + 1) * (step + 2) // 2)
        for y in range(5):
            row = [lanes[x][y] for x in range(5)]
            for x in range(5):
                lanes[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5] & MASK)
        for bit in range(7):
            register = ((register << 1) ^ ((register >> 7) * 0x71)) % 256
            if register & 2:
                lanes[0][0] ^= 1 << ((1 << bit) - 1)
    return lanes


def _rotated(lane: int, by: int) -> int:
    by %= 64
    return ((lane << by) | (lane >> (64 - by))) & MASK
