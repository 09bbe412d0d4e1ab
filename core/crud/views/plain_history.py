"""The history screens of records without a resource, such as settings."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.crud import verbs
from core.crud.confirm_page import ConfirmPage
from core.crud.diff import Difference
from core.crud.edit_session import Seen
from core.crud.http import page_or_partial
from core.crud.versions import moment_of
from core.crud.views.history import WITHOUT_VERSION, HistoryLine
from core.dynamo import history
from core.dynamo.errors import NotFound, Text
from core.dynamo.history import HistoryEntry, TooOld
from core.dynamo.items import Item, RawItem
from core.dynamo.paging import read_token
from core.dynamo.repository import Repository


class PlainHistory:
    """A record with its history, for a user. Apps say in a subclass what and where it is."""

    # The names of the URLs, in the order history, version, restore.
    routes: ClassVar[tuple[str, str, str]]
    repository: Repository[Any]
    item: Any
    label: Text
    # The title and the address of the page from which one comes to the record.
    trail: tuple[Text, str]
    record_address: str

    def __init__(self, user: User) -> None:
        self.user = user

    @property
    def parts(self) -> list[str]:
        """The parameters of the URLs."""
        return []

    def may_restore(self) -> bool:
        raise NotImplementedError

    def differences(self, before: Any, after: Any) -> list[Difference]:
        """Field by field, of two versions of the record."""
        raise NotImplementedError

    # --- The same for all --------------------------------------------------------------------------------

    def show_entries(self, request: SignedInRequest) -> HttpResponse:
        bound_to = (self.user.sub, *self.routes[:1], *self.parts)
        start = read_token(request.GET.get("after"), *bound_to)
        page = history.entries(self.repository.entity, self._key, start=start, strong=True)
        token = page.next_token(*bound_to)
        here = self._address(0)
        context = {
            **self.context(),
            "entries": [self._line(entry) for entry in page.items],
            "next_address": f"{here}?{urlencode({'after': token})}" if token else "",
            "is_first_page": start is None,
            "here": here,
        }
        return page_or_partial(request, "core/crud/history.html", "more", context)

    def show_version(self, request: SignedInRequest) -> HttpResponse:
        """The changes of one history entry."""
        entry_id = request.GET.get("entry", "")
        found = history.before_and_after(self.repository.entity, self._key, entry_id, self.item.stored)
        if found is None:
            raise NotFound
        entry, before, after = found
        context = {
            **self.context(),
            "line": self._line(entry, is_known=after is not None),
            "differences": [] if after is None else self.differences(self.made(before), self.made(after)),
            "too_old": "" if after is not None else TooOld.message,
        }
        return page_or_partial(request, "core/crud/version.html", "differences", context)

    def as_of(self, entry_id: str) -> Item:
        """The record as it was after one history entry. May raise `TooOld`."""
        state = history.state_after(self.repository.entity, self._key, entry_id, self.item.stored)
        if state is None:
            raise NotFound
        return self.made(state)

    def context(self) -> dict[str, Any]:
        plural, list_address = self.trail
        return {
            "resource": {"list_address": list_address, "plural": plural},
            "subject": {"is_deleted": False},
            "label": self.label,
            "to": {"record": self.record_address, "history": self._address(0)},
        }

    def restore_address(self, entry_id: str) -> str:
        return self._address(2, entry_id)

    @property
    def _key(self) -> str:
        return self.repository.key_of(self.item)

    def made(self, stored: RawItem) -> Item:
        """An earlier version of the record."""
        item: Item = self.repository.model.from_raw_data(stored)
        return item

    def _address(self, screen: int, entry_id: str = "") -> str:
        query = f"?{urlencode({'entry': entry_id})}" if entry_id else ""
        return reverse(self.routes[screen], args=self.parts) + query

    def _line(self, entry: HistoryEntry, *, is_known: bool = True) -> HistoryLine:
        may_restore = (
            is_known
            and entry.at != self.item.updated_at
            and entry.verb not in WITHOUT_VERSION
            and self.may_restore()
        )
        return HistoryLine(
            entry=entry,
            sentence=verbs.sentence_of(entry),
            fields="",
            address=self._address(1, entry.entry_id),
            restore_address=self.restore_address(entry.entry_id) if may_restore else "",
        )


class RestorePlainVersion(ConfirmPage):
    """Shows the differences and asks for confirmation; `save` restores the version."""

    template = "core/crud/restore_version.html"
    partial = ""
    success_message = gettext_lazy("Earlier version restored.")

    def history(self) -> PlainHistory:
        raise NotImplementedError

    @property
    def entry_id(self) -> str:
        return self.request.GET.get("entry", "")

    def moment(self) -> datetime | None:
        """Of which the version is."""
        return moment_of(self.entry_id)

    def context(self) -> Mapping[str, Any]:
        of = self.history()
        found: list[Difference] = []
        too_old = ""
        try:
            found = of.differences(of.item, of.as_of(self.entry_id))
        except TooOld:
            too_old = _("This version is too old to restore.")
        return {
            **of.context(),
            "differences": found,
            "seen": Seen(of.item.seen_version),
            "restore_address": of.restore_address(self.entry_id),
            "as_of": self.moment(),
            "too_old": too_old,
        }

    def success_url(self) -> str:
        return self.history().record_address
