"""A new record that starts as a copy of another one; nothing is stored before it is saved."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest
from core.crud import edit_session
from core.crud.resource import Resource
from core.crud.views import record_page


@require_safe
def duplicate(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    original = resource.repository.get(key, strong=True)
    resource.ensure(request.user, "view", original)
    opened = edit_session.new(resource)
    form = resource.form(initial=resource.copied(original), is_draft=resource.has_copies)
    form.leave_out(resource.concealed(request.user, original))
    return record_page.show(request, opened, form, opened.seen)
