"""`make messages`: the texts of the source, into the file of every language.

A new language begins with an empty folder in `locale`, such as `locale/fr`.
"""

import sys
from pathlib import Path

import django
import polib

from config.messages import LOCALE
from tests.messages.texts import Text, texts

HEADER = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
}


def entries() -> list[polib.POEntry]:
    """Every text once, without a translation, with the files that it is in."""
    found: dict[tuple[str | None, str], polib.POEntry] = {}
    for name, text in texts():
        entry = found.setdefault((text.msgctxt, text.msgid), _entry(text))
        entry.msgid_plural = entry.msgid_plural or text.msgid_plural
        # Without numbers of lines: otherwise every change of a file would change all languages.
        if (name, "") not in entry.occurrences:
            entry.occurrences.append((name, ""))
    return list(found.values())


def _entry(text: Text) -> polib.POEntry:
    return polib.POEntry(**text._asdict(), flags=["python-format"] if "%(" in text.msgid else [])


def updated(path: Path) -> polib.POFile:
    """The file of a language as it should be: every text of the source and no other.

    A text that was changed is a new one, without a translation: a guess from the old one is rarely right.
    """
    language = path.parent.parent.name
    old = polib.pofile(str(path), wrapwidth=0) if path.exists() else polib.POFile()
    translated = {(entry.msgctxt, entry.msgid): entry for entry in old}
    # A line for each text, however long it is.
    new = polib.POFile(wrapwidth=0)
    new.metadata = {"Language": language, **HEADER, "Plural-Forms": plural_forms(language)}
    for entry in entries():
        before = translated.get((entry.msgctxt, entry.msgid))
        if before is not None:
            entry.tcomment = before.tcomment
            if bool(before.msgid_plural) == bool(entry.msgid_plural):
                entry.msgstr, entry.msgstr_plural = before.msgstr, before.msgstr_plural
        if entry.msgid_plural and not entry.msgstr_plural:
            entry.msgstr_plural = dict.fromkeys(range(forms_of(language)), "")
        new.append(entry)
    return new


def plural_forms(language: str) -> str:
    """As Django's own translation into this language counts."""
    path = Path(django.__file__).parent / "conf" / "locale" / language / "LC_MESSAGES" / "django.po"
    return str(polib.pofile(str(path)).metadata["Plural-Forms"])


def forms_of(language: str) -> int:
    return int(plural_forms(language).split("nplurals=")[1].split(";")[0])


def main() -> None:
    for folder in sorted(LOCALE.iterdir()):
        path = folder / "LC_MESSAGES" / "django.po"
        path.parent.mkdir(exist_ok=True)
        file = updated(path)
        file.save(str(path))
        sys.stdout.write(
            f"{folder.name}: {len(file)} texts, {len(file.untranslated_entries())} to translate.\n"
        )


if __name__ == "__main__":
    main()
