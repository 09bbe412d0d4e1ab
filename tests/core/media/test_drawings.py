"""A logo as SVG: hostile files are refused, and what is kept has shapes only."""

import re

import pytest
from defusedxml.ElementTree import fromstring

from core.media import drawings
from core.media.drawings import (
    ActiveDrawing,
    BrokenDrawing,
    Drawing,
    LargeDrawing,
    LongDrawing,
    UnsupportedDrawing,
)

NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(inside: str = "", *, root: str = 'viewBox="0 0 40 20"', before: str = "") -> bytes:
    return f"{before}<svg {NAMESPACES} {root}>{inside}</svg>".encode()


def kept(inside: str, **options: str) -> str:
    """What is inside of the root afterwards."""
    data = drawings.clean(svg(inside, **options)).data.decode()
    return re.sub(r"^.*?<svg[^>]*?(/>|>)|</svg>$", "", data, flags=re.DOTALL)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<script href="https://evil.example/a.js"/>',
        '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
        "<g><defs><script>alert(1)</script></defs></g>",
        '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>',
        '<path d="M0 0" onclick="alert(1)"/>',
        '<path d="M0 0" ONLOAD="alert(1)"/>',
        '<g onfocusin="alert(1)"/>',
        '<path d="M0 0" fill="url(https://evil.example/a.svg#b)"/>',
        '<path d="M0 0" fill="URL( //evil.example/a)"/>',
        '<path d="M0 0" style="fill:url(https://evil.example)"/>',
        '<path d="M0 0" style="background:url(https://evil.example)"/>',
        '<path d="M0 0" mask="url(data:image/svg+xml,abc#x)"/>',
        "<style>.a{fill:url(https://evil.example)}</style>",
        '<linearGradient xlink:href="https://evil.example/a.svg#b"/>',
        '<linearGradient href="javascript:alert(1)"/>',
        '<path d="M0 0" xlink:href="data:text/html,abc"/>',
    ],
)
def test_what_runs_or_loads_something_is_refused(hostile: str) -> None:
    with pytest.raises(ActiveDrawing):
        drawings.clean(svg(hostile))


def test_an_event_of_the_root_is_refused() -> None:
    with pytest.raises(ActiveDrawing):
        drawings.clean(svg(root='viewBox="0 0 1 1" onload="alert(1)"'))


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE svg [<!ENTITY % remote SYSTEM "https://evil.example/a.dtd"> %remote;]>',
    ],
)
def test_entities_are_refused(declared: str) -> None:
    with pytest.raises(ActiveDrawing):
        drawings.clean(svg("<path/>", before=declared))


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ('<use href="#a"/>', "use"),
        ('<image href="https://evil.example/a.png"/>', "image"),
        ('<a href="https://evil.example"><path/></a>', "a"),
        ("<text>VC</text>", "text"),
        ('<animate attributeName="href" to="javascript:alert(1)"/>', "animate"),
        ('<set attributeName="onload" to="alert(1)"/>', "set"),
        ("<filter/>", "filter"),
        ("<svg/>", "svg"),
        ("<iframe/>", "iframe"),
        ("<style>@import 'https://evil.example/a.css';</style>", "@import"),
        ("<style>@media all{.a{fill:red}}</style>", "@media"),
        ("<style>.a .b{fill:red}</style>", ".a .b"),
        ("<style>.a:hover{fill:red}</style>", ".a:hover"),
    ],
)
def test_what_would_be_missing_afterwards_is_refused_by_its_name(inside: str, named: str) -> None:
    with pytest.raises(UnsupportedDrawing) as refused:
        drawings.clean(svg(inside))

    assert f"“{named}” is not allowed in a logo." in str(refused.value)


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"no xml at all",
        b"\x89PNG\r\n\x1a\n",
        svg()[:-4],
        b"<html/>",
        svg(root=""),
        svg(root='viewBox="0 0 0 10"'),
        svg(root='viewBox="0 0 10"'),
        svg(root='viewBox="0 0 nan 10"'),
        svg(root='viewBox="0 0 inf 10"'),
        svg(root='width="100%" height="100%"'),
        b"<?xml version='1.0' encoding='no-such'?><svg/>",
    ],
)
def test_what_is_no_drawing_is_refused(broken: bytes) -> None:
    with pytest.raises(BrokenDrawing):
        drawings.clean(broken)


@pytest.mark.parametrize(
    "large",
    [
        svg("<!--" + "x" * drawings.LARGEST + "-->"),
        svg("<g/>" * drawings.MOST_ELEMENTS),
        svg("<g>" * 100 + "</g>" * 100),
    ],
)
def test_what_is_too_large_is_refused(large: bytes) -> None:
    with pytest.raises(LargeDrawing):
        drawings.clean(large)


@pytest.mark.parametrize("shape", ["0 0 51 10", "0 0 10 51"])
def test_what_is_too_long_is_refused(shape: str) -> None:
    with pytest.raises(LongDrawing):
        drawings.clean(svg(root=f'viewBox="{shape}"'))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<path d="M0 0L1,-2.5e1z" fill="#a1b2c3"/>', '<path d="M0 0L1,-2.5e1z" fill="#a1b2c3" />'),
        ('<g transform="matrix(1 0 0 1 2 3)"><circle r="3"/></g>',) * 2,
        ("<title>Evil</title><metadata><x/></metadata><!-- made by hand --><?php exec() ?>", ""),
        ('<x:namedview xmlns:x="urn:inkscape"><x:page/></x:namedview>', ""),
        ('<path d="M0 0" data-name="a" class="b" tabindex="0"/>', '<path d="M0 0" />'),
        # Not plain: left out, as a browser would do it.
        ('<path d="M0 0" fill="expression(alert(1));"/>', '<path d="M0 0" />'),
        ('<path d="M0 0" fill="\\75rl(x)"/>', '<path d="M0 0" />'),
        ('<path d="javascript:alert(1)"/>', "<path />"),
        # A mask within a mask.
        (
            '<mask id="a"><rect mask="url(#b)" width="1"/></mask>',
            '<mask id="a"><rect width="1" /></mask>',
        ),
    ],
)
def test_shapes_stay_and_all_else_goes(inside: str, expected: str) -> None:
    assert re.sub(r" ?/>", "/>", kept(inside)) == re.sub(r" ?/>", "/>", expected)


def test_styles_become_attributes() -> None:
    inside = kept(
        "<style>/* Adobe */ .a,.b{fill:#111;stroke:red} path{fill:#222} #c{opacity:.5!important}</style>"
        '<path id="c" class="b" d="M0 0" style="stroke:blue; -inkscape-font: x"/><path d="M1 1"/>'
    )
    first, second = fromstring(f"<svg>{inside}</svg>")

    assert first.attrib == {"id": "c", "d": "M0 0", "fill": "#111", "stroke": "blue", "opacity": ".5"}
    assert second.attrib == {"d": "M1 1", "fill": "#222"}


def test_gradients_and_what_refers_to_them_stay() -> None:
    inside = kept(
        '<defs><linearGradient id="a"><stop offset="0" style="stop-color:#fff"/></linearGradient>'
        '<linearGradient id="b" xlink:href="#a"/></defs><path d="M0 0" fill="url(#b)"/>'
    )
    definitions, path = fromstring(f"<svg>{inside}</svg>")

    assert definitions[1].attrib == {"id": "b", "href": "#a"}
    assert definitions[0][0].attrib == {"offset": "0", "stop-color": "#fff"}
    assert path.get("fill") == "url(#b)"


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        ('viewBox="0 0 40 20"', (100, 50)),
        ('viewBox="-5, -5, 10 20" width="1"', (50, 100)),
        ('width="30px" height="30"', (100, 100)),
    ],
)
def test_the_size_is_that_of_the_view_box_or_of_its_width_and_height(
    root: str, expected: tuple[int, int]
) -> None:
    drawing = drawings.clean(svg("<path/>", root=root))

    assert (drawing.width, drawing.height) == expected
    assert b"viewBox=" in drawing.data


def test_it_stays_the_same_when_it_is_uploaded_again() -> None:
    once: Drawing = drawings.clean(svg('<path d="M0 0" style="fill:red"/><g><rect width="3"/></g>'))

    assert drawings.clean(once.data) == once


def test_a_file_of_illustrator_with_a_doctype_is_read() -> None:
    doctype = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd">'

    assert b"<path" in drawings.clean(svg("<path/>", before=doctype)).data
