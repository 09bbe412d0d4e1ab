"""The search over all that the user may view, as a page and for the palette (Ctrl+K)."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.cached_urls import address_of
from core.crud.http import page_or_partial
from core.crud.listing import how_many, searched
from core.crud.palette import Hit
from core.crud.record_search import Records, find_records
from core.dynamo.paging import read_token, sign
from core.dynamo.search_index import words_in
from desk import palette

# The additional attributes of a link in the palette, which is a listbox.
OPTION = ' role="option" aria-selected="false" tabindex="-1"'


@dataclass(frozen=True)
class Group:
    id: str
    title: str
    hits: list[Hit]
    # The URL of the next page.
    next_address: str = ""
    is_cut: bool = False

    def links(self) -> list[SafeString]:
        """The hits for the page."""
        return [hit.element(f"{self.id}-{number}") for number, hit in enumerate(self.hits, 1)]

    def options(self) -> list[SafeString]:
        """The hits for the palette, which is a listbox; without a hit so far, a link to the next page."""
        hits = self.hits
        if not hits and self.next_address:
            hits = [Hit(_("Search more"), "search", address_of("search") + self.next_address)]
        return [hit.element(f"palette-{self.id}-{number}", OPTION) for number, hit in enumerate(hits, 1)]


@requires("home.page.view")
@require_safe
def search(request: SignedInRequest) -> HttpResponse:
    """Hits among records, screens and actions; without a text, recently opened records first."""
    user, text = request.user, searched(request.GET.get("q", ""))
    bound_to = (user.sub, "search", text)
    start = read_token(request.GET.get("after"), *bound_to)
    if text:
        records = find_records(user, text, start)
    else:
        records = Records(palette.recent_records(user, request.GET.get("recent", "")))
    after = sign(records.next_keys, *bound_to) if records.next_keys else ""
    further = "?" + urlencode({"q": text, "after": after}) if after else ""
    title = _("Content") if text else _("Recently opened")
    groups = [Group("records", title, records.hits, further, records.is_cut)]
    if start is None:
        groups += [
            Group("screens", _("Pages"), palette.matching(text, palette.screens(user))),
            Group("actions", _("Actions"), palette.matching(text, palette.actions(user))),
            Group("account", _("Account"), palette.matching(text, palette.account(user))),
        ]
    filled = [group for group in groups if group.hits or group.next_address]
    context = {"text": text, "groups": filled, "found": _summary(text, filled, is_first_page=start is None)}
    return page_or_partial(request, "desk/search.html", "options", context)


def _summary(text: str, groups: list[Group], *, is_first_page: bool) -> str:
    """The status text about the hits, also for screen readers."""
    count, has_more = sum(len(group.hits) for group in groups), any(group.next_address for group in groups)
    if not count and has_more:
        return _("Nothing found so far")
    if not is_first_page:
        return how_many(count, has_more=has_more, is_first_page=False)
    summary = ngettext("%d result", "%d results", count) % count if count else _("Nothing found")
    if text and not words_in([text]):
        return f"{summary}. {_('Type at least two letters to find content.')}"
    is_cut = has_more or any(group.is_cut for group in groups)
    return f"{summary}. {_('Type more to find fewer.')}" if is_cut else summary
