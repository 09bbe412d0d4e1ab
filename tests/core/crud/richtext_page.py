"""A page with a form of rich text, for the browser tests: a URLconf of their own."""

import json

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import public
from core.content.richtext import render
from core.crud.fields.richtext import RichTextField

FORM = """<form id="article" class="form" method="post" action="{{ request.path }}"
    {% if htmx %}hx-post="{{ request.path }}" hx-swap="outerHTML"{% endif %}>
  {% csrf_token %}
  {{ form.title.as_field_group }}
  {{ form.content.as_field_group }}
  <div class="form-end"><button class="button">Save</button></div>
  {% if saved %}<pre id="saved" hidden>{{ saved }}</pre>{{ html }}{% endif %}
</form>"""
PAGE = """{% extends "base.html" %}{% block content %}<h1>Article</h1>""" + FORM + """{% endblock %}"""


class ArticleForm(forms.Form):
    title = forms.CharField(required=False)
    content = RichTextField(help_text="What happened?")


@public
def article(request: HttpRequest) -> HttpResponse:
    """Starts with the document in the address; shows as JSON what was saved."""
    start = json.loads(request.GET.get("document", "null"))
    form = ArticleForm(request.POST or None, initial={"content": start})
    if "library" in request.GET:
        form.fields["content"].widget.media_library = "/library"  # type: ignore[attr-defined]
    context = {"form": form, "htmx": "htmx" in request.path}
    if form.is_bound and form.is_valid():
        document = form.cleaned_data["content"]
        again = ArticleForm(initial=form.cleaned_data)
        context |= {"form": again, "saved": json.dumps(document), "html": render(document)}
    template = engines["django"].from_string(FORM if request.headers.get("HX-Request") else PAGE)
    return HttpResponse(template.render(context, request), status=422 if form.errors else 200)


urlpatterns = [path("article", article), path("article-htmx", article), *own_urls]
