"""Frames: templates that are rendered once, with gaps for what differs from page to page."""

from collections.abc import Iterator

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.safestring import mark_safe

from core.crud import frames
from core.crud.frames import filled

pytestmark = pytest.mark.usefixtures("rendered")


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was rendered; the name of a template is its source."""
    sources: list[str] = []

    def render(source: str, context: dict[str, object]) -> str:
        sources.append(source)
        return str(Template(source).render(Context(context)))

    monkeypatch.setattr(frames, "render_to_string", render)
    frames._frame.cache_clear()
    yield sources
    frames._frame.cache_clear()


def test_it_is_rendered_once_for_all_that_is_filled_in(rendered: list[str]) -> None:
    shown = [filled("<p>{{ name }}</p>", by={}, fill={"name": name}) for name in ("Ada", "Bea", "Ada")]

    assert shown == ["<p>Ada</p>", "<p>Bea</p>", "<p>Ada</p>"]
    assert len(rendered) == 1


@pytest.mark.parametrize(
    "values", [(1, True), (True, 1), ("<b>", mark_safe("<b>")), (mark_safe("<b>"), "<b>")]
)
def test_each_value_that_it_is_kept_by_has_its_own(values: tuple[object, ...]) -> None:
    assert [filled("{{ value }}", by={"value": value}, fill={}) for value in values] == [
        Template("{{ value }}").render(Context({"value": value})) for value in values
    ]


def test_each_language_has_its_own() -> None:
    source = "{% load i18n %}{% get_current_language as code %}{{ code }} {{ name }}"
    shown = []
    for language in ("en", "de", "en"):
        with translation.override(language):
            shown.append(filled(source, by={}, fill={"name": "Ada"}))

    assert shown == ["en Ada", "de Ada", "en Ada"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>", "&lt;script&gt;"),
        (mark_safe("<b>safe</b>"), "<b>safe</b>"),
        ("{other} {0} {} {{other}} {name.__class__}", "{other} {0} {} {{other}} {name.__class__}"),
        (f"{frames.OPEN}other{frames.CLOSE}", f"{frames.OPEN}other{frames.CLOSE}"),
        (" two\n\n\n  lines\n", " two\n\n\n  lines\n"),
        (0, "0"),
    ],
)
def test_what_is_filled_in_is_only_text(text: object, shown: str) -> None:
    source = '<a data-json="{}">{{ name }}</a>{{ other }}'

    assert filled(source, by={}, fill={"name": text, "other": "x"}) == f'<a data-json="{{}}">{shown}</a>x'


def test_the_template_knows_what_is_empty() -> None:
    source = "{% if name %}{{ name }}{% else %}nobody{% endif %} {{ to.record|default:'nowhere' }}"

    assert filled(source, by={}, fill={"name": "", "to": {"record": "/a"}}) == "nobody /a"
    assert filled(source, by={}, fill={"name": "Ada", "to": {"record": ""}}) == "Ada nowhere"
    assert filled(source, by={}, fill={"name": "Ada", "to": {"record": "/b?c&d"}}) == "Ada /b?c&amp;d"
