"""What happened, as a sentence of HTML."""

from django.utils.safestring import mark_safe

from core.crud.verbs import sentence


def test_a_name_is_only_text_and_a_link_stays_a_link() -> None:
    link = mark_safe('<a href="/cms/news/1/">Derby</a>')

    assert sentence("create", who="<b>Ada</b>", what=link) == (
        '&lt;b&gt;Ada&lt;/b&gt; created <a href="/cms/news/1/">Derby</a>'
    )


def test_an_unknown_verb_is_a_change() -> None:
    assert sentence("polish", who="Ada", what="Derby") == "Ada changed Derby"
    assert sentence("polish", who="Ada") == "Ada changed it"
