"""Sending, correcting, moving and deleting forms, each in one transaction and once per request."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import NAMESPACE_URL, uuid5

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import ensure, may
from core.accounts.user import User
from core.dynamo import history, trash
from core.dynamo.attributes import from_iso, now, to_iso
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, KeyReused, Missing, NotFound, Replayed
from core.dynamo.history import HistoryEntry
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction
from scouting import keys
from scouting.events.event import NoSuchEvent
from scouting.forms import corrections, photos
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.forms.repository import FormRepository, comment_forms, pit_forms, stand_forms
from scouting.games.definition import Game, in_points
from scouting.settings import services as settings

F = TypeVar("F", StandForm, PitForm, CommentForm)

KINDS: Mapping[str, FormRepository[Any]] = {
    "stand": stand_forms,
    "pit": pit_forms,
    "comment": comment_forms,
}


# How many earlier places `past` reads, at one request each. A form is rarely moved more than once or twice.
MOST_STAYS = 5
# The attributes that are copied when a form is moved.
MOVED = {
    "stand": (
        *("id", "scout_id", "scout_name", "game_year", "created_at", "scores"),
        *("auto_score", "tele_score", "total_score", "criticals", "strategy", "comments"),
        *("rp_earned", "defended_against", "defense", "win", "no_show"),
    ),
    "pit": ("id", "scout_id", "scout_name", "game_year", "created_at", "answers", "photos", "robot_image"),
}


class Taken(AlreadyExists):
    """Another form has this place already; `current` is that form."""

    message = gettext_lazy("There is already a form for this robot.")


class Deleted(Conflict):
    """The form was sent before, and a lead has deleted or moved it since."""

    message = gettext_lazy("A scout lead deleted or moved your form after it was received.")


# --- Sending -----------------------------------------------------------------------------------------------


def submit_stand(
    user: User, fields: Mapping[str, Any], *, once: IdempotencyKey | None = None, is_further: bool = False
) -> StandForm:
    """Store a stand form. `is_further` adds a report to the one that exists for this robot and match."""
    about = _about(user, fields, once)
    game = game_of(fields["event"])
    further = user.sub if is_further else ""
    form = StandForm.about(**scored(game, fields), **about, further=further, game_year=game.year)
    return _create(stand_forms, user, form, once)


def submit_pit(
    user: User,
    fields: Mapping[str, Any],
    *,
    files: Sequence["UploadedFile[Any]"] = (),
    once: IdempotencyKey | None = None,
) -> PitForm:
    """Store the pit form of a team, one per event; if it is refused, its photos are deleted."""
    about = _about(user, fields, once)
    if files:
        ensure_not_taken(fields["event"], fields["team"], once)
    form = PitForm.about(**fields, **about, game_year=game_of(fields["event"]).year)
    return _create(pit_forms, user, form, once, keeping=photos.added_to(form, user, files))


def submit_comment(
    user: User, fields: Mapping[str, Any], *, once: IdempotencyKey | None = None
) -> CommentForm:
    form = CommentForm.about(**fields, **_about(user, fields, once))
    return _create(comment_forms, user, form, once)


def _about(user: User, fields: Mapping[str, Any], once: IdempotencyKey | None) -> dict[str, Any]:
    """The attributes of a new form that do not depend on its kind, if the user may send it now."""
    ensure(user, "scouting.form.create")
    ensure_open(fields["event"])
    return {"id": id_for(once), "scout_id": user.sub, "scout_name": user.name}


def _refuse_other_robot(form: StandForm, once: IdempotencyKey) -> None:
    """Raise KeyReused if the same request has sent a form of another robot or match.

    The guard of the robot is the receipt of a request, so what this one has sent of another robot is found by
    the id of the form only, which may lag a moment.
    """
    try:
        place, key = stand_forms.key_of(form), stand_forms.key_with_id(form.id)
        if key == place:
            return
        elsewhere = stand_forms.get(key, strong=True)
    except NotFound:
        return
    if all(stay["key"] != place for stay in elsewhere.moved_from or ()):
        raise KeyReused({"key": key})
    # Sent of this robot and moved: its guard answers, or the row that an earlier release has written.
    once.check()


def ensure_open(event: str) -> None:
    """Raise Invalid if the season is locked to another event."""
    season = settings.active()
    if season.is_locked and event != season.event:
        message = _("You can send forms for %(event)s only. A scout lead has locked the event.")
        raise Invalid(message % {"event": season.event}, field="event")


def ensure_not_taken(event: str, team: str, once: IdempotencyKey | None) -> None:
    """Raise Taken before photos are stored. The conditional write of the form is the guarantee."""
    key = pit_forms.key_of(PitForm.about(event, team))
    found = pit_forms.get_many([key], strong=True).get(key)
    if found is not None and (once is None or found.id != id_for(once)):
        raise Taken(current=found)


def scored(game: Game, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a stand form with its computed scores; autonomous and teleop add up to the total."""
    scores = game.score(fields["scores"])
    return {**fields, "auto_score": scores.auto, "tele_score": scores.tele, "total_score": scores.total}


def game_of(event: str, forms: Iterable[StandForm | PitForm] = ()) -> Game:
    """The game definition of most of these forms; without forms, the current one for the event."""
    return game_of_years(event, (form.game_year for form in forms))


def game_of_years(event: str, years: Iterable[float | None]) -> Game:
    """As `game_of`, from the years of the forms' definitions; None counts as the year of the event."""
    season = settings.active()
    of_event = keys.year_of(event)
    counts = Counter(int(known) for year in years if (known := year or of_event))
    if counts:
        ((year, _count),) = counts.most_common(1)
    elif of_event in (None, season.settings.year) or event == season.event:
        return season.game
    else:
        year = of_event
    return season.game if year == season.game.year else settings.game(year) or season.game


def corrected(form: StandForm | PitForm, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields a correction writes. Answers to questions that are gone keep their values and points."""
    if isinstance(form, PitForm):
        return {**fields, "answers": _answered(form.answers or {}, fields["answers"])}
    before = form.scores or {}
    after = _answered(before, fields["scores"])
    if fields.get("no_show"):
        return {**fields, "scores": after, "auto_score": 0, "tele_score": 0, "total_score": 0}
    game = game_of(form.event, [form])
    old, new = game.score(before), game.score(after)
    return {
        **fields,
        "scores": after,
        "auto_score": in_points(form.auto_score + new.auto - old.auto),
        "tele_score": in_points(form.tele_score + new.tele - old.tele),
        "total_score": in_points(form.total_score + new.total - old.total),
    }


def _answered(before: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Old answers updated with new ones. Multiple choices keep their old order."""
    answers = {**before, **new}
    for key, chosen in new.items():
        earlier = before.get(key)
        if isinstance(chosen, list) and isinstance(earlier, list):
            kept = [each for each in earlier if each in chosen]
            answers[key] = kept + [each for each in chosen if each not in kept]
    return answers


def id_for(once: IdempotencyKey | None) -> str:
    """The id of a form, derived from user, route and idempotency key: the same for a resend,
    and not forgeable by another user."""
    if once is None:
        return new_id()
    return str(uuid5(uuid5(NAMESPACE_URL, f"{once.sub} {once.route}"), once.key))


def _create(
    repo: FormRepository[F],
    user: User,
    form: F,
    once: IdempotencyKey | None,
    *,
    keeping: AbstractContextManager[Any] | None = None,
) -> F:
    """Create the form. `keeping` is a context manager that removes its files if the write fails."""
    if once is not None:
        once = replace(once, answer={"key": repo.key_of(form)})
    try:
        if once is not None and isinstance(form, StandForm):
            _refuse_other_robot(form, once)
        with keeping or nullcontext():
            return repo.create(form, actor=user.actor, once=once)
    except Replayed as earlier:
        return _still_there(repo, form.id, earlier.answer["key"])
    except Missing as error:
        message = _("This event does not exist or was deleted. Choose another one.")
        raise NoSuchEvent(message, field="event") from error
    except AlreadyExists as error:
        # The receipt expires after a day; after that the id of the form identifies a resend.
        taken = _taken(repo, form, error)
        if once is not None and taken.current is not None and taken.current.id == form.id:
            return cast(F, taken.current)
        raise taken from error


def _taken(repo: FormRepository[F], form: F, error: AlreadyExists) -> Taken:
    """The error for an occupied place; `current` is the scout's own report if any, else the first."""
    return Taken(error.message if error.field else None, current=repo.in_the_way(form) or error.current)


def _still_there(repo: FormRepository[F], form_id: str, key: str) -> F:
    """The form of an earlier request, even if it was moved; never another form in its old place."""
    found = repo.get_many([key], strong=True).get(key)
    if found is not None and found.id == form_id:
        return found
    # Only stand forms have an index by id, so a moved form of another kind cannot be found.
    if repo is not stand_forms:
        raise Deleted
    try:
        return repo.get(stand_forms.key_with_id(form_id), strong=True)
    except NotFound as error:
        raise Deleted from error


# --- Reading, correcting, deleting -------------------------------------------------------------------------


def opened(user: User, kind: str, key: str) -> Any:
    """The form, or NotFound also if the user may not view it: scouts cannot tell whether it exists."""
    form = KINDS[kind].get(key, strong=True) if kind in KINDS else None
    if form is None or not may(user, "scouting.form.view", form):
        raise NotFound
    return form


def edit(
    user: User,
    kind: str,
    key: str,
    fields: Mapping[str, Any],
    *,
    seen_version: int,
    files: Sequence["UploadedFile[Any]"] = (),
    once: IdempotencyKey | None = None,
) -> None:
    """Correct a form: leads every one, scouts their own until the event is over."""
    form = opened(user, kind, key)
    corrections.ensure_may_correct(user, form)
    changed = dict(fields) if kind == "comment" else corrected(form, fields)
    # A resend is already applied: ignored.
    with suppress(Replayed):
        with photos.kept(user, key, files) as new:
            if kind == "pit":
                changed["photos"] = [*changed["photos"], *new]
            KINDS[kind].update(form, changed, actor=user.actor, seen_version=seen_version, receipt=once)
        if kind == "pit":
            photos.forget(photo for photo in form.photos or () if photo not in changed["photos"])


def move(
    user: User,
    kind: str,
    key: str,
    fields: Mapping[str, Any],
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
    is_further: bool = False,
) -> str:
    """Move a form to another robot with all its answers, and return its new key. Leads only.

    `is_further` adds a stand form to the one that exists at the new place.
    """
    try:
        form = opened(user, kind, key)
    except NotFound as error:
        # A resend does not find the form at its old key.
        refuse(error, once)
    ensure(user, "scouting.form.delete", form)
    repo, transaction = KINDS[kind], Transaction()
    write: dict[str, Any] = {"actor": user.actor, "transaction": transaction}
    copied: dict[str, Any] = {name: getattr(form, name) for name in MOVED[kind]}
    copied["moved_from"] = [*(form.moved_from or ()), _stay(form, key)]
    if is_further and kind == "stand":
        copied["further"] = form.scout_id or form.id
    moved = type(form).about(form.event, **fields, **copied)
    moved.flat = form.flat
    new_key = repo.key_of(moved)
    if all(getattr(form, name) == value for name, value in fields.items()):
        return key
    if once is not None:
        once = replace(once, answer={"key": new_key})
    try:
        repo.delete(form, verb="move_away", seen_version=seen_version, once=once, for_ever=True, **write)
        repo.create(moved, verb="move", **write)
        transaction.commit()
    except AlreadyExists as error:
        raise _taken(repo, moved, error) from error
    return new_key


def is_by_another(one: StandForm, other: StandForm) -> bool:
    """Whether both can be reports of one robot: by different scouts, or imported without scout id."""
    return not one.scout_id or one.scout_id != other.scout_id


def _stay(form: StandForm | PitForm, key: str) -> dict[str, Any]:
    """The entry for `moved_from`: the place of a form, and until when it was there."""
    place = {"team": form.team} | ({"match": int(form.match)} if isinstance(form, StandForm) else {})
    return {"key": key, **place, "until": to_iso(now())}


def past(kind: str, key: str, form: Any) -> list[tuple[HistoryEntry, Mapping[str, Any] | None]]:
    """The history of a form, newest first, including its earlier places: one request for each place.

    With each entry comes the earlier place from which it moved the form, if it did.
    """
    found: list[tuple[HistoryEntry, Mapping[str, Any] | None]] = []
    since: datetime | None = None
    moved_from: Mapping[str, Any] | None = None
    for stay in [*list(getattr(form, "moved_from", None) or ())[-MOST_STAYS:], {"key": key}]:
        until = from_iso(stay["until"]) if "until" in stay else None
        entries = history.entries(kind, stay["key"], since=since, until=until, strong=True).items
        found = [*((entry, moved_from if entry.verb == "move" else None) for entry in entries), *found]
        since, moved_from = until, stay
    if kind == "stand" and form.scout_id and not any(entry.verb == "create" for entry, _from in found):
        found.append((_creation(form), None))
    return found


def _creation(form: StandForm) -> HistoryEntry:
    """That a scout sent the form, as the form itself says it."""
    return HistoryEntry(verb="create", actor=form.scout_id, actor_name=form.scout_name, at=form.created_at)


def delete(user: User, kind: str, key: str, *, seen_version: int) -> Any:
    """Move a form to the trash."""
    form = opened(user, kind, key)
    ensure(user, "scouting.form.delete", form)
    return KINDS[kind].delete(form, actor=user.actor, seen_version=seen_version)


def restore(user: User, kind: str, key: str) -> None:
    ensure(user, "scouting.form.delete")
    trashed = trash.of_record(kind, key) if kind in KINDS else None
    if trashed is None:
        raise NotFound
    repo = KINDS[kind]
    try:
        repo.restore(trashed.trash_id, actor=user.actor)
    except AlreadyExists as error:
        raise _taken(repo, repo.model.from_raw_data(trashed.record), error) from error
    except Missing as error:
        raise Conflict(_("Its event was deleted too. Restore the event first.")) from error
