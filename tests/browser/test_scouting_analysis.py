"""Analysis and team selection in a browser: readable on every screen, sorted by mouse and by keyboard."""

from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from scouting.selection import services as selection
from scouting.selection.pick_list import Pick
from scouting.settings import services as settings
from tests.browser.signing_in import sign_in
from tests.cast import CAST
from tests.scouting import field

ADDRESSES = (
    "/scouting/selection/",
    "/scouting/selection/print",
    "/scouting/analysis/",
    "/scouting/analysis/scatter/?team=20",
    "/scouting/analysis/ranking/",
    "/scouting/analysis/matches/",
    "/scouting/analysis/matches/1/",
    "/scouting/analysis/forms/",
    "/scouting/analysis/comments/",
    "/scouting/analysis/scouts/",
    "/scouting/coverage/",
    "/scouting/coverage/pits/",
    "/scouting/compare/?team=20&team=254B&team=2053",
    "/scouting/teams/254B/",
)


@pytest.fixture(autouse=True)
def event(db):
    """Twelve matches; nobody has seen the last robots."""
    event = field.event(played=8)
    field.many(field.forms_of(event)[:45])
    field.pit("20", answers={"notDo": "Climb"})
    yield event
    settings.forget()


def test_every_page_is_accessible_on_every_screen(every_look: Page, assert_accessible) -> None:
    sign_in(every_look, "scout-lead")
    for address in ADDRESSES:
        every_look.goto(address)
        assert_accessible(every_look)


def test_on_a_phone_figures_and_the_open_tab_are_in_sight(phone: Page) -> None:
    sign_in(phone, "scout-lead")
    for screen in ("analysis/", "analysis/ranking/", "analysis/forms/", "coverage/pits/"):
        phone.goto(f"/scouting/{screen}")
        cells = phone.locator("tbody tr").first.locator("td:visible")
        for place in (0, 1):
            expect(cells.nth(place)).to_be_in_viewport(ratio=1)
        expect(phone.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_text("Robots 20", exact=True).first).to_be_visible()


LABELS = """labels => labels.map(label => {
    const { left, top, right, bottom } = label.getBoundingClientRect();
    return [left, top, right, bottom];
})"""


def test_all_sixty_teams_can_be_told_in_the_picture(every_look: Page) -> None:
    """Each dot has its number, no number covers another, and all of them can be read."""
    teams = [str(number) for number in (*range(1, 21), *range(251, 271), *range(10_001, 10_021))]
    crowd = field.event(key="2026sixty", teams=teams, matches=20)
    field.many(field.forms_of(crowd))
    sign_in(every_look, "scout-lead")
    every_look.goto("/scouting/analysis/scatter/?event=2026sixty")
    numbers = every_look.locator(".figure-label")
    assert sorted(numbers.all_text_contents(), key=int) == teams
    boxes = numbers.evaluate_all(LABELS)
    picture = every_look.locator(".figure-chart").bounding_box()
    assert picture
    for left, top, right, bottom in boxes:
        assert bottom - top >= 11
        assert picture["x"] <= left < right <= picture["x"] + picture["width"]
        assert picture["y"] <= top < bottom <= picture["y"] + picture["height"]
    for one, other in combinations(boxes, 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        # The box of a text has some room above and below its digits.
        assert across <= 0 or down <= 3


def test_tabs_have_a_shade_where_there_are_more_of_them(phone: Page, desktop: Page) -> None:
    """Not where they end, and not where all of them fit."""
    for page in (phone, desktop):
        sign_in(page, "scout-lead")
        page.goto("/scouting/analysis/")
    assert _edges(phone) == ("plain", "shade")
    phone.locator(".tabs").evaluate("tabs => { tabs.scrollLeft = tabs.scrollWidth }")
    assert _edges(phone) == ("shade", "plain")
    assert _edges(desktop) == ("plain", "plain")


def _edges(page: Page) -> tuple[str, str]:
    """How the row of tabs looks at its left and right edge, in comparison with the page above it."""
    row = Image.open(BytesIO(page.locator(".tabs").screenshot(animations="disabled"))).convert("L")
    box = page.locator(".tabs").bounding_box()
    assert box
    above = {"x": box["x"], "y": box["y"] - 3, "width": 2, "height": 2}
    ground = Image.open(BytesIO(page.screenshot(clip=above))).convert("L").getpixel((0, 0))
    first, last = (row.getpixel((x, 2)) for x in (0, row.width - 1))
    return tuple("plain" if abs(each - ground) < 8 else "shade" for each in (first, last))


def test_teams_are_ticked_and_compared(phone: Page) -> None:
    sign_in(phone, "scout-lead")
    phone.goto("/scouting/analysis/")
    for team in ("20", "254B"):
        phone.get_by_label(f"Compare {team}", exact=True).check()
    phone.get_by_role("button", name="Compare", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Compare")
    for team in ("20 Robots 20", "254B Robots 254B"):
        expect(phone.get_by_role("heading", name=team)).to_be_visible()


def test_charts_side_by_side_can_be_read(desktop: Page, phone: Page) -> None:
    for page in (desktop, phone):
        sign_in(page, "scout-lead")
        page.goto("/scouting/compare/?team=20&team=254B&team=2053&team=2095&team=101&team=102")
        heights = page.locator(".figure-chart text").evaluate_all(
            "texts => texts.map(text => text.getBoundingClientRect().height)"
        )
        assert len(heights) > 12
        assert min(heights) >= 13


@pytest.mark.journey
def test_a_team_is_dragged_to_its_place_and_saved(desktop: Page) -> None:
    sign_in(desktop, "scout-lead")
    desktop.goto("/scouting/selection/")
    column = desktop.locator("[data-column=r1]")
    desktop.locator("#pick-20").drag_to(column)
    expect(column.locator("[data-team]")).to_have_count(1)
    desktop.locator("#pick-101").drag_to(column.locator("h2"))
    expect(column.locator("[data-team]")).to_have_count(2)
    expect(column.locator("[data-team]").first).to_have_attribute("data-team", "101")
    expect(desktop.locator("#selection-said")).to_have_text("101 is now in “R1”.")
    desktop.locator("#save").click()
    expect(desktop.locator("#selection-state")).to_contain_text("Saved by Leandro Sato")
    desktop.reload()
    expect(column.locator("[data-team]").first).to_have_attribute("data-team", "101")


def test_a_tap_while_the_board_is_on_its_way_is_not_lost(desktop: Page) -> None:
    sign_in(desktop, "scout-lead")
    desktop.goto("/scouting/selection/")
    held: list[Route] = []
    desktop.route("**/selection/change", lambda route: held.append(route), times=1)
    desktop.locator("#take-20").click()
    expect(desktop.locator("#selection")).to_have_attribute("aria-busy", "true")
    for team in ("101", "2053"):
        desktop.locator(f"#take-{team}").click()
    held[0].continue_()
    for team in ("20", "101", "2053"):
        expect(desktop.locator(f"#take-{team}")).to_have_attribute("aria-pressed", "true")
    expect(desktop.locator("#selection-said")).to_have_text("2053 is taken.")


def test_steps_after_one_that_did_not_arrive_are_not_taken(desktop: Page) -> None:
    sign_in(desktop, "scout-lead")
    desktop.goto("/scouting/selection/")
    held: list[Route] = []
    desktop.route("**/selection/change", lambda route: held.append(route), times=1)
    desktop.locator("#take-20").click()
    expect(desktop.locator("#selection")).to_have_attribute("aria-busy", "true")
    desktop.locator("#take-101").click()
    held[0].abort()
    expect(desktop.locator("#selection")).not_to_have_attribute("aria-busy", "true")
    # A step that still waited would be taken between these two.
    for team in ("2053", "102"):
        desktop.locator(f"#take-{team}").click()
        expect(desktop.locator(f"#take-{team}")).to_have_attribute("aria-pressed", "true")
    expect(desktop.locator("#take-101")).to_have_attribute("aria-pressed", "false")


def save_as_admin(event, *picks: Pick) -> None:
    before = selection.read(event.key, strong=True)[1]
    selection.save(CAST["admin"], event, picks, base=before.order, over=before)


def test_who_saves_later_sees_both_orders(phone: Page, event, assert_accessible) -> None:
    sign_in(phone, "scout-lead")
    phone.goto("/scouting/selection/")
    phone.locator("#menu-20").click()
    phone.locator("#to-r1-20").click()
    expect(phone.locator("[data-column=r1] #pick-20")).to_be_visible()
    save_as_admin(event, Pick("20", column="r2"), Pick("101", column="r2"))
    phone.locator("#save").click()
    expect(phone.locator("#conflict-title")).to_contain_text("Amara Lindqvist saved this list")
    expect(phone.locator("#conflict-title")).to_be_focused()
    expect(phone.locator("#clashes tbody tr")).to_have_count(1)
    expect(phone.locator("[data-column=r1] #pick-20")).to_be_visible()
    expect(phone.locator("[data-column=r2] #pick-101")).to_be_visible()
    assert_accessible(phone)
    phone.locator("#save-mine").click()
    expect(phone.locator("#selection-state")).to_contain_text("Saved by Leandro Sato")
    expect(phone.locator("[data-column=r1] #pick-20")).to_be_visible()
    expect(phone.locator("[data-column=r2] #pick-101")).to_be_visible()


def test_what_another_lead_does_is_seen_and_the_unsaved_order_stays(
    desktop: Page, event, assert_accessible
) -> None:
    sign_in(desktop, "scout-lead")
    desktop.goto("/scouting/selection/")
    desktop.locator("#menu-20").click()
    desktop.locator("#to-r1-20").click()
    expect(desktop.locator("[data-column=r1] #pick-20")).to_be_visible()
    save_as_admin(event, Pick("101", column="r2"))
    selection.take(CAST["admin"], event, "102", over=selection.read(event.key, strong=True)[1])
    # The page asks by itself, every few seconds.
    expect(desktop.locator("#selection-behind")).to_contain_text("Amara Lindqvist saved this list")
    expect(desktop.locator("#take-102")).to_have_attribute("aria-pressed", "true")
    expect(desktop.locator("#pick-102 .pick-name a")).to_have_css("text-decoration-line", "line-through")
    expect(desktop.locator("[data-column=r1] #pick-20")).to_be_visible()
    assert_accessible(desktop)
    desktop.locator("#merge").click()
    expect(desktop.locator("[data-column=r2] #pick-101")).to_be_visible()
    expect(desktop.locator("[data-column=r1] #pick-20")).to_be_visible()
    expect(desktop.locator("#selection-behind")).to_have_count(0)


def test_a_keyboard_moves_a_team_and_keeps_the_focus_on_it(phone: Page) -> None:
    sign_in(phone, "scout-lead")
    phone.goto("/scouting/selection/")
    for team in ("20", "101"):
        phone.locator(f"#menu-{team}").focus()
        phone.keyboard.press("Enter")
        phone.locator(f"#to-r1-{team}").focus()
        phone.keyboard.press("Enter")
        expect(phone.locator(f"[data-column=r1] #menu-{team}")).to_be_focused()
    phone.locator("#down-101").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#selection-said")).to_have_text("101 is number 2 in “R1”.")
    expect(phone.locator("#down-101")).to_be_focused()


def test_a_match_sheet_on_paper_has_nothing_to_press(desktop: Page) -> None:
    sign_in(desktop, "scout-lead")
    desktop.goto("/scouting/analysis/matches/1/")
    desktop.emulate_media(media="print")
    expect(desktop.get_by_role("heading", name="Match 1")).to_be_visible()
    expect(desktop.locator("nav.tabs")).to_be_hidden()
    expect(desktop.locator("#another-event")).to_be_hidden()
