"""The history of an event, its teams or matches, a game or the settings, and restoring a version."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.crud import verbs
from core.crud.confirm_page import ConfirmPage
from core.crud.diff import Difference
from core.crud.edit_session import Seen
from core.crud.http import page_or_partial
from core.crud.versions import moment_of
from core.crud.views.history import WITHOUT_VERSION, HistoryLine
from core.dynamo import history as changes_of
from core.dynamo.errors import NotFound, Text
from core.dynamo.history import HistoryEntry, TooOld
from core.dynamo.items import RawItem
from core.dynamo.paging import read_token
from scouting.history import services as versions
from scouting.history.presenters import differences_of
from scouting.history.services import SHIPPED

RIGHTS = ("scouting.event.view", "scouting.settings.view")
LABELS: Mapping[str, Text] = {
    "event": "%(name)s",
    "teams": gettext_lazy("Teams of %(event)s"),
    "schedule": gettext_lazy("Matches of %(event)s"),
    "game": "%(year)s %(name)s",
    "settings": gettext_lazy("Settings of %(year)s"),
}


class Subject:
    """An event, one of its lists, a game or the settings of a year, for a user with the right `verb`."""

    def __init__(self, user: User, verb: str, *, name: str, subject: str) -> None:
        self.user, self.name, self.key = user, name, subject
        self.kind = versions.kind_of(user, name, verb)
        self.item = versions.current(self.kind, subject)

    def address(self, screen: str = "history", entry_id: str = "") -> str:
        query = f"?{urlencode({'entry': entry_id})}" if entry_id else ""
        return reverse(f"scouting:{screen}", args=[self.name, self.key]) + query

    def context(self) -> dict[str, Any]:
        is_event = self.name in ("event", "teams", "schedule")
        page, plural = ("events", _("FRC events")) if is_event else ("settings", _("Scouting settings"))
        parts = {"event": self.key, "year": self.key, "name": getattr(self.item, "name", "")}
        return {
            "resource": {"list_address": reverse(f"scouting:{page}"), "plural": plural},
            "subject": {"is_deleted": False},
            "label": LABELS[self.name] % parts,
            "to": {"record": address_of(self.name, self.key), "history": self.address()},
        }

    def entry(self, entry: HistoryEntry, *, is_known: bool = True) -> HistoryLine:
        may_restore = (
            is_known
            and entry.at != self.item.updated_at
            and entry.verb not in WITHOUT_VERSION
            and may(self.user, f"{self.kind.right}.update")
        )
        return HistoryLine(
            entry=entry,
            sentence=verbs.sentence_of(entry),
            fields="",
            address=self.address("history-version", entry.entry_id),
            restore_address=self.address("history-restore", entry.entry_id) if may_restore else "",
        )


def address_of(name: str, key: str) -> str:
    """The page of what has the history."""
    if name == "settings":
        return f"{reverse('scouting:settings')}?{urlencode({'year': key})}"
    return reverse("scouting:game" if name == "game" else "scouting:event", args=[key])


@requires(*RIGHTS)
@require_safe
def history(request: SignedInRequest, **parts: str) -> HttpResponse:
    of = Subject(request.user, "view", **parts)
    bound_to = (request.user.sub, "scouting:history", of.name, of.key)
    start = read_token(request.GET.get("after"), *bound_to)
    page = changes_of.entries(of.kind.stored.entity, of.kind.key(of.key), start=start, strong=True)
    token = page.next_token(*bound_to)
    context = {
        **of.context(),
        "entries": [of.entry(entry) for entry in page.items],
        "next_address": f"{of.address()}?{urlencode({'after': token})}" if token else "",
        "is_first_page": start is None,
        "here": of.address(),
    }
    return page_or_partial(request, "core/crud/history.html", "more", context)


@requires(*RIGHTS)
@require_safe
def version(request: SignedInRequest, **parts: str) -> HttpResponse:
    """The changes of one history entry."""
    of = Subject(request.user, "view", **parts)
    entity, entry_id = of.kind.stored.entity, request.GET.get("entry", "")
    found = changes_of.before_and_after(entity, of.kind.key(of.key), entry_id, of.item.stored)
    if found is None:
        raise NotFound
    entry, before, after = found

    def item(stored: RawItem) -> Any:
        return of.kind.stored.model.from_raw_data(stored)

    context = {
        **of.context(),
        "line": of.entry(entry, is_known=after is not None),
        "differences": [] if after is None else differences_of(of.name, item(before), item(after)),
        "too_old": "" if after is not None else TooOld.message,
    }
    return page_or_partial(request, "core/crud/version.html", "differences", context)


@requires("scouting.event.update", "scouting.settings.update")
class RestoreVersion(ConfirmPage):
    """Shows the changes and asks for confirmation, then restores the version."""

    template = "scouting/history/restore_version.html"
    partial = ""
    success_message = gettext_lazy("Earlier version restored.")

    @property
    def entry_id(self) -> str:
        return self.request.GET.get("entry", "")

    def save(self) -> None:
        user, seen = self.request.user, self.seen_version
        versions.restore(user, **self.kwargs, entry_id=self.entry_id, seen_version=seen)

    def context(self) -> Mapping[str, Any]:
        of = Subject(self.request.user, "update", **self.kwargs)
        found: list[Difference] = []
        too_old = ""
        try:
            found = differences_of(of.name, of.item, versions.as_of(of.kind, of.key, of.item, self.entry_id))
        except TooOld:
            too_old = _("This version is too old to restore.")
        return {
            **of.context(),
            "differences": found,
            "seen": Seen(of.item.seen_version),
            "restore_address": of.address("history-restore", self.entry_id),
            "as_of": None if self.entry_id == SHIPPED else moment_of(self.entry_id),
            "too_old": too_old,
        }

    def success_url(self) -> str:
        return address_of(self.kwargs["name"], self.kwargs["subject"])
