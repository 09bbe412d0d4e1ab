"""The user's preference for a list with pictures: grid or rows."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from core.accounts import preferences
from core.accounts.rights import SignedInRequest
from core.common.http import go
from core.crud.resource import Resource
from core.crud.rows import back_to

GRID, ROWS = "grid", "rows"


@require_POST
def choose(request: SignedInRequest, resource: Resource) -> HttpResponse:
    chosen = request.POST.get("layout", "")
    if chosen in (GRID, ROWS):
        preferences.save(request, request.user, _name(resource), chosen)
    # The fragment returns the focus to the menu after the redirect.
    return go(request, back_to(resource, request.POST.get("back", "")) + "#list-more-button")


def is_grid(request: HttpRequest, resource: Resource) -> bool:
    """Whether a list is shown as a grid, which is the default for lists with pictures."""
    return resource.has_grid and preferences.of(request).get(_name(resource), GRID) == GRID


def _name(resource: Resource) -> str:
    return f"layout:{resource.entity}"
