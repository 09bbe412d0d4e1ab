"""Sending, correcting and deleting forms. Each is one transaction; what is sent twice is stored once."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.rights import ensure, may
from accounts.user import User
from dynamo import trash
from dynamo.errors import AlreadyExists, Invalid, NotFound, Replayed
from dynamo.idempotency import Once
from dynamo.items import new_id
from scouting import keys, repository
from scouting.game import Game
from scouting.models import CommentForm, EventInfo, PitForm, StandForm
from scouting.repository.base import ScoutingRepository
from scouting.services import settings
from stores.limits import Limiter

F = TypeVar("F", StandForm, PitForm, CommentForm)

# Six robots in a match of three minutes, and what waited while there was no connection.
SENDING = Limiter("scouting-form", 120, 60, about=gettext_lazy("Sending scouting forms, by person"))
KINDS: Mapping[str, ScoutingRepository[Any]] = {
    "stand": repository.stand_forms,
    "pit": repository.pit_forms,
    "comment": repository.comment_forms,
}


class Taken(AlreadyExists):
    """Somebody has sent this form before; `current` is theirs."""

    message = gettext_lazy("There is a form for this robot already.")


# --- Sending -----------------------------------------------------------------------------------------------


def submit_stand(
    user: User, fields: Mapping[str, Any], *, once: Once | None = None, is_further: bool = False
) -> StandForm:
    """`is_further` keeps a report beside the one that is there."""
    ensure(user, "scouting.form.create")
    told = dict(fields)
    event, team, match = told.pop("event"), told.pop("team"), told.pop("match")
    ensure_open(event)
    form_id = id_for(once)
    form = StandForm.about(
        event,
        team,
        match,
        further=form_id if is_further else "",
        id=form_id,
        **_by(user),
        **scored(game_of(event), told),
    )
    return _create(repository.stand_forms, user, form, once)


def submit_pit(user: User, fields: Mapping[str, Any], *, once: Once | None = None) -> PitForm:
    """One of each team at an event."""
    ensure(user, "scouting.form.create")
    told = dict(fields)
    event, team = told.pop("event"), told.pop("team")
    ensure_open(event)
    form = PitForm.about(event, team, id=id_for(once), **_by(user), **told)
    return _create(repository.pit_forms, user, form, once)


def submit_comment(user: User, fields: Mapping[str, Any], *, once: Once | None = None) -> CommentForm:
    ensure(user, "scouting.form.create")
    told = dict(fields)
    event, team = told.pop("event"), told.pop("team")
    ensure_open(event)
    form = CommentForm.about(event, team, id=id_for(once), **_by(user), **told)
    return _create(repository.comment_forms, user, form, once)


def ensure_open(event: str) -> None:
    """Refuse forms of an event that does not exist, and of all others while one is locked."""
    season = settings.active()
    if event == season.event:
        return
    if season.is_locked:
        message = _("Forms can be sent for %(event)s only: a scout lead has locked the event.")
        raise Invalid(message % {"event": season.event})
    try:
        repository.event_infos.get(repository.event_infos.key_of(EventInfo.about(event)))
    except NotFound as error:
        raise Invalid(_("This event does not exist. Choose another one.")) from error


def ensure_not_taken(event: str, team: str, once: Once | None) -> None:
    """Asked before photos are stored for a pit form; what counts is the condition when it is written."""
    key = repository.pit_forms.key_of(PitForm.about(event, team))
    found = repository.pit_forms.get_many([key], strong=True).get(key)
    if found is not None and (once is None or found.id != id_for(once)):
        raise Taken(current=found)


def scored(game: Game, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a stand form with what its values are worth: the two parts are the whole."""
    scores = game.score(fields["scores"])
    return dict(fields) | {
        "auto_score": scores.auto,
        "tele_score": scores.tele,
        "total_score": scores.total,
    }


def game_of(event: str) -> Game:
    """The definition that the forms of an event follow."""
    season = settings.active()
    year = keys.year_of(event)
    if event == season.event or year == season.game.year:
        return season.game
    return settings.game(year) or season.game


def id_for(once: Once | None) -> str:
    """The same request has the same form; nobody can choose the id of somebody else's."""
    if once is None:
        return new_id()
    return str(uuid5(uuid5(NAMESPACE_URL, f"{once.sub} {once.route}"), once.key))


def _by(user: User) -> dict[str, str]:
    return {"scout_id": user.sub, "scout_name": user.name}


def _create(repo: ScoutingRepository[F], user: User, form: F, once: Once | None) -> F:
    if once is not None:
        once = replace(once, answer={"key": repo.key_of(form)})
    try:
        return repo.create(form, actor=user.actor, once=once)
    except Replayed as earlier:
        return repo.get(earlier.answer["key"], strong=True)
    except AlreadyExists as error:
        # The row of the first request is kept for a day; the form itself knows longer.
        if once is not None and error.current is not None and error.current.id == form.id:
            stored: F = error.current
            return stored
        raise Taken(current=error.current) from error


# --- Reading, correcting, deleting -------------------------------------------------------------------------


def opened(user: User, kind: str, key: str) -> Any:
    """A form that this person may see. Somebody else's does not exist for a scout."""
    form = KINDS[kind].get(key, strong=True) if kind in KINDS else None
    if form is None or not may(user, "scouting.form.view", form):
        raise NotFound
    return form


def edit(
    user: User, kind: str, key: str, fields: Mapping[str, Any], *, seen_version: int, once: Once | None = None
) -> None:
    """Leads correct every form, scouts their own on the same day."""
    form = opened(user, kind, key)
    ensure(user, "scouting.form.update", form)
    if kind == "stand":
        fields = scored(game_of(form.event), fields)
    # A request that is sent again finds what it has done itself.
    with suppress(Replayed):
        KINDS[kind].update(form, fields, actor=user.actor, seen_version=seen_version, once=once)


def delete(user: User, kind: str, key: str, *, seen_version: int) -> Any:
    """Into the trash, from where it can be brought back."""
    form = opened(user, kind, key)
    ensure(user, "scouting.form.delete", form)
    return KINDS[kind].delete(form, actor=user.actor, seen_version=seen_version)


def restore(user: User, kind: str, key: str) -> None:
    ensure(user, "scouting.form.delete")
    trashed = trash.of_record(kind, key) if kind in KINDS else None
    if trashed is None:
        raise NotFound
    KINDS[kind].restore(trashed.trash_id, actor=user.actor)
