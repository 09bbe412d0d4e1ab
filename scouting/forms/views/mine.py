"""The forms a user has sent, newest first."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.crud.sheets import Sheet, as_file
from core.dynamo.errors import Text
from core.dynamo.paging import read_token
from core.dynamo.queries import every
from scouting.forms import exports
from scouting.forms import services as forms

TITLES: dict[str, Text] = {"stand": _("Matches"), "pit": _("Pit"), "comment": _("Comments")}
SHEETS: dict[str, Callable[[list[Any]], Sheet]] = {
    "stand": exports.stand_forms,
    "pit": exports.pit_forms,
    "comment": exports.comment_forms,
}


@dataclass(frozen=True)
class Row:
    key: str
    form: Any


@requires("scouting.form.view")
@require_safe
def mine(request: SignedInRequest) -> HttpResponseBase:
    """The user's forms of one kind: two requests, session and forms. With `?as=`, all of them as a file."""
    asked = request.GET.get("kind", "")
    kind = asked if asked in TITLES else "stand"
    bound_to = (request.user.sub, "scouting:mine", kind)
    repository = forms.KINDS[kind]
    if "as" in request.GET:
        file = as_file(request, SHEETS[kind](_in_full(repository, request.user.sub)), kind)
        if file:
            return file
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
    return page_or_partial(request, "scouting/forms/mine.html", "more", context)


def _in_full(repository: Any, scout_id: str) -> list[Any]:
    """The complete forms of a scout: the GSI projects only what the page shows."""
    sent = every(lambda **options: repository.by_scout(scout_id, newest_first=True, **options))
    keys = [repository.key_of(form) for form in sent]
    found = repository.get_many(keys)
    return [found[key] for key in keys if key in found]
