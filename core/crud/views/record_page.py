"""The page of one record: its form or its facts, what can be done with it, and what waits beside it."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.common.http import is_htmx
from core.crud import edit_session, scheduling
from core.crud.cells import link_items
from core.crud.display import facts_of
from core.crud.edit_session import Opened, Seen, UnsavedRecord
from core.crud.form_renderer import groups_html
from core.crud.forms import RecordForm
from core.crud.frames import filled
from core.crud.picker_labels import load_labels
from core.crud.templatetags.times import time_element
from core.dynamo.items import new_id


def show(
    request: SignedInRequest,
    opened: Opened,
    form: RecordForm,
    seen: Seen,
    *,
    status: int = 200,
    unsaved: Sequence[UnsavedRecord] = (),
) -> HttpResponse:
    by = _conditions(request.user, opened) | {"is_refused": bool(form.errors)}
    fill = _texts(request, opened, seen) | {"csrf_token": get_token(request)}
    context = by | fill | _objects(opened) | {"form": form, "unsaved": unsaved}
    if opened.copy or unsaved:
        fill["notice"] = render_to_string("core/crud/record/notice.html", context)
    about = opened.resource.about(request.user, opened.record) if opened.record else None
    if about is not None:
        template, own_context = about
        fill["above"] = render_to_string(f"{template}#above", context | own_context, request)
        fill["below"] = render_to_string(f"{template}#below", context | own_context, request)
    if context["may_update"]:
        load_labels(form, request.user)
        fill["main_fields"] = form.non_field_errors().render() + groups_html(form.main_fields())
        fill["side_fields"] = groups_html(form.side_fields())
    else:
        facts = facts_of(form.fields, form.initial, request.user)
        fill["shown_facts"] = render_to_string("core/crud/record.html#facts", {"facts": facts})
    partial = "form" if is_htmx(request) and request.method == "POST" else "content"
    html = filled(f"core/crud/record.html#{partial}", by=by, fill=fill)
    if partial == "form":
        return HttpResponse(html, status=status)
    return render(request, "core/crud/record.html", context | {"content": html}, status=status)


def context_of(request: SignedInRequest, opened: Opened, seen: Seen) -> dict[str, Any]:
    return _conditions(request.user, opened) | _texts(request, opened, seen) | _objects(opened)


def _objects(opened: Opened) -> dict[str, Any]:
    return {
        "opened": opened,
        "title": opened.label or opened.resource.new_title,
        "copy": opened.copy,
        "scheduled_for": scheduling.scheduled_for(opened.copy),
    }


def _conditions(user: User, opened: Opened) -> dict[str, Any]:
    """What the template branches on: see `core.crud.frames`."""
    resource, stored = opened.resource, opened.record
    state = resource.state(stored) if stored else None
    return {
        "resource": resource,
        "is_new": stored is None,
        "has_copy": opened.copy is not None,
        "is_live": resource.is_live(stored),
        "state_kind": state.kind if state else "",
        "may_update": resource.may(user, "update", stored) if stored else resource.may(user, "create"),
        "may_create": resource.may(user, "create"),
        "may_delete": stored is not None and resource.may(user, "delete", stored),
    }


def _texts(request: SignedInRequest, opened: Opened, seen: Seen) -> dict[str, Any]:
    """What the template only prints."""
    resource, user, stored, copy = opened.resource, request.user, opened.record, opened.copy
    state = resource.state(stored) if stored else None
    return {
        "key": opened.key,
        "label": opened.label,
        "state_text": str(state.text) if state else "",
        "seen": vars(seen),
        "once": new_id(),
        "new_pass": "" if stored else edit_session.pass_for(user, resource, opened.key),
        "to": resource.record_addresses(opened.key),
        "public_address": resource.public_address(stored) if stored else "",
        "links": link_items(resource.links(user, stored)) if stored else "",
        "created": time_element(stored.created_at) if stored else "",
        "updated": time_element(stored.updated_at) if stored else "",
        "copy_actor": copy.actor_name if copy else "",
    }
