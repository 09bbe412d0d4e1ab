"""Turns web and e-mail addresses in plain text into links."""

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from core.content.richtext.schema import is_safe_href

Node = dict[str, Any]

# An e-mail address may follow a colon: "E-Mail:info@club.example".
ADDRESS = re.compile(
    r"(?<![\w@/.-])(?P<web>(?:https?://|www\.)[^\s<>\"“”„«»]+)"
    r"|(?<![A-Za-z0-9._+%@/-])(?P<mail>[A-Za-z0-9._+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+)",
    re.IGNORECASE,
)
# Every address has one of these, most texts have none, and looking for them is much faster than the pattern.
SIGNS = ("@", "://", "www.")
HOST = re.compile(r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?:[^\W\d_]{2,63}|xn--[a-z0-9-]{1,59})", re.IGNORECASE)
# Punctuation that is not part of an address at its end.
PUNCTUATION = ".,;:!?'\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}…*"
BRACKETS = {")": "(", "]": "[", "}": "{"}
# Text with one of these marks gets no links, nor does code.
CLOSED_MARKS = {"link", "code"}
CLOSED_NODES = {"codeBlock"}


class Span(NamedTuple):
    """The position of an address in a text, and its URL."""

    start: int
    end: int
    href: str


def with_links(node: Node) -> Node:
    """The node of a valid document with links for the addresses in its text."""
    content = node.get("content") if node["type"] not in CLOSED_NODES else None
    return node | {"content": list(_linked(content))} if content else node


def may_have_addresses(text: str) -> bool:
    lower = text.lower()
    return any(sign in lower for sign in SIGNS)


def addresses_in(text: str) -> Iterator[Span]:
    if not may_have_addresses(text):
        return
    for found in ADDRESS.finditer(text):
        address = _without_punctuation(found[0])
        href = f"mailto:{address}" if found["mail"] else _web_address(address)
        if _may_be_linked(href):
            yield Span(found.start(), found.start() + len(address), href)


def _linked(content: list[Node]) -> Iterator[Node]:
    for is_text, group in groupby(content, key=lambda node: node["type"] == "text"):
        nodes = list(group)
        yield from _linked_texts(nodes) if is_text else map(with_links, nodes)


def _linked_texts(nodes: list[Node]) -> Iterator[Node]:
    """Join adjacent text nodes before the search: an address may be bold in part."""
    open_spans = list(addresses_in("".join(node["text"] for node in nodes)))
    start = 0
    placed: list[tuple[int, int, Node]] = []
    for node in nodes:
        end = start + len(node["text"])
        placed.append((start, end, node))
        if CLOSED_MARKS.intersection(mark["type"] for mark in node.get("marks", ())):
            open_spans = [span for span in open_spans if span.end <= start or span.start >= end]
        start = end
    for start, end, node in placed:
        yield from _cut(node, start, end, open_spans)


def _cut(node: Node, start: int, end: int, spans: list[Span]) -> Iterator[Node]:
    inside = [span for span in spans if span.start < end and span.end > start]
    cuts = {start, end, *(cut for span in inside for cut in span[:2] if start < cut < end)}
    for first, last in pairwise(sorted(cuts)):
        part = node | {"text": node["text"][first - start : last - start]}
        href = next((span.href for span in inside if span.start <= first < span.end), "")
        if href:
            link = {"type": "link", "attrs": {"href": href, "title": None}}
            part["marks"] = [link, *node.get("marks", ())]
        yield part


def _without_punctuation(address: str) -> str:
    while address:
        last = address[-1]
        is_open = last in BRACKETS and address.count(last) > address.count(BRACKETS[last])
        if last not in PUNCTUATION and not is_open:
            break
        address = address[:-1]
    return address


def _web_address(address: str) -> str:
    """The address with https:// before "www."; empty if its host has no other dot, as in "www.club"."""
    if not address.lower().startswith("www."):
        return address
    return f"https://{address}" if "." in re.split("[/?#]", address)[0][4:] else ""


def _may_be_linked(href: str) -> bool:
    """Whether the URL is safe and has a valid host without user info ("https://bank.example@evil.example")."""
    scheme, _colon, rest = href.partition(":")
    host = rest.rpartition("@")[2] if scheme == "mailto" else _host_of(href)
    return is_safe_href(href) and bool(HOST.fullmatch(host))


def _host_of(href: str) -> str:
    try:
        parts = urlsplit(href)
        return "" if "@" in parts.netloc or parts.port == 0 else parts.hostname or ""
    except ValueError:
        return ""
