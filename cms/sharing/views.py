"""The text to share an article with."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from cms.news.resource import news
from cms.sharing.services import LONGEST, mark_shared, share_text
from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import edit_session, toasts
from core.dynamo.errors import NotFound


@requires("cms.news.view", "cms.news.update")
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: SignedInRequest, key: str) -> HttpResponse:
    resource = news
    opened = edit_session.open_record(request.user, resource, key)
    if opened.record is None:
        raise NotFound
    resource.ensure(request.user, "update", opened.record)
    if request.method == "POST":
        mark_shared(request.user, resource, opened, is_shared="is_shared" in request.POST)
        toasts.add(request, _("Saved."))
        return go(request, request.path)
    address = resource.public_address(opened.record)
    context = {
        "resource": resource,
        "opened": opened,
        "record_address": resource.record_address(key),
        "text": share_text(opened.record, request.build_absolute_uri(address)) if address else "",
        "longest": LONGEST,
    }
    return render(request, "cms/sharing/page.html", context)
