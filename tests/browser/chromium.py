"""The browser of this machine, and the screens on which pages are looked at."""

import shutil

# The first has no windows, menus and tabs of its own, so it takes a quarter of the others' time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SCREENS = {"phone": (390, 844), "desktop": (1280, 800)}


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)
