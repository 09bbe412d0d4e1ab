"""`make check-messages` on the file of a language, and on texts that no language has."""

from pathlib import Path

import polib
import pytest

from config import messages
from tests.messages import extract
from tests.messages.check import problems_of
from tests.messages.outside import in_python, in_template
from tests.messages.texts import Text

TEXTS = [
    ("cms/a.py", Text("Save")),
    ("cms/a.py", Text("%(who)s left %(place)s.")),
    ("cms/b.py", Text("%(count)d page", "%(count)d pages")),
    ("cms/b.py", Text("Open", msgctxt="quest")),
    ("templates/c.html", Text('Read <a href="{who}">this</a>. ')),
    ("cms/b.py", Text("Save")),
]
GERMAN = {
    "Save": "Speichern",
    "%(who)s left %(place)s.": "Aus %(place)s ging %(who)s.",
    "Open": "Offen",
    'Read <a href="{who}">this</a>. ': 'Lies <a href="{who}">das</a>. ',
}
PAGES = {0: "Eine Seite", 1: "%(count)d Seiten"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of German, complete."""
    monkeypatch.setattr(extract, "texts", lambda: iter(TEXTS))
    path = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    file = extract.updated(path)
    for entry in file:
        entry.msgstr = GERMAN.get(entry.msgid, "")
        entry.msgstr_plural = PAGES if entry.msgid_plural else {}
    file.save(str(path))
    return path


def change(path: Path, text: str, **fields: object) -> list[str]:
    file = polib.pofile(str(path), wrapwidth=0)
    entry = file.find(text)
    for name, value in fields.items():
        setattr(entry, name, value)
    file.save(str(path))
    return list(problems_of(path))


def test_a_complete_file_has_no_problem(path: Path) -> None:
    assert list(problems_of(path)) == []


def test_each_text_stands_there_once_with_its_files_and_without_lines(path: Path) -> None:
    first, second = path.read_text().split("\n\n")[1:3]

    assert first == '#: cms/a.py cms/b.py\nmsgid "Save"\nmsgstr "Speichern"'
    assert second.startswith("#: cms/a.py\n#, python-format\n")


@pytest.mark.parametrize(
    ("translation", "problem"),
    [
        ("", "not translated"),
        ("Aus %(place)s ging jemand.", "other placeholders"),
        ("Aus %(place)s ging %(wer)s.", "other placeholders"),
        ("Aus %(place)s ging %(who)d.", "other placeholders"),
        ("Aus %(place)s ging %(who)s zu 100 % gern.", "a percent sign that is not doubled"),
        ("Aus %(place)s ging %(who)s. ", "begins or ends with other spaces"),
        ("Aus %(place)s ging <b>%(who)s</b>.", "other tags"),
    ],
)
def test_a_wrong_translation_is_told_with_its_text(path: Path, translation: str, problem: str) -> None:
    assert change(path, "%(who)s left %(place)s.", msgstr=translation) == [
        f"de: {problem}: '%(who)s left %(place)s.'"
    ]


def test_one_of_something_needs_no_number_and_several_do(path: Path) -> None:
    assert change(path, "%(count)d page", msgstr_plural={0: "Eine", 1: "Viele"}) == [
        "de: other placeholders: '%(count)d page'"
    ]


def test_a_plural_lacks_no_form(path: Path) -> None:
    assert change(path, "%(count)d page", msgstr_plural={0: "%(count)d Seite", 1: ""}) == [
        "de: not translated: '%(count)d page'"
    ]


def test_a_guess_is_no_translation(path: Path) -> None:
    assert "de: fuzzy: 'Save'" in change(path, "Save", flags=["fuzzy"])


def test_a_text_that_is_new_or_gone_makes_the_file_out_of_date(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outdated = "de: not as the source is now. Run `make messages`."

    monkeypatch.setattr(extract, "texts", lambda: iter([*TEXTS, ("cms/d.py", Text("New"))]))
    assert list(problems_of(path)) == [outdated, "de: not translated: 'New'"]
    monkeypatch.setattr(extract, "texts", lambda: iter(TEXTS[1:-1]))
    assert list(problems_of(path)) == [outdated]


def test_the_tongues_of_the_product_are_the_source_and_those_with_a_folder() -> None:
    assert messages.languages() == [("en", "English"), ("de", "Deutsch")]


def test_another_language_needs_only_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    monkeypatch.setattr(extract, "LOCALE", tmp_path)
    monkeypatch.setattr(extract, "texts", lambda: iter(TEXTS))
    (tmp_path / "pl").mkdir()

    extract.main()
    messages.compile_stale()

    assert messages.languages() == [("en", "English"), ("pl", "polski")]
    made = polib.pofile(str(tmp_path / "pl" / "LC_MESSAGES" / "django.po"))
    assert list(made.find("%(count)d page").msgstr_plural) == [0, 1, 2, 3]
    assert (tmp_path / "pl" / "LC_MESSAGES" / "django.mo").exists()


def test_a_file_is_compiled_when_it_is_newer(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LOCALE", path.parent.parent.parent)
    messages.compile_stale()
    compiled = path.with_suffix(".mo")
    made = compiled.stat().st_mtime_ns

    messages.compile_stale()
    assert compiled.stat().st_mtime_ns == made
    change(path, "Save", msgstr="Sichern")
    messages.compile_stale()
    assert polib.mofile(str(compiled)).find("Save").msgstr == "Sichern"


@pytest.mark.parametrize(
    "source",
    [
        "<p>Hello {{ name }}</p>",
        '<a aria-label="Close" href="/x">{% icon "close" %}</a>',
        "<{{ heading }} class='a'>News</{{ heading }}>",
    ],
)
def test_a_text_in_a_template_that_nobody_can_translate_is_found(source: str) -> None:
    assert [text for text in in_template(source) if text in ("Hello", "Close", "News")]


def test_what_is_translated_in_a_template_is_not_found() -> None:
    source = """{% comment %}Hello{% endcomment %}{# Hello #}<p title="{% translate 'Hello' %}">
    {% blocktranslate %}Hello {{ name }}{% endblocktranslate %}</p><kbd>Ctrl</kbd>"""

    assert not any(in_template(source))


@pytest.mark.parametrize(
    "source",
    [
        'Field(label="Name of it")',
        'title = "Not found"',
        'raise Invalid("enter a day")',
        'Field(label=_("Yes") if yes else "No")',
    ],
)
def test_a_text_in_python_that_nobody_can_translate_is_found(source: str) -> None:
    assert len(list(in_python(source))) == 1


@pytest.mark.parametrize(
    "source", ['label = "name"', 'Field(label=_("Name"))', 'add_error("ends_on", CHECK)']
)
def test_names_of_attributes_are_no_texts(source: str) -> None:
    assert list(in_python(source)) == []
