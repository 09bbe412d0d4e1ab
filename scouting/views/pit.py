"""Asking a team in the pit: one form of each team at an event."""

from collections.abc import Iterable
from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.rights import SignedInRequest, may, requires
from accounts.user import User
from cms.services import media_file
from crud.http import go, page_or_partial
from crud.toasts import tell
from dynamo.errors import DataError, Unavailable
from scouting import repository
from scouting.forms import PitEntry, showing
from scouting.models import PitForm
from scouting.services import forms, settings
from scouting.views.stand import choose_event, chosen_event, read_event
from stores import idempotency

ROUTE = "scouting:pit"
PHOTO_FOLDER = "media"


@requires("scouting.form.create")
@require_http_methods(["GET", "HEAD", "POST"])
def pit(request: SignedInRequest) -> HttpResponse:
    event = chosen_event(request)
    if event is None:
        return choose_event(request, ROUTE)
    game = forms.game_of(event)
    if request.method != "POST":
        team = request.GET.get("team", "")
        return _page(request, event, PitEntry(game, initial={"event": event, "team": team}))
    entry = PitEntry(game, request.POST, request.FILES)
    if not entry.is_valid():
        entry.focus_first_error()
        return _page(request, event, entry, status=422)
    try:
        forms.SENDING.ensure(request.user.sub)
        form = _send(request, entry)
    except Unavailable:
        raise
    except forms.Taken as taken:
        return _page(request, event, entry, status=409, taken=taken.current)
    except DataError as error:
        entry.add_refusal(error)
        return _page(request, event, entry, status=error.status_code)
    tell(request, _("The pit form of %(team)s is saved.") % {"team": form.team})
    return go(request, f"{reverse(ROUTE)}?event={event}")


def _send(request: SignedInRequest, entry: PitEntry) -> PitForm:
    fields, once = entry.fields_of(), idempotency.once(request, route=ROUTE)
    if entry.new_photos:
        # Nobody's photos are kept for a form that is refused.
        forms.ensure_open(fields["event"])
        forms.ensure_not_taken(fields["event"], fields["team"], once)
        fields["photo_ids"] = kept_photos(request.user, entry.new_photos)
    return forms.submit_pit(request.user, fields, once=once)


def kept_photos(user: User, photos: Iterable["UploadedFile[Any]"]) -> list[str]:
    """Store new photos; the same bytes again are the same photo."""
    kept = [
        media_file.add_photo(user, cast(BinaryIO, photo), name=photo.name or "", folder=PHOTO_FOLDER)
        for photo in photos
    ]
    return list(dict.fromkeys(str(each.media.id) for each in kept))


def _page(
    request: SignedInRequest,
    event_key: str,
    entry: PitEntry,
    *,
    status: int = 200,
    taken: PitForm | None = None,
) -> HttpResponse:
    context = {
        "form": entry,
        "event": read_event(event_key),
        "season": settings.active(),
        "data": showing.script_data(entry.questions),
        "taken": taken,
        "taken_key": repository.pit_forms.key_of(taken) if taken else "",
        "may_see_taken": taken is not None and may(request.user, "scouting.form.view", taken),
        "may_change_taken": taken is not None and may(request.user, "scouting.form.update", taken),
    }
    return page_or_partial(request, "scouting/pit.html", "page", context, status=status)
