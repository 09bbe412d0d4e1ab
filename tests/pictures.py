"""`make pictures`: the pictures of the guides in docs, taken of a new site with its example data."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from tempfile import TemporaryDirectory
from typing import NamedTuple

import requests
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from config.engines.process import free_port
from core.accounts import cast
from tests.browser.chromium import FLAGS, SCREENS, find_browser
from tests.browser.signing_in import fill_in
from tests.config.processes import ROOT, clean_environment
from tracker.demo.played import id_of

FOLDER = ROOT / "docs" / "pictures"
MORITZ = next(person for person in cast.CAST if person.group == "moderator")
STELLAN = next(person for person in cast.CAST if person.group == "steward")
SINA = next(person for person in cast.CAST if person.group == "scout")
LEANDRO = next(person for person in cast.CAST if person.group == "scout-lead")
MAYA = next(person for person in cast.CAST if person.given_name == "Maya")
MILAN = next(person for person in cast.CAST if person.given_name == "Milan")
START_SECONDS = 180
LARGEST = 120_000
ARTICLE = "Herren 1 drehen das Derby in fünf Sätzen"
SOFTBALL = f"/tracker/teams/{id_of('team', 'mavericks')}"
LIVE_GAME, NEXT_GAME, WRONG_GAME = (f"/tracker/games/{id_of('game', key)}" for key in ("m7", "m8", "m5"))
TO_CONFIRM, OPEN_QUEST = "Ballwagen reparieren", "Netz in der Mühlenhalle flicken"


class Shot(NamedTuple):
    """What is seen on a screen after some steps from an address."""

    name: str
    screen: str
    address: str
    steps: Callable[[Page], None] = lambda page: None
    person: cast.Person = MORITZ


def main() -> int:
    program = find_browser()
    if program is None:
        sys.stderr.write("The pictures need Chromium, which was not found.\n")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for shot in SHOTS:
            data = take(browser, address, shot)
            (FOLDER / f"{shot.name}.png").write_bytes(data)
            sys.stdout.write(f"docs/pictures/{shot.name}.png {len(data) // 1000} KB\n")
        browser.close()
    return 0


@contextmanager
def site() -> Iterator[str]:
    """`make run` on a free port, with data of its own that is removed afterwards."""
    port = free_port()
    with TemporaryDirectory() as data:
        environment = clean_environment(DATA_DIR=data, PORT=str(port))
        running = subprocess.Popen([sys.executable, ROOT / "manage.py", "dev"], cwd=ROOT, env=environment)
        try:
            address = f"http://127.0.0.1:{port}"
            _until_it_serves(address, running)
            yield address
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(timeout=60)


def _until_it_serves(address: str, running: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and running.poll() is None:
        try:
            requests.get(f"{address}/healthz", timeout=5).raise_for_status()
            return
        except requests.RequestException:
            time.sleep(0.2)
    raise SystemExit("The site did not start; what it said is above.")


def take(browser: Browser, site: str, shot: Shot) -> bytes:
    width, height = SCREENS[shot.screen]
    is_phone = shot.screen == "phone"
    context = browser.new_context(
        base_url=site,
        viewport={"width": width, "height": height},
        has_touch=is_phone,
        is_mobile=is_phone,
        locale="en-GB",
        timezone_id="Europe/Berlin",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto("/desk/")
    fill_in(page, shot.person)
    expect(page.locator("#account-menu")).to_be_visible()
    page.goto(shot.address)
    shot.steps(page)
    page.wait_for_load_state("networkidle")
    picture = page.screenshot(animations="disabled", caret="hide")
    context.close()
    return reduced(picture)


def reduced(picture: bytes) -> bytes:
    """As few colours as it takes to be small."""
    opened = Image.open(BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32):
        file = BytesIO()
        opened.quantize(colours, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
        if file.tell() < LARGEST:
            break
    return file.getvalue()


# --- What is done before a picture is taken ----------------------------------------------------------------


def open_record(name: str) -> Callable[[Page], None]:
    def steps(page: Page) -> None:
        page.get_by_role("link", name=name, exact=True).first.click()
        expect(page.locator("#record-form")).to_be_visible()

    return steps


def change_the_title(page: Page) -> None:
    open_record(ARTICLE)(page)
    page.get_by_role("textbox", name="Title", exact=True).fill(f"{ARTICLE}!")
    page.locator("#save").click()
    expect(page.locator("#record-head")).to_contain_text("Changed")
    page.locator("#toasts").get_by_role("button", name="Dismiss").first.click()


def see_the_history(page: Page) -> None:
    open_record(ARTICLE)(page)
    page.locator("#record-more-button").click()
    page.locator("#record-more").get_by_text("History", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def go_to(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).evaluate("element => element.scrollIntoView()")


def training_of_a_team(page: Page) -> None:
    open_record("Herren 1")(page)
    go_to("#id_schedules_rows")(page)


def pictures_of_an_article(page: Page) -> None:
    open_record(ARTICLE)(page)
    go_to("#id_image_ids_media")(page)


def open_quest(title: str) -> Callable[[Page], None]:
    def steps(page: Page) -> None:
        page.get_by_role("link", name=title, exact=True).first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(title)

    return steps


def count_in_teleop(page: Page) -> None:
    page.locator("#seat-0").click()
    page.locator("#to-tele").click()
    for _tap in range(3):
        page.locator("#part-tele [data-add='10']").first.click()


def follow_live(page: Page) -> None:
    page.goto(page.locator("[value*='/live/']").first.input_value())


SHOTS = (
    Shot("desk", "phone", "/desk/"),
    Shot("news", "desktop", "/cms/news/"),
    Shot("article", "phone", "/cms/news/", open_record(ARTICLE)),
    Shot("changed", "desktop", "/cms/news/", change_the_title),
    Shot("pictures", "phone", "/cms/news/", pictures_of_an_article),
    Shot("library", "desktop", "/cms/media/"),
    Shot("training", "phone", "/cms/teams/", training_of_a_team),
    Shot("calendar", "desktop", "/cms/calendar/"),
    Shot("history", "desktop", "/cms/news/", see_the_history),
    Shot("website", "phone", "/"),
    Shot("quest-board", "desktop", "/quests/", person=MAYA),
    Shot("quest", "desktop", "/quests/?status=SUBMITTED", open_quest(TO_CONFIRM), person=MAYA),
    Shot("quest-phone", "phone", "/quests/", open_quest(OPEN_QUEST), person=MAYA),
    Shot("quests-mine", "desktop", "/quests/mine/", person=MAYA),
    Shot("quest-desk", "desktop", "/quests/desk/", person=STELLAN),
    Shot("scouting-stand", "phone", "/scouting/stand/", count_in_teleop, person=SINA),
    Shot(
        "scouting-coverage",
        "desktop",
        "/scouting/coverage/",
        go_to(".coverage-line:nth-child(9)"),
        person=SINA,
    ),
    Shot("scouting-settings", "desktop", "/scouting/settings/", person=LEANDRO),
    Shot("scouting-analysis", "desktop", "/scouting/analysis/", person=LEANDRO),
    Shot("scouting-team", "desktop", "/scouting/teams/15248/", person=LEANDRO),
    Shot("scouting-compare", "desktop", "/scouting/compare/?team=9971&team=12107", person=LEANDRO),
    Shot("scouting-selection", "desktop", "/scouting/selection/", person=LEANDRO),
    Shot("tracker-score", "phone", f"{LIVE_GAME}/score/", person=SINA),
    Shot("tracker-roster", "desktop", f"{SOFTBALL}/roster/", person=MAYA),
    Shot("tracker-game", "desktop", f"{NEXT_GAME}/", person=MAYA),
    Shot("tracker-lineup", "phone", f"{NEXT_GAME}/lineup/", person=MAYA),
    Shot("tracker-statistics", "desktop", f"{SOFTBALL}/statistics/", person=MAYA),
    Shot("tracker-live", "phone", f"{LIVE_GAME}/", follow_live, person=SINA),
    Shot("tracker-box", "desktop", f"{WRONG_GAME}/box/", go_to("#balance"), person=SINA),
    Shot("tracker-mine", "phone", "/tracker/me/statistics/", person=MILAN),
)


if __name__ == "__main__":
    raise SystemExit(main())
