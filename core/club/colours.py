"""The club's colours: how well they are read, and the shades in which text is.

Contrast is that of WCAG 2.2. Shades are searched for in OKLCH, where only the lightness has to change.
"""

import re
from functools import lru_cache
from math import atan2, cos, hypot, sin
from typing import NamedTuple

Triple = tuple[float, float, float]

HEX = re.compile(r"#[0-9a-f]{6}")
# Of the style sheet, for clubs that have chosen none.
DEFAULT = "#1b6049"
# Of text (AA).
ENOUGH = 4.5
WHITE, BLACK = "#ffffff", "#000000"
# What texts in the accent stand on: `--surface`, `--ground` and `--sunken` of static/core/fieldhouse.css.
LIGHT_GROUNDS = (WHITE, "#f6f7f5", "#eef0ed")
DARK_GROUNDS = ("#1c2123", "#14181a", "#111416")
# The accent is also read on surfaces that are tinted with it.
STRONGEST_TINT = 0.14
STEP = 0.004


class Shades(NamedTuple):
    """One colour as accent: for texts and buttons on light and on dark pages, and for text on both."""

    light: str
    dark: str
    on_light: str
    on_dark: str


def contrast(one: str, other: str) -> float:
    """From 1, which cannot be read, to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def on(colour: str) -> str:
    """White or black, whichever is read better on this colour; it always has enough contrast."""
    return max((WHITE, BLACK), key=lambda text: contrast(text, colour))


@lru_cache(maxsize=64)
def shades(colour: str) -> Shades:
    """The colour itself where it is read well, else the nearest lightness that is."""
    light = _readable(colour, LIGHT_GROUNDS, -STEP)
    dark = _readable(colour, DARK_GROUNDS, STEP)
    return Shades(light, dark, on(light), on(dark))


def _readable(colour: str, grounds: tuple[str, ...], step: float) -> str:
    lightness, chroma, hue = _to_oklch(colour)
    shade = colour
    while not all(contrast(shade, each) >= ENOUGH for each in (*grounds, mix(shade, grounds[0]))):
        lightness += step
        shade = _from_oklch(lightness, chroma, hue)
    return shade


def mix(colour: str, ground: str, share: float = STRONGEST_TINT) -> str:
    """As `color-mix(in oklab, …)`."""
    one, other = _to_oklab(colour), _to_oklab(ground)
    lightness, a, b = (share * x + (1 - share) * y for x, y in zip(one, other, strict=True))
    return _to_hex(_to_linear_rgb((lightness, a, b)))


# --- Colour spaces: https://bottosson.github.io/posts/oklab/ ------------------------------------------------


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(colour: str) -> Triple:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return _straight(red), _straight(green), _straight(blue)


def _straight(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _to_oklab(colour: str) -> Triple:
    red, green, blue = _linear(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _to_oklch(colour: str) -> Triple:
    lightness, a, b = _to_oklab(colour)
    return lightness, hypot(a, b), atan2(b, a)


def _from_oklch(lightness: float, chroma: float, hue: float) -> str:
    """The colour, with less chroma where screens do not have as much of it."""
    while True:
        rgb = _to_linear_rgb((lightness, chroma * cos(hue), chroma * sin(hue)))
        if chroma < STEP or all(-0.0001 <= part <= 1.0001 for part in rgb):
            return _to_hex(rgb)
        chroma -= STEP


def _to_linear_rgb(lab: Triple) -> Triple:
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _to_hex(rgb: Triple) -> str:
    return "#" + "".join(f"{round(255 * _curved(min(max(part, 0.0), 1.0))):02x}" for part in rgb)


def _curved(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)
