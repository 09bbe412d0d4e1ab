"""The check of a page finds what it is there to find, also where most of the page was judged before."""

from urllib.parse import quote

from playwright.sync_api import Page

from tests.browser.accessibility import violations

PAGE = """<html lang="en"><title>Colours</title><style>
  p {{ color: #111; background: #fff }}
  .pale {{ color: {light} }}
  @media (prefers-color-scheme: dark) {{ p, .pale {{ color: {dark}; background: #000 }} }}
</style><main><h1>Colours</h1><p>Read me</p><p class="pale">And me</p>{more}</main></html>"""


def show(page: Page, light: str = "#111", dark: str = "#eee", more: str = "") -> None:
    page.goto(f"data:text/html,{quote(PAGE.format(light=light, dark=dark, more=more))}")


def test_pale_text_is_found_in_either_scheme_though_its_page_was_judged_before(desktop: Page) -> None:
    show(desktop)
    assert violations(desktop) == []
    assert violations(desktop) == []
    show(desktop, light="#ddd")
    assert violations(desktop) == [["color-contrast", [[".pale"]]]]
    show(desktop, dark="#222")
    assert violations(desktop) == [["color-contrast", [["p:nth-child(2)"], [".pale"]]]]


def test_everything_else_is_judged_each_time(desktop: Page) -> None:
    show(desktop)
    assert violations(desktop) == []
    show(desktop, more="<button></button>")
    assert violations(desktop) == [["button-name", [["button"]]]]
