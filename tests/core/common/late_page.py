"""A view that nothing imports but the tests of lazy views."""

from django.http import HttpRequest, HttpResponse

from core.accounts.rights import PUBLIC, public


@public
def page(request: HttpRequest, key: str = "") -> HttpResponse:
    return HttpResponse(f"{PUBLIC} {key}")
