"""A page with a form of pickers and rows, for the browser tests: a URLconf of their own."""

import json

from django import forms
from django.http import HttpResponse
from django.template import engines
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import SignedInRequest, requires
from core.crud.fields import HelpedForm, PickerField, RowForm, RowsField
from core.crud.picker_labels import load_labels

FORM = """<form id="team" class="form" method="post" action="{{ request.path }}" novalidate
    {% if htmx %}hx-post="{{ request.path }}" hx-target="this" hx-swap="outerHTML"{% endif %}>
  {% csrf_token %}
  <button class="visually-hidden" tabindex="-1" aria-hidden="true">Save</button>
  {% for field in form %}{{ field.as_field_group }}{% endfor %}
  <div class="form-end"><button class="button" id="save">Save</button></div>
  {% if saved %}<pre id="saved" hidden>{{ saved }}</pre>{% endif %}
</form>"""
PAGE = """{% extends "base.html" %}{% block content %}<h1>Team</h1>""" + FORM + """{% endblock %}"""


class TrainingForm(RowForm):
    title = "Training"
    day = forms.ChoiceField(choices=[("", "Choose"), ("mon", "Monday"), ("tue", "Tuesday")])
    start = forms.TimeField(widget=forms.TimeInput(attrs={"type": "time"}))
    helper = PickerField(to="role", required=False)


class TeamForm(HelpedForm):
    name = forms.CharField()
    lead = PickerField(to="role", required=False, help_text="Who leads it.")
    roles = PickerField(to="role", many=True)
    trainings = RowsField(TrainingForm, max_rows=3, help_text="When they meet.")


@requires("cms.role.view")
def team(request: SignedInRequest) -> HttpResponse:
    """Starts with the values in the address; shows as JSON what was saved."""
    form = TeamForm(request.POST or None, initial=json.loads(request.GET.get("start", "{}")))
    context = {"form": form, "htmx": "htmx" in request.path}
    if form.is_bound and form.is_valid():
        context |= {
            "form": TeamForm(initial=form.cleaned_data),
            "saved": json.dumps(form.cleaned_data, default=str),
        }
    load_labels(context["form"], request.user)  # type: ignore[arg-type]
    template = engines["django"].from_string(FORM if request.headers.get("HX-Request") else PAGE)
    return HttpResponse(template.render(context, request), status=422 if form.errors else 200)


urlpatterns = [path("team", team), path("team-htmx", team), *own_urls]
