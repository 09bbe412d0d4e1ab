"""A scout in the stand with a phone: a match is told with thumbs alone, without a word to the server."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scouting.events.event import Alliance, Match
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.games.models import StoredGame
from scouting.games.repository import stored_games
from scouting.settings import services as settings
from tests.browser.conftest import OpenPage
from tests.browser.signing_in import sign_in
from tests.cast import CAST
from tests.scouting.field import KEY, event, stand

Accessible = Callable[[Page], None]
LEAD = CAST["scout-lead"]
PLAN = [
    Match(number, red=Alliance(("20", "2053", "101")), blue=Alliance(("254B", "2095", "102")))
    for number in (1, 2, 3)
]
MOST_TAPS = 30


@pytest.fixture(autouse=True)
def _at_an_event(db: object) -> None:
    settings.forget()
    event(matches=PLAN)


class Thumb:
    """Taps what can be seen, and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator, times: int = 1) -> None:
        for _tap in range(times):
            what.tap()
            self.taps += 1

    def button(self, name: str, times: int = 1) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True), times)


def stored() -> list[StandForm]:
    return stand_forms.at(KEY)


def test_a_typical_match_needs_at_most_thirty_taps_and_no_keyboard(live_server: object, phone: Page) -> None:
    stand("101", 1, scout_id=LEAD.sub)
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    thumb = Thumb(page)
    # Between opening and sending nothing needs the server.
    page.context.set_offline(True)

    expect(page.locator("#id_match")).to_have_value("1")
    thumb.tap(page.get_by_role("button", name="Blue 1 254B"))
    expect(page.get_by_role("heading", name="Autonomous")).to_be_focused()
    bar = page.locator("#scout-bar")
    expect(bar).to_contain_text("254B")
    expect(bar).to_contain_text("Match 1")
    expect(page.locator("#bar-robot")).to_have_attribute("data-colour", "blue")
    thumb.tap(page.get_by_text("Moved in autonomous"))
    thumb.button("One more: Fuel scored", 3)
    expect(bar).to_contain_text("Score 3")
    thumb.button("Next")
    thumb.button("One more: Fuel scored", 9)
    thumb.button("One less: Shots missed")
    expect(page.locator("#id_q_shotsMissed")).to_have_value("0")
    thumb.button("Next")
    expect(page.get_by_text("Where", exact=True)).to_be_hidden()
    thumb.tap(page.get_by_text("Level 2"))
    thumb.tap(page.get_by_text("Centre"))
    expect(bar).to_contain_text("Score 32")
    thumb.button("Next")
    thumb.tap(page.get_by_text("Its alliance won"))
    thumb.button("One more: Ranking points", 3)
    page.context.set_offline(False)
    thumb.button("Send")

    expect(page.get_by_role("heading", level=1)).to_have_text("Next robot")
    expect(page.get_by_text("Sent: 254B in match 1, score 32.")).to_be_visible()
    expect(page.locator("#id_match")).to_have_value("2")
    assert thumb.taps <= MOST_TAPS
    (form,) = [form for form in stored() if form.team == "254B"]
    assert (form.auto_score, form.tele_score, form.total_score) == (3, 29, 32)
    assert (form.match, form.win, form.rp_earned) == (1, True, 3)
    assert form.scores["climbPosition"] == "center"
    assert form.scout_name == CAST["scout"].name


def test_large_counters_take_five_and_ten_at_once_and_never_leave_their_range(
    live_server: object, phone: Page
) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 1 20").tap()
    fuel = page.get_by_label("Fuel scored", exact=True).first
    page.get_by_role("button", name="5 more: Fuel scored").tap()
    page.get_by_role("button", name="10 more: Fuel scored").tap()
    expect(fuel).to_have_value("15")
    expect(page.locator("#said")).to_have_text("Fuel scored: 15")
    fuel.tap()
    page.keyboard.type("12")
    expect(fuel).to_have_value("12")
    fuel.fill("299")
    page.get_by_role("button", name="5 more: Fuel scored").tap()
    expect(fuel).to_have_value("300")


def test_a_doubtful_robot_is_warned_of_but_not_refused(live_server: object, phone: Page) -> None:
    stand("20", 1, scout_id=LEAD.sub)
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 1 20").tap()
    expect(page.locator("#warning")).to_contain_text("There is already a form for this robot in that match.")
    expect(page.get_by_role("heading", name="Which robot?")).to_be_visible()

    page.get_by_text("Another team").tap()
    page.get_by_label("Team").fill("frc107")
    expect(page.locator("#warning")).to_contain_text("This team is not in that match.")
    page.get_by_role("button", name="Next", exact=True).tap()
    expect(page.locator("#bar-robot")).to_have_text("107")
    page.get_by_role("button", name="After", exact=True).tap()
    page.get_by_role("button", name="Send", exact=True).tap()
    expect(page.get_by_text("Sent: 107 in match 1, score 0.")).to_be_visible()


def test_another_match_forgets_a_robot_that_is_not_in_it(live_server: object, phone: Page) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 1 20").tap()
    page.get_by_role("button", name="Robot", exact=True).tap()
    page.get_by_role("button", name="The match after").tap()
    expect(page.locator("#bar-robot")).to_have_text("20")
    page.locator("#id_match").fill("9")
    expect(page.locator("#seats")).to_be_hidden()
    expect(page.get_by_label("Team")).to_be_visible()


def test_a_form_that_is_there_already_is_shown_and_mine_is_kept_beside_it(
    live_server: object, phone: Page, assert_accessible: Accessible
) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 2 2053").tap()
    page.get_by_role("button", name="One more: Fuel scored").first.tap()
    stand("2053", 1, teleFuel=17, scout_id=LEAD.sub, scout_name=LEAD.name)
    page.get_by_role("button", name="After", exact=True).tap()
    page.get_by_role("button", name="Send", exact=True).tap()

    expect(page.locator("#taken")).to_contain_text(f"{LEAD.name} sent it at")
    expect(page.locator("#taken-heading")).to_be_focused()
    expect(page.locator("#bar-score")).to_have_text("1")
    assert_accessible(page)
    page.get_by_role("button", name="Keep mine as a second report").tap()
    expect(page.get_by_text("Sent: 2053 in match 1, score 1.")).to_be_visible()
    assert [form.is_further for form in stored()] == [False, True]


def test_what_is_wrong_leads_to_its_step(live_server: object, phone: Page) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_text("Another team").tap()
    page.get_by_label("Team").fill("cat")
    page.get_by_role("button", name="After", exact=True).tap()
    page.get_by_role("button", name="Send", exact=True).tap()
    expect(page.get_by_role("heading", name="Which robot?")).to_be_visible()
    expect(page.get_by_label("Team")).to_be_focused()
    expect(page.get_by_text("Enter a team number up to 25599")).to_be_visible()


def test_without_a_robot_nobody_goes_on(live_server: object, phone: Page) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    for name in ("Next", "After"):
        page.get_by_role("button", name=name, exact=True).tap()
        expect(page.locator("#warning")).to_have_text("Choose a robot first.")
        expect(page.get_by_role("heading", name="Which robot?")).to_be_visible()
    page.get_by_role("button", name="Red 1 20").tap()
    expect(page.get_by_role("heading", name="Autonomous")).to_be_focused()


def test_a_thumb_that_taps_next_twice_goes_back_and_sends_nothing(live_server: object, phone: Page) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 1 20").tap()
    page.get_by_role("button", name="Endgame", exact=True).tap()
    place = page.get_by_role("button", name="Next", exact=True).bounding_box()
    assert place
    page.get_by_role("button", name="Next", exact=True).tap()
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    send, back = (page.locator(button).bounding_box() for button in ("#send", "#back"))
    assert send
    assert back
    assert (send["y"], send["width"]) == (back["y"], back["width"])
    page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.get_by_role("heading", name="Endgame")).to_be_visible()
    assert stored() == []


def test_a_robot_that_did_not_come_is_ticked_and_sent(live_server: object, phone: Page) -> None:
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 1 20").tap()
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_hidden()
    page.get_by_text("The robot did not come").tap()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Teleop", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Send", exact=True).tap()
    expect(page.get_by_text("Sent: 20 in match 1, score 0.")).to_be_visible()
    assert [form.no_show for form in stored()] == [True]


def test_the_own_form_of_a_robot_is_warned_of_as_such(live_server: object, phone: Page) -> None:
    stand("20", 1)
    page = sign_in(phone, "scout")
    page.goto("/scouting/stand/?match=1&team=20")
    expect(page.locator("#warning")).to_contain_text(
        "You have already sent a form for this robot in this match."
    )


def test_a_clock_counts_seconds_and_a_robot_that_did_not_come_is_asked_nothing(
    live_server: object, phone: Page
) -> None:
    clock = {"key": "cycle", "label": "Cycle", "phase": "auto", "kind": "timer", "points": 2, "most": 150}
    definition = {"year": 2026, "name": "Timed", "questions": [clock]}
    timed = StoredGame.of_year(2026, name="Timed", definition=definition)
    stored_games.create(timed, actor=LEAD.actor)
    settings.forget()
    page = sign_in(phone, "scout")
    page.clock.install()
    page.goto("/scouting/stand/")
    page.clock.pause_at(page.evaluate("Math.ceil(Date.now() / 1000) + 1"))
    page.get_by_role("button", name="Red 1 20").tap()
    button = page.get_by_role("button", name="Let the clock run: Cycle")
    button.tap()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.clock.fast_forward(4_500)
    button.tap()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("Cycle", exact=True)).to_have_value("4.5")
    expect(page.locator("#bar-score")).to_have_text("9")
    button.tap()
    page.clock.fast_forward(1_000)
    # Whoever goes on has seen enough.
    page.get_by_role("button", name="Next", exact=True).tap()
    expect(page.locator("#bar-score")).to_have_text("11")
    page.get_by_role("button", name="Back", exact=True).tap()
    page.get_by_text("The robot did not come").tap()
    expect(page.get_by_label("Cycle", exact=True)).to_be_hidden()
    expect(page.locator("#bar-score")).to_have_text("0")


def test_every_step_is_accessible(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    page = sign_in(every_look, "scout")
    page.goto("/scouting/stand/")
    assert_accessible(page)
    page.get_by_role("button", name="Red 3 101").click()
    for _step in range(3):
        assert_accessible(page)
        page.get_by_role("button", name="Next", exact=True).click()
    assert_accessible(page)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()


def test_by_keyboard_enter_leads_to_the_next_step(live_server: object, desktop: Page) -> None:
    page = sign_in(desktop, "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Blue 3 102").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Autonomous")).to_be_focused()
    page.get_by_label("Fuel scored", exact=True).first.press("Enter")
    expect(page.get_by_role("heading", name="Teleop")).to_be_focused()


def test_without_javascript_one_long_form_does_the_same(live_server: object, browser: Browser) -> None:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    page = sign_in(context.new_page(), "scout")
    page.goto("/scouting/stand/")
    page.get_by_label("Team").fill("20")
    page.get_by_label("Fuel scored", exact=True).last.fill("12")
    page.get_by_label("Level 1").check()
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Next robot")
    context.close()
    assert [(form.team, form.total_score) for form in stored()] == [("20", 22)]


@pytest.mark.journey
def test_a_lost_connection_loses_nothing_and_a_second_try_sends_it_once(
    live_server: object, open_page: OpenPage
) -> None:
    page = sign_in(open_page("phone", "light"), "scout")
    page.goto("/scouting/stand/")
    page.get_by_role("button", name="Red 1 20").tap()
    page.get_by_role("button", name="After", exact=True).tap()
    page.context.set_offline(True)
    page.get_by_role("button", name="Send", exact=True).tap()
    expect(page.get_by_text("No connection.")).to_be_visible()
    # Whoever tries again sees for which robot.
    page.wait_for_function(
        """() => {
          const [toast, bar] = ["#toasts > *", "#scout-bar"].map((each) => document.querySelector(each));
          return bar.getBoundingClientRect().top >= toast.getBoundingClientRect().bottom;
        }"""
    )
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").tap()
    expect(page.get_by_text("Sent: 20 in match 1, score 0.")).to_be_visible()
    assert len(stored()) == 1
