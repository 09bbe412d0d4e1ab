"""The values that a browser would send of an unchanged form."""

from html.parser import HTMLParser

from django import forms

from core.crud.forms import Typed

# Not sent unless pressed, or a file that is already stored.
NOT_SENT = {"submit", "button", "image", "reset", "file"}


def pristine_values(form: forms.Form) -> Typed:
    """The values, parsed from the rendered HTML, so that they are right for every widget."""
    controls = _Controls()
    controls.feed("".join(str(bound) for bound in form))
    controls.close()
    return controls.typed


class _Controls(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.typed: Typed = {}
        self._templates = 0
        self._textarea = ""
        self._select = ""
        # What a select sends while nothing was chosen: its first option, unless several can be chosen.
        self._unchosen: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._templates += 1
        if self._templates or "disabled" in given:
            return
        name = given.get("name", "")
        if tag == "input" and name and given.get("type") not in NOT_SENT:
            if given.get("type") not in {"checkbox", "radio"} or "checked" in given:
                self._add(name, given.get("value", "on" if "checked" in given else ""))
        elif tag == "textarea" and name:
            self._textarea = name
            self._add(name, "")
        elif tag == "select" and name:
            self._select = name
            self._unchosen = None if "multiple" in given else []
        elif tag == "option" and self._select:
            self._option(given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._templates -= 1
        elif tag == "textarea" and self._textarea:
            text = self.typed[self._textarea][-1]
            # The first line break of a textarea belongs to the page, not to the text.
            self.typed[self._textarea][-1] = text.removeprefix("\r").removeprefix("\n")
            self._textarea = ""
        elif tag == "select" and self._select:
            if self._select not in self.typed and self._unchosen:
                self._add(self._select, self._unchosen[0])
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.typed[self._textarea][-1] += data

    def _option(self, given: dict[str, str]) -> None:
        value = given.get("value", "")
        if "selected" in given:
            self._add(self._select, value)
        elif self._unchosen is not None:
            self._unchosen.append(value)

    def _add(self, name: str, value: str) -> None:
        self.typed.setdefault(name, []).append(value)
