"""One search over everything a person may see: as a page, and for the palette that Ctrl+K opens."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from crud import finding
from crud.finding import Hit, Records
from crud.http import page_or_partial
from crud.listing import searched
from dynamo.words import words_in


@dataclass(frozen=True)
class Group:
    id: str
    title: str
    hits: list[Hit]


@requires("home.page.view")
@require_safe
def search(request: SignedInRequest) -> HttpResponse:
    """Records, screens and actions; before anything is typed, what was opened last comes first."""
    user, text = request.user, searched(request.GET.get("q", ""))
    records = (
        finding.find_records(user, text)
        if text
        else Records(finding.recent_records(user, request.GET.get("recent", "")))
    )
    groups = [
        Group("records", _("Records") if text else _("Opened last"), records.hits),
        Group("screens", _("Screens"), finding.matching(text, finding.screens(request, user))),
        Group("actions", _("Actions"), finding.matching(text, finding.actions(user))),
        Group("settings", _("Account"), finding.matching(text, finding.settings())),
    ]
    shown = [group for group in groups if group.hits]
    context = {"text": text, "groups": shown, "found": _told(text, shown, has_more=records.has_more)}
    return page_or_partial(request, "crud/search.html", "options", context)


def _told(text: str, groups: list[Group], *, has_more: bool) -> str:
    """What is said about the hits, also to those who do not see them."""
    count = sum(len(group.hits) for group in groups)
    told = ngettext("%d result", "%d results", count) % count if count else _("Nothing found")
    if text and not words_in([text]):
        return f"{told}. {_('Records are found by two letters or more.')}"
    return f"{told}. {_('Type more to find fewer.')}" if has_more else told
