"""What somebody has sent, the newest first."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from crud.http import page_or_partial
from dynamo.errors import Text
from dynamo.paging import read_token
from scouting.services import forms

TITLES: dict[str, Text] = {"stand": _("Matches"), "pit": _("Pit"), "comment": _("Comments")}


@dataclass(frozen=True)
class Row:
    key: str
    form: Any


@requires("scouting.form.view")
@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """Two requests: the session and one kind of forms."""
    asked = request.GET.get("kind", "")
    kind = asked if asked in TITLES else "stand"
    bound_to = (request.user.sub, "scouting:mine", kind)
    repository: Any = forms.KINDS[kind]
    start = read_token(request.GET.get("after"), *bound_to)
    page = repository.by_scout(request.user.sub, newest_first=True, start=start)
    token = page.next_token(*bound_to)
    context = {
        "kind": kind,
        "tabs": TITLES.items(),
        "rows": [Row(repository.key_of(form), form) for form in page.items],
        "next_address": f"?{urlencode({'kind': kind, 'after': token})}" if token else "",
        "is_first_page": start is None,
    }
    return page_or_partial(request, "scouting/mine.html", "more", context)
