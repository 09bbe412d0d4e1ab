"""The texts of the source: every call of gettext in Python and every translated text in templates.

Django's makemessages needs GNU gettext, which not every machine has and which overlooks calls in f-strings.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.translation.template import templatize

from tests.config.processes import ROOT

PACKAGES = ("api", "cms", "config", "core", "desk", "quests", "scouting", "tracker")
# The arguments of each function that are texts, by what they are.
SINGULAR, PLURAL, CONTEXT = "msgid", "msgid_plural", "msgctxt"
ARGUMENTS = {
    "_": (SINGULAR,),
    "gettext": (SINGULAR,),
    "gettext_lazy": (SINGULAR,),
    "gettext_noop": (SINGULAR,),
    "ngettext": (SINGULAR, PLURAL),
    "ngettext_lazy": (SINGULAR, PLURAL),
    "pgettext": (CONTEXT, SINGULAR),
    "pgettext_lazy": (CONTEXT, SINGULAR),
    "npgettext": (CONTEXT, SINGULAR, PLURAL),
    "npgettext_lazy": (CONTEXT, SINGULAR, PLURAL),
}
LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
CALL_IN_TEMPLATE = re.compile(rf"\b(_|n?p?gettext)\(\s*({LITERAL}(?:\s*,\s*{LITERAL})*)", re.DOTALL)


class Text(NamedTuple):
    msgid: str
    msgid_plural: str = ""
    msgctxt: str | None = None


def texts() -> Iterator[tuple[str, Text]]:
    """Each text with the file that it is in, in the order of the files."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for text in _in_python(path.read_text(encoding="utf-8")):
                yield _name(path), text
    for path in sorted((ROOT / "templates").rglob("*.*")):
        for text in _in_template(path.read_text(encoding="utf-8")):
            yield _name(path), text


def _in_python(source: str) -> Iterator[Text]:
    for call in _calls(ast.parse(source)):
        function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if function in ARGUMENTS:
            yield _text(function, call.args)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """In the order of the source, which line numbers do not tell within f-strings of every Python."""
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _calls(child)


def _in_template(source: str) -> Iterator[Text]:
    if not settings.configured:
        settings.configure()
    for function, arguments in CALL_IN_TEMPLATE.findall(templatize(source)):
        parsed = ast.parse(f"({arguments},)", mode="eval").body
        assert isinstance(parsed, ast.Tuple)
        yield _text(function, parsed.elts)


def _text(function: str, arguments: list[ast.expr]) -> Text:
    names = ARGUMENTS[function]
    return Text(**{name: ast.literal_eval(each) for name, each in zip(names, arguments, strict=False)})


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
