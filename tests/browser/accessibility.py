"""axe on the page as it stands, in light and dark, without judging again what was judged in this run.

Four fifths of axe's time go into the contrast of every piece of text. That depends on how the text looks:
its colour, its size, what is painted behind it. Pages share most of their looks, so each of them is judged
once for each screen and scheme; everything else is judged each time.
"""

from collections import Counter

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Violation = list[object]  # the name of a rule, and selectors

COLOURS = ["color-contrast", "link-in-text-block"]
# axe needs no selectors for what it finds right, and there are no frames.
OPTIONS: dict[str, object] = {"resultTypes": ["violations"], "iframes": False}
EVERYTHING_ELSE = OPTIONS | {"rules": {name: {"enabled": False} for name in COLOURS}}
ONLY_COLOURS = {
    "resultTypes": ["violations", "incomplete"],
    "iframes": False,
    "elementRef": True,
    "runOnly": COLOURS,
}

# What is still arriving has colours of its own.
STILL = """() => document.getAnimations().every(
    (one) => one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity
)"""
# Every element with text of its own, by how it looks: kept in the page for the check that follows.
LOOKS = """() => {
    const behind = new Map([[null, ""]]);
    const paintedBehind = (element, style) => {
        const above = behind.get(element.parentElement) ?? "";
        const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join();
        const all = above.endsWith(own) ? above : `${above}|${own}`;
        behind.set(element, all);
        return all;
    };
    const hasText = (element) =>
        element.matches("input, select, textarea") ||
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const names = ["color", "fontSize", "fontWeight", "textShadow", "textDecorationLine", "clipPath"];
    globalThis.looks = new Map();
    for (const element of document.querySelectorAll("html, html *")) {
        const style = getComputedStyle(element);
        const painted = paintedBehind(element, style);
        if (!hasText(element) || !element.checkVisibility()) continue;
        const beside = element.parentElement ? getComputedStyle(element.parentElement).color : "";
        const isDisabled = Boolean(element.closest(":disabled, [aria-disabled], [inert]"));
        const own = [element.localName, element.className, isDisabled, beside, painted];
        const look = [...own, ...names.map((name) => style[name])].join(";");
        if (!looks.has(look)) looks.set(look, []);
        looks.get(look).push(element);
    }
    return [...looks.keys()];
}"""
# Of what is covered or lies over a picture axe cannot tell: such a look is judged again where it comes next.
JUDGE_LOOKS = """async ([wanted, options]) => {
    const include = wanted.flatMap((look) => looks.get(look));
    const { violations, incomplete } = await axe.run({ include }, options);
    const nodes = [...violations, ...incomplete].flatMap(({ nodes }) => nodes);
    const doubtful = new Set(nodes.map(({ element }) => element));
    return [
        violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]),
        wanted.filter((look) => looks.get(look).some((element) => !doubtful.has(element))),
    ];
}"""
JUDGE = """async (options) => {
    const { violations } = await axe.run(options);
    return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
}"""

# Looks over pictures stay doubtful wherever they are.
ATTEMPTS = 3
_attempts: Counter[tuple[str, str, str]] = Counter()


def violations(page: Page) -> list[Violation]:
    """What axe has against this page; colours in both schemes, everything else once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.emulate_media(color_scheme="dark")
    found = _colours(page, "dark")
    page.emulate_media(color_scheme="light")
    return found + _colours(page, "light") + page.evaluate(JUDGE, EVERYTHING_ELSE)


def _colours(page: Page, scheme: str) -> list[Violation]:
    page.wait_for_function(STILL)
    looks = {look: (scheme, str(page.viewport_size), look) for look in page.evaluate(LOOKS)}
    wanted = [look for look, key in looks.items() if _attempts[key] < ATTEMPTS]
    if not wanted:
        return []
    found, right = page.evaluate(JUDGE_LOOKS, [wanted, ONLY_COLOURS])
    _attempts.update(looks[look] for look in wanted)
    _attempts.update({looks[look]: ATTEMPTS for look in right})
    return list(found)
