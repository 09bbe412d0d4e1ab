"""The shades of a colour in which text is always read, whatever the colour."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.club.colours import DARK_GROUNDS, ENOUGH, LIGHT_GROUNDS, STRONGEST_TINT, contrast, mix, on, shades

COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(COLOURS)
@example("#ffffff")
@example("#000000")
@example("#ffdd00")
@example("#00ff00")
@example("#0000ff")
def test_text_in_a_shade_and_on_it_has_enough_contrast(colour: str) -> None:
    found = shades(colour)

    for shade, text, grounds in (
        (found.light, found.on_light, LIGHT_GROUNDS),
        (found.dark, found.on_dark, DARK_GROUNDS),
    ):
        assert contrast(text, shade) >= ENOUGH
        assert all(contrast(shade, ground) >= ENOUGH for ground in (*grounds, mix(shade, grounds[0])))


@given(COLOURS)
def test_on_every_colour_white_or_black_is_read(colour: str) -> None:
    assert contrast(on(colour), colour) >= ENOUGH


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#777777", "#ffffff", 4.48)],
)
def test_contrast_is_that_of_the_guidelines(one: str, other: str, expected: float) -> None:
    assert round(contrast(one, other), 2) == round(contrast(other, one), 2) == expected


@pytest.mark.parametrize(
    ("colour", "light", "dark"),
    [
        # Read well on white, so it stays as it is there.
        ("#c8102e", "#c8102e", "#ff5e62"),
        ("#0b1f4b", "#0b1f4b", "#7b96cc"),
        # Read well on black.
        ("#ff9900", "#995a03", "#ff9900"),
    ],
)
def test_a_shade_is_the_colour_itself_or_as_near_as_possible(colour: str, light: str, dark: str) -> None:
    assert shades(colour)[:2] == (light, dark)


def test_a_mixture_is_that_of_browsers() -> None:
    assert mix("#ff0000", "#ffffff", 1) == "#ff0000"
    assert mix("#ff0000", "#ffffff", 0) == "#ffffff"
    # As Chromium computes color-mix(in oklab, #c8102e 14%, #ffffff).
    assert mix("#c8102e", "#ffffff", STRONGEST_TINT) == "#fce2e0"
