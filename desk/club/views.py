"""The page with the settings of the club, and their history."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.club.colours import DEFAULT, HEX
from core.club.models import ClubSettings
from core.club.repository import KEY, club_settings
from core.crud.diff import Difference
from core.crud.form_page import ActionPage, FormPage
from core.crud.http import prefetches
from core.crud.toasts import Undo
from core.crud.views.plain_history import PlainHistory, RestorePlainVersion
from core.dynamo.errors import NotFound
from core.dynamo.items import Item
from core.dynamo.prefetch import Wanted
from desk.club import services
from desk.club.forms import ClubForm
from desk.club.presenters import differences_of, preview

VIEW, UPDATE = "club.settings.view", "club.settings.update"


def _reads(_request: SignedInRequest, **_parts: str) -> list[Wanted]:
    return [(ClubSettings, KEY)]


@requires(VIEW, UPDATE)
@prefetches(_reads)
class EditClub(FormPage[ClubForm]):
    form_class = ClubForm
    template = "desk/club/settings.html"
    takes_files = True
    success_message = gettext_lazy("Saved. All pages follow within a minute.")
    written: ClubSettings | None = None

    def get_object(self) -> ClubSettings:
        return club_settings.stored(strong=True)

    def initial(self) -> Mapping[str, Any]:
        return ClubForm.initial_of(self.object)

    def save(self) -> None:
        self.written = services.save(
            self.request.user,
            self.form.values(self.object),
            logo=self.form.cleaned_data["logo"],
            seen_version=self.seen_version,
            once=self.once,
        )

    def undo(self) -> Undo | None:
        # A repeated request, or one that changed nothing, has nothing of its own to take back.
        if self.written is None or self.written.seen_version == self.seen_version:
            return None
        return Undo(reverse("club:undo"), {"version": str(self.written.seen_version)})

    def context(self) -> Mapping[str, Any]:
        record = self.object
        colours = (record.colour or DEFAULT, record.second_colour)
        return {"stored": record, "preview": preview(*colours)}

    def success_url(self) -> str:
        return reverse("club:settings")


@requires(VIEW, UPDATE)
@require_safe
def colours(request: SignedInRequest) -> HttpResponse:
    """The preview of colours that are being chosen."""
    colour, second = (request.GET.get(name, "").lower() for name in ("colour", "second_colour"))
    has_second = "has_second" in request.GET
    if not HEX.fullmatch(colour) or (has_second and not HEX.fullmatch(second)):
        raise NotFound
    context = {"preview": preview(colour, second if has_second else None)}
    return render(request, "desk/club/settings.html#preview", context)


@requires(VIEW, UPDATE)
class UndoChange(ActionPage):
    success_message = gettext_lazy("Change undone.")

    def save(self) -> None:
        services.undo(self.request.user, seen_version=self.seen_version)

    def success_url(self) -> str:
        return reverse("club:settings")


class ClubHistory(PlainHistory):
    routes = ("club:history", "club:version", "club:restore")
    repository = club_settings

    def __init__(self, user: User) -> None:
        super().__init__(user)
        self.item = club_settings.stored(strong=True)
        if not self.item.seen_version:
            raise NotFound
        self.label = self.item.name
        self.record_address = reverse("club:settings")
        self.trail = (_("Club settings"), self.record_address)

    def may_restore(self) -> bool:
        return may(self.user, UPDATE)

    def differences(self, before: Any, after: Any) -> list[Difference]:
        return differences_of(before, after)

    def made(self, stored: Any) -> Item:
        return services.as_stored(stored)


@requires(VIEW)
@prefetches(_reads)
@require_safe
def history(request: SignedInRequest) -> HttpResponse:
    return ClubHistory(request.user).show_entries(request)


@requires(VIEW)
@prefetches(_reads)
@require_safe
def version(request: SignedInRequest) -> HttpResponse:
    return ClubHistory(request.user).show_version(request)


@requires(VIEW, UPDATE)
@prefetches(_reads)
class RestoreVersion(RestorePlainVersion):
    def history(self) -> ClubHistory:
        return ClubHistory(self.request.user)

    def save(self) -> None:
        earlier = self.history().as_of(self.entry_id)
        assert isinstance(earlier, ClubSettings)  # noqa: S101
        services.restore(self.request.user, earlier, seen_version=self.seen_version)
