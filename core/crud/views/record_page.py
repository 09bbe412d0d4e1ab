"""The page of one record: its form or its facts, what can be done with it, and what waits beside it."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string

from core.accounts.rights import SignedInRequest
from core.common.http import is_htmx
from core.crud import edit_session, scheduling
from core.crud.cells import link_items
from core.crud.display import facts
from core.crud.edit_session import Opened, Seen, UnsavedRecord
from core.crud.fields import load_labels
from core.crud.form_renderer import groups_html
from core.crud.forms import RecordForm
from core.crud.frames import filled
from core.crud.templatetags.times import time_element
from core.dynamo.items import new_id

# What decides how the page of a record looks, and what is only filled in: see `core.crud.frames`.
BY = (
    "resource",
    "is_new",
    "has_copy",
    "is_live",
    "state_kind",
    "may_update",
    "may_create",
    "may_delete",
    "is_refused",
)
FILL = (
    "key",
    "label",
    "state_text",
    "seen",
    "once",
    "new_pass",
    "to",
    "csrf_token",
    "public_address",
    "links",
    "created",
    "updated",
    "copy_actor",
    "notice",
    "above",
    "below",
    "main_fields",
    "side_fields",
    "shown_facts",
)


def show(
    request: SignedInRequest,
    opened: Opened,
    form: RecordForm,
    seen: Seen,
    *,
    status: int = 200,
    unsaved: Sequence[UnsavedRecord] = (),
) -> HttpResponse:
    context = context_of(request, opened, seen) | {"form": form, "unsaved": unsaved}
    if opened.copy or unsaved:
        context["notice"] = render_to_string("core/crud/record/notice.html", context)
    about = opened.resource.about(request.user, opened.record) if opened.record else None
    if about is not None:
        template, told = about
        context["above"] = render_to_string(f"{template}#above", context | told, request)
        context["below"] = render_to_string(f"{template}#below", context | told, request)
    if context["may_update"]:
        load_labels(form, request.user)
        context["main_fields"] = form.non_field_errors().render() + groups_html(form.main_fields())
        context["side_fields"] = groups_html(form.side_fields())
    else:
        context["shown_facts"] = render_to_string(
            "core/crud/record.html#facts", {"facts": facts(form, request.user)}
        )
    context["is_refused"], context["csrf_token"] = bool(form.errors), get_token(request)
    partial = "form" if is_htmx(request) and request.method == "POST" else "content"
    html = filled(
        f"core/crud/record.html#{partial}",
        by={name: context[name] for name in BY},
        fill={name: context[name] for name in FILL if name in context},
    )
    if partial == "form":
        return HttpResponse(html, status=status)
    return render(request, "core/crud/record.html", context | {"content": html}, status=status)


def context_of(request: SignedInRequest, opened: Opened, seen: Seen) -> dict[str, Any]:
    resource, user, stored, copy = opened.resource, request.user, opened.record, opened.copy
    state = resource.state(stored) if stored else None
    return {
        "resource": resource,
        "opened": opened,
        "key": opened.key,
        "label": opened.label,
        "title": opened.label or resource.new_title,
        "is_new": stored is None,
        "seen": vars(seen),
        "once": new_id(),
        "copy": copy,
        "has_copy": copy is not None,
        "scheduled_for": scheduling.scheduled_for(copy),
        "copy_actor": copy.actor_name if copy else "",
        "new_pass": "" if stored else edit_session.pass_for(user, resource, opened.key),
        "to": resource.record_addresses(opened.key),
        "public_address": resource.public_address(stored) if stored else "",
        "links": link_items(resource.links(user, stored)) if stored else "",
        "created": time_element(stored.created_at) if stored else "",
        "updated": time_element(stored.updated_at) if stored else "",
        "state_kind": state.kind if state else "",
        "state_text": str(state.text) if state else "",
        "is_live": resource.is_live(stored),
        "may_update": resource.may(user, "update", stored) if stored else resource.may(user, "create"),
        "may_create": resource.may(user, "create"),
        "may_delete": stored is not None and resource.may(user, "delete", stored),
    }
