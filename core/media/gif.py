"""Removes everything but the frames from animated GIFs."""

from collections.abc import Iterator

# The extensions that are kept: the timing of frames, and the number of loops.
TIMING = 0xF9
APPLICATION = 0xFF
LOOPING = b"\x0bNETSCAPE2.0"
EXTENSION, FRAME, END = 0x21, 0x2C, 0x3B
TRAILER = bytes([END])


class NotGif(ValueError):
    """The file has an invalid block structure."""


def bare(data: bytes) -> bytes:
    """The same animation without comments, metadata and data after its end."""
    try:
        return b"".join(_kept(data)) + TRAILER
    except IndexError as error:
        raise NotGif from error


def _kept(data: bytes) -> Iterator[bytes]:
    at = 13 + _palette_size(data[10])
    yield data[:at]
    while data[at] != END:
        begin, at = at, _after_block(data, at)
        if _is_needed(data[begin:at]):
            yield data[begin:at]


def _after_block(data: bytes, at: int) -> int:
    if data[at] == EXTENSION:
        return _after_parts(data, at + 2)
    if data[at] == FRAME:
        return _after_parts(data, at + 11 + _palette_size(data[at + 9]))
    raise NotGif


def _after_parts(data: bytes, at: int) -> int:
    """The position after a chain of sub-blocks, each of which begins with its length; 0 ends it."""
    while data[at]:
        at += 1 + data[at]
    return at + 1


def _palette_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _is_needed(block: bytes) -> bool:
    if block[0] == FRAME or block[1] == TIMING:
        return True
    return block[1] == APPLICATION and block[2:].startswith(LOOPING)
