"""SVG drawings, made anew from the shapes in them: nothing else of an upload survives.

What only drawing programs need is left out. What would change the look, and whatever can run or load
something, is refused with its name, so that nobody publishes half a drawing.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext_lazy as _

from core.media.errors import UploadRefused

MIME_TYPE = "image/svg+xml"
LARGEST = 64 * 1024
MOST_ELEMENTS = 2000
DEEPEST = 24
# How many times as wide as high, or as high as wide.
LONGEST_SHAPE = 5

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
HREFS = ("href", f"{{{XLINK}}}href")
GRADIENTS = {"linearGradient", "radialGradient"}
# What is drawn, with its own attributes.
SHAPES: Mapping[str, set[str]] = {
    "g": set(),
    "defs": set(),
    "path": {"d", "pathLength"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
    "linearGradient": {"x1", "y1", "x2", "y2", "gradientUnits", "gradientTransform", "spreadMethod"},
    "radialGradient": {
        *("cx", "cy", "r", "fx", "fy", "fr", "gradientUnits", "gradientTransform", "spreadMethod")
    },
    "stop": {"offset"},
    "clipPath": {"clipPathUnits"},
    "mask": {"x", "y", "width", "height", "maskUnits", "maskContentUnits"},
}
PRESENTATION = {
    *("fill", "fill-opacity", "fill-rule", "opacity", "color", "clip-path", "clip-rule", "mask", "transform"),
    *("stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin"),
    *("stroke-miterlimit", "stroke-opacity", "stroke-width", "stop-color", "stop-opacity", "mask-type"),
    *("display", "visibility", "vector-effect", "paint-order"),
}
CUTS = {"mask", "clip-path"}
ACTIVE = {"script", "foreignObject"}
NOT_DRAWN = {"title", "desc", "metadata", "style"}
# Numbers, names, colours and functions of them: nothing with a colon, a quote or an escape.
PLAIN = re.compile(r"[\w#%.,()+\- \t\r\n]*")
INSIDE = re.compile(r"url\(#[A-Za-z_][\w.\-]*\)")
ID = re.compile(r"[A-Za-z_][\w.\-]*")
LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)(?:px)?\s*")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
SELECTOR = re.compile(r"[.#]?[A-Za-z_][\w\-]*")

register_namespace("", SVG)


class Drawing(NamedTuple):
    data: bytes
    width: int
    height: int


class LargeDrawing(UploadRefused):
    message = _("This SVG is larger than 64 KB or has too many shapes. Simplify it, or upload a PNG.")


class BrokenDrawing(UploadRefused):
    message = _("This SVG is damaged or has no size. Export it again as plain SVG, or upload a PNG.")


class LongDrawing(UploadRefused):
    message = _("This logo is too long. It can be at most five times as wide as high, or as high as wide.")


class ActiveDrawing(UploadRefused):
    message = _("This SVG contains a script, a link or another file. Export it again without them.")


class UnsupportedDrawing(UploadRefused):
    def __init__(self, what: str) -> None:
        text = _("“%(what)s” is not allowed in a logo. Convert everything to paths, or upload a PNG.")
        super().__init__(text % {"what": what[:40]})


def clean(data: bytes) -> Drawing:
    """The shapes of an SVG file; raises UploadRefused."""
    if len(data) > LARGEST:
        raise LargeDrawing
    try:
        root = fromstring(data)
    except DefusedXmlException as error:
        raise ActiveDrawing from error
    except (ParseError, ValueError, LookupError) as error:
        raise BrokenDrawing from error
    if _name(root)[1] != "svg":
        raise BrokenDrawing
    if sum(1 for _each in root.iter()) > MOST_ELEMENTS:
        raise LargeDrawing
    box = _view_box(root)
    width, height = box[2:]
    if not 1 / LONGEST_SHAPE <= width / height <= LONGEST_SHAPE:
        raise LongDrawing
    rules = _rules(root)
    made = Element(f"{{{SVG}}}svg", {"viewBox": " ".join(f"{part:g}" for part in box)})
    made.attrib |= _presentation(root, rules)
    made.extend([*_shapes(root, rules, depth=1)])
    return Drawing(tostring(made, encoding="utf-8"), *_in_whole_numbers(width, height))


# --- Elements and attributes --------------------------------------------------------------------------------

Declarations = dict[str, str]
# By what they apply to: the name of an element, a class (".a") or an id ("#a").
Rules = Mapping[str, Declarations]


def _shapes(
    parent: Element, rules: Rules, *, depth: int, left_out: Collection[str] = ()
) -> Iterator[Element]:
    if depth > DEEPEST:
        raise LargeDrawing
    for element in parent:
        namespace, name = _name(element)
        if name in ACTIVE:
            raise ActiveDrawing
        if namespace not in (SVG, "") or name in NOT_DRAWN:
            continue
        if name not in SHAPES:
            raise UnsupportedDrawing(name)
        attributes = _own(element, name) | _presentation(element, rules)
        attributes = {each: text for each, text in attributes.items() if each not in left_out}
        made = Element(f"{{{SVG}}}{name}", attributes)
        # One within another can take a browser for ever.
        within = CUTS if name in ("mask", "clipPath") else left_out
        made.extend([*_shapes(element, rules, depth=depth + 1, left_out=within)])
        yield made


def _own(element: Element, name: str) -> Declarations:
    kept = _checked({each: text for each, text in element.attrib.items() if each in SHAPES[name]})
    if ID.fullmatch(element.get("id", "")):
        kept["id"] = element.attrib["id"]
    for href in HREFS:
        if target := element.get(href):
            if not (target.startswith("#") and ID.fullmatch(target[1:])):
                raise ActiveDrawing
            # A gradient with the colours of another one.
            if name in GRADIENTS:
                kept["href"] = target
    return kept


def _presentation(element: Element, rules: Rules) -> Declarations:
    """How it looks: by its attributes, by the rules of style sheets, and by its own style."""
    if any(name.lower().startswith("on") for name in element.attrib):
        raise ActiveDrawing
    found = {name: text for name, text in element.attrib.items() if name in PRESENTATION}
    classes = [f".{each}" for each in element.get("class", "").split()]
    for selector in (_name(element)[1], *classes, f"#{element.get('id', '')}"):
        found |= rules.get(selector, {})
    return _checked(found | _declarations(element.get("style", "")))


def _checked(found: Declarations) -> Declarations:
    """Refuses what loads something; what is merely unknown is left out."""
    for text in found.values():
        _refuse_loading(text)
    return {name: text.strip() for name, text in found.items() if PLAIN.fullmatch(text)}


def _refuse_loading(text: str) -> None:
    if "url" in text.lower() and not INSIDE.fullmatch(text.strip()):
        raise ActiveDrawing


def _name(element: Element) -> tuple[str, str]:
    """The namespace and the name of an element."""
    namespace, _brace, name = element.tag.rpartition("}")
    return namespace.removeprefix("{"), name


# --- Style sheets, which become attributes ------------------------------------------------------------------


def _rules(root: Element) -> Rules:
    rules: dict[str, Declarations] = {}
    for element in root.iter():
        if _name(element)[1] == "style":
            for selector, declarations in _rules_in(COMMENT.sub("", "".join(element.itertext()))):
                rules[selector] = rules.get(selector, {}) | declarations
    return rules


def _rules_in(sheet: str) -> Iterator[tuple[str, Declarations]]:
    place = 0
    while match := RULE.match(sheet, place):
        place = match.end()
        declarations = _declarations(match[2])
        for selector in map(str.strip, match[1].split(",")):
            if not SELECTOR.fullmatch(selector):
                raise UnsupportedDrawing(selector)
            yield selector, declarations
    if rest := sheet[place:].strip():
        raise UnsupportedDrawing(rest.split()[0])


def _declarations(style: str) -> Declarations:
    pairs = (each.partition(":") for each in COMMENT.sub("", style).split(";"))
    found = {name.strip(): text.replace("!important", "").strip() for name, _colon, text in pairs}
    for text in found.values():
        _refuse_loading(text)
    return {name: text for name, text in found.items() if name in PRESENTATION}


# --- Size ---------------------------------------------------------------------------------------------------


def _view_box(root: Element) -> tuple[float, float, float, float]:
    try:
        left, top, width, height = (float(part) for part in root.get("viewBox", "").replace(",", " ").split())
    except ValueError:
        sizes = [LENGTH.fullmatch(root.get(name, "")) for name in ("width", "height")]
        left, top = 0.0, 0.0
        width, height = (float(size[1]) if size else 0.0 for size in sizes)
    if not all(abs(part) < 1e6 for part in (left, top, width, height)) or min(width, height) < 1e-3:
        raise BrokenDrawing
    return left, top, width, height


def _in_whole_numbers(width: float, height: float) -> tuple[int, int]:
    """The same shape, 100 on the longer side."""
    longer = max(width, height)
    return max(1, round(100 * width / longer)), max(1, round(100 * height / longer))
