"""Uploads from a real browser: the bucket lets the pages of the live server in, and their policy names it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import FilePayload, JSHandle, Locator, Page, expect

from config.engines.provision import provision_bucket
from tests.media_bucket import SITE, Bucket, pdf, photo


@pytest.fixture
def files(bucket: Bucket, live_server: object, settings: Any) -> Iterator[Bucket]:
    """The bucket as the live server uses it in production: another origin."""
    provision_bucket(bucket.engine.endpoint, settings.AWS_REGION, str(live_server))
    policy = deepcopy(settings.CONTENT_SECURITY_POLICY)
    for directive in ("img-src", "connect-src"):
        policy["DIRECTIVES"][directive].append(bucket.engine.endpoint)
    settings.CONTENT_SECURITY_POLICY = policy
    yield bucket
    provision_bucket(bucket.engine.endpoint, settings.AWS_REGION, SITE)


def a_photo(name: str, colour: str = "steelblue", size: tuple[int, int] = (600, 400)) -> FilePayload:
    return {"name": name, "mimeType": "image/jpeg", "buffer": photo(*size, colour=colour)}


def a_pdf(name: str = "Satzung.pdf") -> FilePayload:
    return {"name": name, "mimeType": "application/pdf", "buffer": pdf(name)}


def broken(name: str = "kaputt.jpg") -> FilePayload:
    return {"name": name, "mimeType": "image/jpeg", "buffer": photo(600, 400)[:1000]}


def drop(page: Page, selector: str, *payloads: FilePayload) -> None:
    """Drag files over an element and let them go there."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    place = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2}
    transfer = _transfer(page, *payloads)
    for event in ("dragover", "drop"):
        page.dispatch_event(selector, event, {"dataTransfer": transfer, **place})


def paste(page: Page, selector: str, *payloads: FilePayload) -> None:
    """Paste files from the clipboard."""
    page.locator(selector).evaluate(
        """(element, clipboardData) => element.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
        )""",
        _transfer(page, *payloads),
    )


def _transfer(page: Page, *payloads: FilePayload) -> JSHandle:
    return page.evaluate_handle(
        """async (files) => {
            const transfer = new DataTransfer();
            for (const { name, mimeType, bytes } of files)
                transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
            return transfer;
        }""",
        [
            {"name": each["name"], "mimeType": each["mimeType"], "bytes": list(each["buffer"])}
            for each in payloads
        ],
    )


def expect_in(row: Locator, words: str) -> None:
    """Decoding takes its time on a busy machine."""
    expect(row).to_contain_text(words)
