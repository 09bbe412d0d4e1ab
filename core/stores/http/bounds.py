"""Limits of outbound requests: allowed IP addresses, time-outs and size of the answer."""

import ipaddress
from dataclasses import dataclass

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
# How networks that only speak IPv6 write the IPv4 addresses of others.
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")


@dataclass(frozen=True)
class Caps:
    """Time-outs, and the largest answer."""

    connect_seconds: float = 2.0
    read_seconds: float = 5.0
    total_seconds: float = 15.0
    # What can be stored in the cache even if it does not compress.
    most_bytes: int = 384 * 1024


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    retry_after: str
    body: bytes


def is_public(address: IPAddress) -> bool:
    """Whether an address is public: not private, local, or of the cloud's metadata service."""
    meant = _meant_by(address)
    if isinstance(meant, ipaddress.IPv6Address) and meant not in GLOBAL_UNICAST:
        return False
    return meant.is_global and not meant.is_multicast


def _meant_by(address: IPAddress) -> IPAddress:
    """The IPv4 address that an IPv6 address maps to, or the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) % 2**32)
    return address.ipv4_mapped or address.sixtofour or address
