"""Pages are sent without the indentation of their templates."""

import re
from pathlib import Path

from django.conf import settings
from django.template import Context, Engine

INDENTED = "<ul>\n  {% if yes %}\n    <li>one\n\ttwo {{ text }}</li>\n  {% endif %}\n</ul>\n"
# What a reader, or the catalogue of texts, would see of the spaces at the beginning of a line.
KEEPS_SPACES = re.compile(
    r"<(?P<tag>pre|textarea)\b.*?</(?P=tag)>|{% blocktranslate (?!trimmed)[^%]*%}.*?{% endblocktranslate",
    re.DOTALL,
)


def rendered(folder: Path, name: str) -> str:
    (folder / name).write_text(INDENTED)
    engine = Engine([str(folder)], loaders=["config.template_loader.Loader"])
    return engine.get_template(name).render(Context({"yes": True, "text": "\n    as typed"}))


def test_a_page_has_no_indentation_but_that_of_what_was_typed(tmp_path: Path) -> None:
    assert rendered(tmp_path, "page.html") == "<ul>\n\n<li>one\ntwo \n    as typed</li>\n\n</ul>\n"


def test_a_mail_keeps_its_own(tmp_path: Path) -> None:
    assert rendered(tmp_path, "mail.txt") == "<ul>\n  \n    <li>one\n\ttwo \n    as typed</li>\n  \n</ul>\n"


def test_no_template_has_indentation_that_somebody_would_miss() -> None:
    templates = [file.read_text() for file in (settings.BASE_DIR / "templates").rglob("*.html")]
    found = [part[0] for template in templates for part in KEEPS_SPACES.finditer(template)]

    assert len(found) > 50
    assert [part for part in found if re.search(r"\n[ \t]", part)] == []
