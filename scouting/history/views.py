"""The history of an event, its teams or matches, a game or the settings, and restoring a version."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.crud.diff import Difference
from core.crud.views.plain_history import PlainHistory, RestorePlainVersion
from core.dynamo.errors import Text
from core.dynamo.items import Item
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


class Subject(PlainHistory):
    """An event, one of its lists, a game or the settings of a year, for a user with the right `verb`."""

    routes = ("scouting:history", "scouting:history-version", "scouting:history-restore")

    def __init__(self, user: User, verb: str, *, name: str, subject: str) -> None:
        super().__init__(user)
        self.name, self.subject = name, subject
        self.kind = versions.kind_of(user, name, verb)
        self.repository = self.kind.stored
        self.item = versions.current(self.kind, subject)
        of_item = {"event": subject, "year": subject, "name": getattr(self.item, "name", "")}
        self.label = LABELS[name] % of_item
        self.trail = (
            (_("FRC events"), reverse("scouting:events"))
            if name in ("event", "teams", "schedule")
            else (_("Scouting settings"), reverse("scouting:settings"))
        )
        self.record_address = _address_of(name, subject)

    @property
    def parts(self) -> list[str]:
        return [self.name, self.subject]

    def may_restore(self) -> bool:
        return may(self.user, f"{self.kind.right}.update")

    def differences(self, before: Any, after: Any) -> list[Difference]:
        return differences_of(self.name, before, after)

    def as_of(self, entry_id: str) -> Item:
        item: Item = versions.as_of(self.kind, self.subject, self.item, entry_id)
        return item


def _address_of(name: str, key: str) -> str:
    """The page of what has the history."""
    if name == "settings":
        return f"{reverse('scouting:settings')}?{urlencode({'year': key})}"
    return reverse("scouting:game" if name == "game" else "scouting:event", args=[key])


@requires(*RIGHTS)
@require_safe
def history(request: SignedInRequest, **parts: str) -> HttpResponse:
    return Subject(request.user, "view", **parts).show_entries(request)


@requires(*RIGHTS)
@require_safe
def version(request: SignedInRequest, **parts: str) -> HttpResponse:
    return Subject(request.user, "view", **parts).show_version(request)


@requires("scouting.event.update", "scouting.settings.update")
class RestoreVersion(RestorePlainVersion):
    template = "scouting/history/restore_version.html"

    def history(self) -> Subject:
        return Subject(self.request.user, "update", **self.kwargs)

    def save(self) -> None:
        user, seen = self.request.user, self.seen_version
        versions.restore(user, **self.kwargs, entry_id=self.entry_id, seen_version=seen)

    def moment(self) -> datetime | None:
        return None if self.entry_id == SHIPPED else super().moment()

    def success_url(self) -> str:
        return _address_of(self.kwargs["name"], self.kwargs["subject"])
