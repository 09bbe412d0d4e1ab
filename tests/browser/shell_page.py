"""A list and a form as every app has them, for the browser tests of the shell: a URLconf of their own."""

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template import engines
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import requires
from core.crud import toasts
from core.crud.fields.richtext import RichTextField
from core.crud.toasts import Undo

ROWS = """{% for row in rows %}<tr id="row-{{ row }}">
  <td class="pick">
    <label><input type="checkbox" name="row" value="{{ row }}" aria-label="Select {{ row }}"></label>
  </td>
  <td><a class="row-link" id="open-{{ row }}" href="/?{{ row }}">Row {{ row }}</a></td>
  <td class="row-actions">
    <button type="button" id="delete-{{ row }}" hx-post="/delete/{{ row }}" hx-target="#row-{{ row }}"
      hx-swap="outerHTML">Delete {{ row }}</button>
    <a id="ask-{{ row }}" href="/ask/{{ row }}" hx-get="/ask/{{ row }}"
      hx-target="#dialogs">Ask about {{ row }}</a>
  </td>
</tr>{% endfor %}"""
LIST = (
    """{% extends "base.html" %}{% block content %}<h1>Rows</h1>
<a id="new" href="/form" data-shortcut="n">New</a>
<details id="more" data-light-dismiss><summary>More</summary>
  <a id="ask-more" href="/ask/a" hx-get="/ask/a" hx-target="#dialogs">Ask from the menu</a>
</details>
<label for="q">Search</label><input type="search" id="q" name="q" data-shortcut="/">
<form class="list" method="post" action="/bulk">{% csrf_token %}
  <label><input type="checkbox" data-select-all id="all">All</label>
  <table class="cards"><tbody>"""
    + ROWS
    + """</tbody></table>
  <div class="bulk-bar"><span class="bulk-count"><span data-selected-count></span> selected</span></div>
</form>
<p id="answer"></p>
{% for kind in kinds %}
  <button type="button" id="{{ kind }}" hx-post="/fail/{{ kind }}" hx-target="#answer">{{ kind }}</button>
{% endfor %}
{% endblock %}"""
)
DIALOG = """<dialog class="dialog" id="ask" data-open aria-label="Sure?">
  <button type="button" id="really" hx-post="/delete/{{ row }}" hx-target="#row-{{ row }}"
    hx-swap="outerHTML">Really</button>
  <button type="button" id="break" hx-post="/fail/outage" hx-target="#answer">Break</button>
  <button type="button" id="no" data-close>No</button>
</dialog>"""
FORM = """{% extends "base.html" %}{% block content %}<h1>Form</h1>
<form id="form" method="post" action="/form" data-warn-unsaved{% if form.errors %} data-unsaved{% endif %}
    {% if htmx %}hx-post="/form?htmx" hx-target="#answer"{% endif %}>{% csrf_token %}
  {% for field in form %}{{ field.as_field_group }}{% endfor %}
  {% for number in numbers %}
    <label>Field {{ number }} <input name="field-{{ number }}" id="field-{{ number }}"></label>
  {% endfor %}
  <button id="save" name="verb" value="save" data-shortcut="save">Save</button>
  <button id="publish" name="verb" value="publish" data-shortcut="publish">Publish</button>
</form>
<button type="button" id="say" hx-post="/say" hx-target="#answer">Say</button>
<p id="answer">{{ answer }}</p><a id="away" href="/list">Away</a>{% endblock %}"""
KINDS = {"outage": 503, "forbidden": 403, "broken": 500}
outages: list[str] = []


class ArticleForm(forms.Form):
    title = forms.CharField(max_length=20)
    content = RichTextField(required=False)


def answer(request: HttpRequest, template: str, **context: object) -> HttpResponse:
    return HttpResponse(engines["django"].from_string(template).render(context, request))


@requires("home.page.view")
def rows(request: HttpRequest) -> HttpResponse:
    return answer(request, LIST, rows="abc", kinds=KINDS)


@requires("home.page.view")
def ask(request: HttpRequest, row: str) -> HttpResponse:
    return answer(request, DIALOG, row=row)


@requires("home.page.view")
def delete(request: HttpRequest, row: str) -> HttpResponse:
    toasts.add(request, f"Row {row} was deleted.", undo=Undo("/undo", {"row": row}))
    return HttpResponse(headers={"HX-Trigger": "close-dialogs"})


@requires("home.page.view")
def undo(request: HttpRequest) -> HttpResponse:
    toasts.add(request, f"Row {request.POST['row']} is back.")
    return HttpResponseRedirect("/list")


@requires("home.page.view")
def fail(request: HttpRequest, kind: str) -> HttpResponse:
    """An outage is over when it is asked for a second time."""
    outages.append(kind)
    if len(outages) > 1:
        return HttpResponse("it works again")
    return HttpResponse(f"<p id='error'>A sentence about {kind}.</p>", status=KINDS[kind])


@requires("home.page.view")
def say(request: HttpRequest) -> HttpResponse:
    toasts.add(request, "Something was said.")
    return HttpResponse("said")


@requires("home.page.view")
def form(request: HttpRequest) -> HttpResponse:
    given = ArticleForm(request.POST or None)
    if request.headers.get("HX-Request"):
        return fail(request, "outage")
    said = f"verb: {request.POST['verb']}" if given.is_bound and given.is_valid() else ""
    return answer(request, FORM, form=given, answer=said, htmx="htmx" in request.GET, numbers=range(30))


urlpatterns = [
    path("list", rows),
    path("ask/<str:row>", ask),
    path("delete/<str:row>", delete),
    path("undo", undo),
    path("fail/<str:kind>", fail),
    path("say", say),
    path("form", form),
    *own_urls,
]
