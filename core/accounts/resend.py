"""Shows a posted form again, ready to be sent, after its session or CSRF token has expired."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.common.http import is_htmx

UNSENT = {"csrfmiddlewaretoken"}


def resend_page(request: HttpRequest, *, status: int) -> HttpResponse:
    """The posted fields in a form to send again. 401: after signing in again; 403: with a new CSRF token.

    Only a POST from our own pages is offered: another site must not get its form sent by one click.
    """
    own = _is_from_here(request)
    context = {
        "fields": [
            (name, value) for name, values in request.POST.lists() if name not in UNSENT for value in values
        ]
        if own
        else [],
        "had_files": own and bool(request.FILES),
        "action": request.get_full_path(),
        "must_sign_in": status == 401,
        "own": own,
    }
    if is_htmx(request):
        response = render(request, "core/accounts/resend.html#dialog", context, status=status)
        response["HX-Retarget"] = "#dialogs"
        response["HX-Reswap"] = "innerHTML"
        # The page selects the message of other refusals; here it needs the whole dialog.
        response["HX-Reselect"] = "#resend-dialog"
        return response
    return render(request, "core/accounts/resend.html", context, status=status)


def _is_from_here(request: HttpRequest) -> bool:
    here = f"{request.scheme}://{request.get_host()}"
    came_from = request.headers.get("Origin") or request.headers.get("Referer", "")
    return came_from == here or came_from.startswith(f"{here}/")
