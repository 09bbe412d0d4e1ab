"""The scoring screen on a phone: its tiles, and answers that are lost on the way."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

Accessible = Callable[[Page], None]


def tap(page: Page, result: str) -> None:
    page.locator("label.score-tile", has=page.locator(f'input[value="{result}"]')).tap()


def last_is(page: Page, number: int) -> None:
    """The play was answered: the next turn is on the screen."""
    expect(page.locator('#play input[name="seen"]')).to_have_value(str(number))


class LosingAnswers:
    """Lets a request reach the server, and loses what it answers: that with this number, if there is one."""

    def __init__(self, page: Page) -> None:
        self.number: int | None = None
        self.asked = 0
        self.lost = 0
        page.route("**/record/", self.handle)

    def handle(self, route: Route) -> None:
        self.asked += 1
        if self.asked != self.number:
            route.continue_()
            return
        self.lost += 1
        # Carried out by the server, and never heard of.
        route.fetch()
        route.abort()
