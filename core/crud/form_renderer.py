"""Fields and Django's widgets as HTML without templates, which took most of the time of a form."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.crud.html import escape

Context = Mapping[str, Any]


class FormRenderer(DjangoTemplates):
    """For FORM_RENDERER. Widgets without a function here are rendered by their template."""

    field_template_name = "field"

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> str:
        write = WRITTEN.get(template_name)
        if write is not None:
            return write(context)
        if template_name.startswith("django/"):
            return str(super().render(template_name, context, request))
        return render_to_string(template_name, context, request)


def groups_html(fields: Iterable[forms.BoundField]) -> SafeString:
    """Several fields, one below the other."""
    return mark_safe("".join(field.as_field_group() for field in fields))  # noqa: S308


def field_html(context: Context) -> str:
    """`{{ field.as_field_group }}`: a field with its label, help text and errors."""
    bound: forms.BoundField = context["field"]
    errors = bound.errors
    kind = "field has-errors" if errors else "field"
    return f'<div class="{kind}">\n{_labelled(bound, str(errors) if errors else "")}\n</div>'


def _labelled(bound: forms.BoundField, errors: str) -> str:
    label, help_text = escape(bound.label), escape(bound.help_text)
    if bound.widget_type == "checkbox":
        helped = f'<span class="quiet" {_help_id(bound)}>{help_text}</span>' if help_text else ""
        return (
            f'{errors}\n<label class="choice" for="{escape(bound.id_for_label)}">{bound}'
            f'<span class="choice-text"><span class="choice-title">{label}</span>{helped}</span></label>'
        )
    helped = f'<p class="help" {_help_id(bound)}>{help_text}</p>\n' if help_text else ""
    if not bound.use_fieldset:
        start = f'<label for="{escape(bound.id_for_label)}">{label}{_need(bound.field)}</label>'
        return f"{start}\n{helped}{errors}\n{bound}"
    described_by = bound.aria_describedby
    described = f' aria-describedby="{escape(described_by)}"' if described_by else ""
    legend = f"<legend>{label}{_need(bound.field)}</legend>"
    return f'<fieldset class="field"{described}>\n{legend}\n{helped}{errors}\n{bound}\n</fieldset>'


def _help_id(bound: forms.BoundField) -> str:
    """The id attribute that `BoundField.aria_describedby` refers to."""
    return f'id="{escape(bound.auto_id)}_helptext"'


def _need(field: forms.Field) -> str:
    if getattr(field, "is_needed_to_publish", False):
        return f' <span class="quiet">{escape(_("(needed to publish)"))}</span>'
    return "" if field.required else f' <span class="quiet">{escape(_("(optional)"))}</span>'


def attributes(widget: Context) -> SafeString:
    """The attributes of an element: False omits one, True renders its name only."""
    html = "".join(
        f" {escape(name)}" if value is True else f' {escape(name)}="{escape(value)}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )
    return mark_safe(html)  # noqa: S308


def input_html(context: Context) -> str:
    widget = context["widget"]
    value = "" if widget["value"] is None else f' value="{escape(widget["value"])}"'
    return (
        f'<input type="{escape(widget["type"])}" name="{escape(widget["name"])}"{value}{attributes(widget)}>'
    )


def textarea_html(context: Context) -> str:
    widget = context["widget"]
    # Browsers drop the first line break of a textarea.
    return (
        f'<textarea name="{escape(widget["name"])}"{attributes(widget)}>\n'
        f"{escape(widget['value'] or '')}</textarea>"
    )


def select_html(context: Context) -> str:
    widget = context["widget"]
    options = "".join(_group_html(name, choices) for name, choices, _index in widget["optgroups"])
    return f'<select name="{escape(widget["name"])}"{attributes(widget)}>{options}\n</select>'


def _group_html(name: str | None, choices: list[Context]) -> str:
    options = "".join(map(_option_html, choices))
    return f'\n<optgroup label="{escape(name)}">{options}\n</optgroup>' if name else options


def _option_html(option: Context) -> str:
    return (
        f'\n<option value="{escape(option["value"])}"{attributes(option)}>{escape(option["label"])}</option>'
    )


def choices_html(context: Context) -> str:
    """Radio buttons or checkboxes."""
    widget = context["widget"]
    own = {name: value for name in ("id", "class") if (value := widget["attrs"].get(name))}
    groups = "".join(_choices_html(name, choices) for name, choices, _index in widget["optgroups"])
    return f"<div{attributes({'attrs': own})}>{groups}\n</div>"


def _choices_html(name: str | None, choices: list[Context]) -> str:
    inputs = "".join(f"<div>\n{choice_html({'widget': choice})}</div>" for choice in choices)
    return f"\n<div><label>{escape(name)}</label>{inputs}\n</div>" if name else inputs


def choice_html(context: Context) -> str:
    """One radio button or checkbox, with its label if `wrap_label` is set."""
    widget = context["widget"]
    if not widget.get("wrap_label"):
        return input_html(context)
    target = widget["attrs"].get("id")
    label = f'<label for="{escape(target)}">' if target else "<label>"
    return f"{label}{input_html(context)} {escape(widget['label'])}</label>"


def errors_html(context: Context) -> str:
    errors = context["errors"]
    if not errors:
        return ""
    where = f' id="{escape(errors.field_id)}_error"' if errors.field_id else ""
    items = "".join(f"<li>{escape(error)}</li>" for error in errors)
    return f'<ul class="{escape(context["error_class"])}"{where}>{items}</ul>'


_INPUTS = ("checkbox", "date", "datetime", "email", "hidden", "number", "text", "time", "url")
WRITTEN: dict[str, Callable[[Context], str]] = {
    **{f"django/forms/widgets/{kind}.html": input_html for kind in _INPUTS},
    "django/forms/widgets/textarea.html": textarea_html,
    "django/forms/widgets/select.html": select_html,
    "django/forms/widgets/radio.html": choices_html,
    "django/forms/widgets/checkbox_select.html": choices_html,
    "django/forms/widgets/radio_option.html": choice_html,
    "django/forms/widgets/checkbox_option.html": choice_html,
    "django/forms/errors/list/default.html": errors_html,
    FormRenderer.field_template_name: field_html,
}
