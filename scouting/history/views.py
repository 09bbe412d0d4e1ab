"""The history of an event, its teams or matches, a game or the settings, and restoring a version."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import go, small_number
from core.crud import toasts, verbs
from core.crud.diff import Difference, differences
from core.crud.display import Names
from core.crud.edit_session import Seen
from core.crud.http import page_or_partial
from core.crud.versions import moment_of
from core.crud.views.history import WITHOUT_VERSION, HistoryLine
from core.dynamo import history as changes_of
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.history import HistoryEntry, TooOld
from core.dynamo.items import RawItem
from core.dynamo.paging import read_token
from scouting.history import services as versions
from scouting.history.services import SHIPPED, Kind

RIGHTS = ("scouting.event.view", "scouting.settings.view")


@requires(*RIGHTS)
@require_safe
def history(request: SignedInRequest, name: str, subject: str) -> HttpResponse:
    kind = versions.kind_of(request.user, name, "view")
    item = versions.current(kind, subject)
    bound_to = (request.user.sub, "scouting:history", name, subject)
    start = read_token(request.GET.get("after"), *bound_to)
    page = changes_of.entries(kind.stored.entity, kind.key(subject), start=start, strong=True)
    token = page.next_token(*bound_to)
    here = reverse("scouting:history", args=[name, subject])
    context = {
        **_common(name, subject, item),
        "told": [_told(request, kind, name, subject, item, entry) for entry in page.items],
        "next_address": f"{here}?{urlencode({'after': token})}" if token else "",
        "is_first_page": start is None,
        "here": here,
    }
    return page_or_partial(request, "core/crud/history.html", "more", context)


@requires(*RIGHTS)
@require_safe
def version(request: SignedInRequest, name: str, subject: str) -> HttpResponse:
    """The changes of one history entry."""
    kind = versions.kind_of(request.user, name, "view")
    item = versions.current(kind, subject)
    entry_id = request.GET.get("entry", "")
    found = changes_of.before_and_after(kind.stored.entity, kind.key(subject), entry_id, item.stored)
    if found is None:
        raise NotFound
    entry, before, after = found
    context = {
        **_common(name, subject, item),
        "told": _told(request, kind, name, subject, item, entry, is_known=after is not None),
        "differences": [] if after is None else _between(kind, _item(kind, before), _item(kind, after)),
        "too_old": "" if after is not None else TooOld.message,
    }
    return page_or_partial(request, "core/crud/version.html", "differences", context)


@requires("scouting.event.update", "scouting.settings.update")
@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: SignedInRequest, name: str, subject: str) -> HttpResponse:
    """GET shows the changes and asks for confirmation; POST restores the version."""
    entry_id = request.GET.get("entry", "")
    if request.method != "POST":
        return _ask(request, name, subject, entry_id)
    seen = small_number(request.POST.get("version", ""))
    try:
        versions.restore(request.user, name, subject, entry_id, seen_version=seen)
    except Conflict as error:
        return _ask(request, name, subject, entry_id, problem=error)
    toasts.add(request, _("The earlier version is back."))
    return go(request, _address(name, subject))


def _ask(
    request: SignedInRequest, name: str, subject: str, entry_id: str, *, problem: Conflict | None = None
) -> HttpResponse:
    kind = versions.kind_of(request.user, name, "update")
    item = versions.current(kind, subject)
    found: list[Difference] = []
    too_old = ""
    try:
        found = _between(kind, item, versions.as_of(kind, subject, item, entry_id))
    except TooOld:
        too_old = _("This version is too old to be brought back.")
    context = {
        **_common(name, subject, item),
        "differences": found,
        "seen": Seen(item.seen_version),
        "restore_address": _at("history-restore", name, subject, entry_id),
        "as_of": None if entry_id == SHIPPED else moment_of(entry_id),
        "problem": problem,
        "too_old": too_old,
    }
    return render(request, "scouting/history/restore_version.html", context, status=409 if problem else 200)


def _between(kind: Kind, before: Any, after: Any) -> list[Difference]:
    return differences(kind.shown, kind.values(before), kind.values(after), Names())


def _item(kind: Kind, stored: RawItem) -> Any:
    return kind.stored.model.from_raw_data(stored)


def _common(name: str, subject: str, item: Any) -> dict[str, Any]:
    is_event = name in ("event", "teams", "schedule")
    parent = ("scouting:events", _("Events")) if is_event else ("scouting:settings", _("Scouting settings"))
    return {
        "resource": {"list_address": reverse(parent[0]), "plural": parent[1]},
        "subject": {"is_deleted": False},
        "label": _label(name, subject, item),
        "to": {
            "record": _address(name, subject),
            "history": reverse("scouting:history", args=[name, subject]),
        },
    }


def _label(name: str, subject: str, item: Any) -> str:
    match name:
        case "event":
            return str(item.name)
        case "teams":
            return _("Teams of %(event)s") % {"event": subject}
        case "schedule":
            return _("Matches of %(event)s") % {"event": subject}
        case "game":
            return f"{subject} {item.name}"
    return _("Settings of %(year)s") % {"year": subject}


def _address(name: str, subject: str) -> str:
    if name == "settings":
        return f"{reverse('scouting:settings')}?{urlencode({'year': subject})}"
    return reverse("scouting:game" if name == "game" else "scouting:event", args=[subject])


def _told(
    request: SignedInRequest,
    kind: Kind,
    name: str,
    subject: str,
    item: Any,
    entry: HistoryEntry,
    *,
    is_known: bool = True,
) -> HistoryLine:
    may_restore = (
        is_known
        and entry.at != item.updated_at
        and entry.verb not in WITHOUT_VERSION
        and may(request.user, f"{kind.right}.update")
    )
    return HistoryLine(
        entry=entry,
        sentence=verbs.sentence(
            entry.verb, who=format_html("<strong>{}</strong>", entry.actor_name), what=_("it")
        ),
        fields="",
        address=_at("history-version", name, subject, entry.entry_id),
        restore_address=_at("history-restore", name, subject, entry.entry_id) if may_restore else "",
    )


def _at(screen: str, name: str, subject: str, entry_id: str) -> str:
    return f"{reverse(f'scouting:{screen}', args=[name, subject])}?{urlencode({'entry': entry_id})}"
