"""`{% cached %}`: a part of a page that is made once for each language and the values it is given."""

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils import translation
from django.utils.safestring import mark_safe

from core.crud.templatetags import cached
from core.crud.templatetags.cached import CachedNode

NAMED = "{% load cached %}{% cached name=person %}{{ name }}{% endcached %}"


class Counted:
    """Tells how often it was asked."""

    asked = 0

    def __str__(self) -> str:
        self.asked += 1
        return "shown"


def show(template: Template, **values: object) -> str:
    return template.render(Context(values))


def test_it_is_made_once_for_the_same_values() -> None:
    template, counted = Template(NAMED), Counted()

    assert [show(template, person=counted) for _time in range(3)] == ["shown"] * 3
    assert counted.asked == 1


def test_other_values_make_it_anew() -> None:
    template = Template(NAMED)

    assert [show(template, person=name) for name in ("Ada", "Bea", "Ada")] == ["Ada", "Bea", "Ada"]


@pytest.mark.parametrize(
    "values", [(1, True), (True, 1), (0, False, 0.0), ("<b>", mark_safe("<b>")), (mark_safe("<b>"), "<b>")]
)
def test_values_that_are_equal_but_look_different_are_kept_apart(values: tuple[object, ...]) -> None:
    template = Template(NAMED)

    assert [show(template, person=value) for value in values] == [
        show(Template("{{ name }}"), name=value) for value in values
    ]


def test_nothing_else_of_the_page_can_be_used_within() -> None:
    template = Template("{% load cached %}{% cached name=person %}{{ name }}{{ secret }}{% endcached %}")

    assert show(template, person="Ada", secret="hers") == "Ada"


def test_each_language_has_its_own() -> None:
    template = Template(
        "{% load cached i18n %}{% cached %}{% get_current_language as code %}{{ code }}{% endcached %}"
    )

    shown = []
    for language in ("en", "de", "en"):
        with translation.override(language):
            shown.append(show(template))

    assert shown == ["en", "de", "en"]


def test_what_is_given_is_escaped() -> None:
    assert show(Template(NAMED), person="<script>") == "&lt;script&gt;"


def test_it_never_grows_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "MOST_CACHED", 3)
    template = Template(NAMED)

    assert [show(template, person=str(number)) for number in range(10)] == [
        str(number) for number in range(10)
    ]
    (node,) = template.nodelist.get_nodes_by_type(CachedNode)
    assert len(node._cached) <= 3


def test_a_value_without_a_name_is_refused() -> None:
    with pytest.raises(TemplateSyntaxError, match="name=value"):
        Template("{% load cached %}{% cached person %}{% endcached %}")


def test_what_is_safe_within_a_list_is_not_taken_for_what_is_not() -> None:
    template = Template("{% load cached %}{% cached names=names %}{{ names.0 }}{% endcached %}")

    assert show(template, names=(mark_safe("<b>"),)) == "<b>"
    assert show(template, names=("<b>",)) == "&lt;b&gt;"
