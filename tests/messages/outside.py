"""Texts that people see and that do not go through gettext."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from tests.config.processes import ROOT
from tests.messages.texts import PACKAGES

SHOWN_ATTRIBUTES = {"alt", "aria-label", "aria-description", "placeholder", "title"}
NOT_READ = {"code", "kbd", "script", "style", "svg"}
# What a template says besides texts: other template tags, comments, and blocks that are translated whole.
TEMPLATE_TAG = re.compile(
    r"\{% comment %\}.*?\{% endcomment %\}|\{% blocktranslate.*?\{% endblocktranslate %\}"
    r"|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}",
    re.DOTALL,
)
NAME_OF_ELEMENT = re.compile(r"(?<=<)\{\{.*?\}\}|(?<=</)\{\{.*?\}\}")
# A template that is only the attributes of an element.
ATTRIBUTES = re.compile(r'[\w-]+="')
# Keywords, attributes and functions whose strings people see.
SHOWN_NAMES = {
    *("button", "description", "empty", "empty_label", "heading", "help_text", "label", "lead", "message"),
    *("new_title", "plural", "question", "singular", "success_message", "text", "title", "unit"),
}
SHOWN_BY = {"Invalid", "NotFound", "Conflict", "ValidationError", "TooLarge", "add_error"}
# For operators, other programs and examples; the style guide shows components.
NOT_FOR_PEOPLE = re.compile(
    r"/(management|demo|cloudformation|faults|payload|superalliance|engines)/|/sams/drift|^config/|^api/|styleguide|api/reference"
)
# The same in every language.
SAME_EVERYWHERE = {
    *("AB", "CSV", "Excel", "JSON", "RBI", "LOB", "SAMS", "UUID", "ms"),
    # Blocks of templates that name an element or a class.
    *("article", "wide"),
}
# Not the name of a field or of an attribute, and no HTML.
SENTENCE = re.compile(r"[^\W_a-z]|[a-z]+ ")
WORD = re.compile(r"[^\W\d_]{2,}")


class Outside(NamedTuple):
    file: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text!r}"


def texts_outside() -> Iterator[Outside]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        yield from _found(path, in_template(path.read_text(encoding="utf-8")))
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield from _found(path, in_python(path.read_text(encoding="utf-8")))


def _found(path: Path, texts: Iterator[str]) -> Iterator[Outside]:
    name = path.relative_to(ROOT).as_posix()
    if NOT_FOR_PEOPLE.search(name):
        return
    for text in texts:
        if set(WORD.findall(text)) - SAME_EVERYWHERE:
            yield Outside(name, text)


def in_template(source: str) -> Iterator[str]:
    reader = _Reader()
    reader.feed(TEMPLATE_TAG.sub(" ", NAME_OF_ELEMENT.sub("x", source)))
    reader.close()
    yield from reader.texts


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in NOT_READ
        self.texts += [" ".join((value or "").split()) for name, value in attrs if name in SHOWN_ATTRIBUTES]

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in NOT_READ

    def handle_data(self, data: str) -> None:
        if not self._unread and not ATTRIBUTES.match(data.strip()):
            self.texts.append(" ".join(data.split()))


def in_python(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg=name, value=value) if name in SHOWN_NAMES:
                yield from _constants(value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in SHOWN_NAMES:
                yield from _constants(value)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in SHOWN_BY:
                for argument in args:
                    yield from _constants(argument)


def _constants(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and SENTENCE.match(value.value):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _constants(value.body)
        yield from _constants(value.orelse)
