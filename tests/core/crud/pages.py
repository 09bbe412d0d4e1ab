"""Forms as a browser would read and send them: every field of the page, hidden ones included."""

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client


class _Form(HTMLParser):
    """The fields of the form with this id, with what a browser would send."""

    def __init__(self, form_id: str) -> None:
        super().__init__(convert_charrefs=True)
        self.form_id = form_id
        self.action = ""
        self.fields: dict[str, list[str]] = {}
        self._inside = False
        self._templates = 0
        self._textarea: str | None = None
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "template":
            self._templates += 1
        if self._templates:
            # What scripts will make of it is not part of the page.
            return
        if tag == "form" and given.get("id") == self.form_id:
            self._inside, self.action = True, given["action"]
        elif self._inside and tag == "input" and "name" in given:
            if given.get("type") not in {"checkbox", "radio"}:
                self._add(given["name"], given.get("value", ""))
            elif "checked" in given:
                self._add(given["name"], given.get("value", "on"))
        elif self._inside and tag == "textarea":
            self._textarea = given["name"]
            self._add(given["name"], "")
        elif self._inside and tag == "select":
            self._select = given["name"]
        elif tag == "option" and self._select and "selected" in given:
            self._add(self._select, given["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._templates -= 1
        elif self._templates:
            return
        elif tag == "form":
            self._inside = False
        elif tag == "textarea":
            self._textarea = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._textarea:
            self.fields[self._textarea][-1] += data.removeprefix("\n")

    def _add(self, name: str, value: str) -> None:
        self.fields.setdefault(name, []).append(value)


class OpenForm:
    """A record's form, opened by one person; what is filled in is sent with everything else it holds."""

    def __init__(self, client: Client, page: HttpResponse, form_id: str = "record-form") -> None:
        self.client = client
        form = _Form(form_id)
        form.feed(page.content.decode())
        assert form.action, f"There is no form {form_id!r} on this page."
        self.action = form.action
        self.fields: dict[str, Any] = {
            name: values for name, values in form.fields.items() if name != "csrfmiddlewaretoken"
        }

    def __getitem__(self, name: str) -> str:
        """What a field holds now."""
        (value,) = self.fields[name]
        return str(value)

    def fill(self, **fields: Any) -> "OpenForm":
        self.fields |= {name.replace("__", "-"): value for name, value in fields.items()}
        return self

    def send(self, then: str = "save", *, to: str = "", htmx: bool = False) -> HttpResponse:
        headers = {"HX-Request": "true"} if htmx else {}
        answer: HttpResponse = self.client.post(
            (self.action + to), {**self.fields, "then": then}, headers=headers
        )
        return answer


def open_form(client: Client, address: str) -> OpenForm:
    return OpenForm(client, client.get(address))
