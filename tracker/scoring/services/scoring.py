"""Writing down a game: each plate appearance with the game's new box score in one transaction."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo import transactions, trash
from core.dynamo.errors import (
    AlreadyExists,
    Conflict,
    DataError,
    Invalid,
    KeyReused,
    NotFound,
    Replayed,
    Text,
)
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem, new_id
from core.dynamo.transactions import Transaction
from tracker import keys, repository
from tracker.games.models import FINAL, IN_PROGRESS, Game
from tracker.rules import batting, box_scores, plays, results
from tracker.rules.replay import Box, Play
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat, TakenOut
from tracker.statistics import appearances

VERB = "manage_atbats"
# A game has two or three scorekeepers: whoever is overtaken that often is told.
MOST_TRIES = 8
MOST_INNINGS, MOST_RUNS = 30, 99
# Of the requests that took out or brought back the same plate appearance.
MOST_REMEMBERED = 100
UNUSABLE_RUNS: Text = _("That cannot be the opponent's runs in this inning.")

# What a person tells of a plate appearance: its fields, or what reads them once it is known before which
# of the game's plate appearances it stands.
Told = Mapping[str, Any] | Callable[[OpenGame, int], Mapping[str, Any]]
TOLD = ("result", "player_id", "hit_location", "hit_type", "rbis", "runners", "charged_to")
NOBODY_BATTED = {"hit_location": None, "hit_type": None, "rbis": None, "charged_to": None}


class Overtaken(Conflict):
    """Somebody else wrote down this turn; `current` are the plate appearances that came meanwhile."""

    message = _("Somebody else has written something down in the meantime. Look at it before you go on.")


TAKEN_BACK: Text = _("Somebody else has taken back a play in the meantime. Look at the batter and the bases.")
NOT_TO_REDO: Text = _("Somebody else has written something down in the meantime, so this stays undone.")
NOT_THE_SAME: Text = _(
    "Before this turn, something has changed in the meantime. Look at the batter and the bases."
)


class WrittenBefore(Overtaken):
    """The same request, but it says something else now."""

    message = _("This was written down before, as it stands here. Correct it there if it is wrong.")


class NotLive(Conflict):
    message = _("This game is not being played, so nothing new can be written down.")


class Unusable(Invalid):
    """What was told cannot be read; its form says why."""

    status_code = 422


class Unconfirmed(Invalid):
    """The person has not seen yet what would be stored; `summary` says it."""

    def __init__(self, summary: str) -> None:
        super().__init__(_("Look at what will be stored, and record it."))
        self.summary = summary


class Changed(Conflict):
    """The plate appearance is no longer as the person saw it; `current` is what it is now."""


@dataclass(frozen=True)
class Written:
    """The game after a write, and the plate appearance that was written; no further read is needed."""

    opened: OpenGame
    at_bat: AtBat | None = None


# --- Before it is written ----------------------------------------------------------------------------------


def preview(
    opened: OpenGame, told: Told, *, index: int | None = None, is_correction: bool = False
) -> tuple[Play, Box]:
    """What `record` would store, or at an `index` what `insert` or `correct` would, and the game after it."""
    game, at_bats = opened.game, opened.story.at_bats
    index = len(at_bats) if index is None else index
    facts = _checked(opened, told, index, plays.slots_for_entry(game, at_bats, index, is_correction))
    at_bat = AtBat.about(game, number=plays.number_after(at_bats[:index]), **facts)
    return box_scores.next_plays_of(game, at_bats, index, [box_scores.appearance_of(at_bat)])[0]


# --- New plate appearances ----------------------------------------------------------------------------------


def record(
    user: User,
    game_id: str,
    told: Told,
    *,
    seen: int,
    situation: str | None = None,
    once: IdempotencyKey | None = None,
) -> Written:
    """The next one. `seen` is how many there were on the page: whoever comes second is told who was first.

    `situation` is what else the page showed, see `plays.situation`.
    """
    at_bat_id = id_for(once)

    def change(opened: OpenGame) -> Written:
        at_bats = opened.story.at_bats
        if (earlier := _with_id(opened, at_bat_id)) is not None:
            return _sent_again(opened, earlier, told)
        if at_bat_id in opened.story.taken_out:
            return _stays_out(opened, once)
        _ensure_new_is_possible(opened)
        index = len(at_bats)
        _ensure_as_seen(opened, seen, situation)
        facts = _checked(opened, told, index, plays.slots_for_entry(opened.game, at_bats, index))
        fields = {"undone": None} if opened.game.undone else {}
        return _add(opened, at_bat_id, index, plays.number_after(at_bats), facts, once, fields=fields)

    return _carry_out(user, game_id, change, once)


def end_half_inning(
    user: User, game_id: str, *, seen: int, situation: str | None = None, once: IdempotencyKey | None = None
) -> Written:
    """Before three outs: whoever is on base is left there, and the batter leads off the next one."""
    told = {"result": batting.HALF_INNING_ENDED}
    return record(user, game_id, told, seen=seen, situation=situation, once=once)


def record_empty_place(
    user: User, game_id: str, *, seen: int, situation: str | None = None, once: IdempotencyKey | None = None
) -> Written:
    """The out for a place whose batter left without a substitute."""
    told = {"result": batting.EMPTY_PLACE}
    return record(user, game_id, told, seen=seen, situation=situation, once=once)


def insert(
    user: User, game_id: str, before: str, told: Told, *, once: IdempotencyKey | None = None
) -> Written:
    """One that was forgotten, before another; like a correction, in any state of the game."""
    at_bat_id = id_for(once)

    def change(opened: OpenGame) -> Written:
        at_bats = opened.story.at_bats
        if (earlier := _with_id(opened, at_bat_id)) is not None:
            return _sent_again(opened, earlier, told)
        if at_bat_id in opened.story.taken_out:
            return _stays_out(opened, once)
        index = at_bats.index(opened.story.at_bat(before))
        facts = _checked(opened, told, index, plays.slots_for_entry(opened.game, at_bats, index))
        return _add(opened, at_bat_id, index, plays.number_before(at_bats, index), facts, once)

    return _carry_out(user, game_id, change, once)


def restore(user: User, game_id: str, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Bring one back that was taken out, to where it stood."""

    def change(opened: OpenGame) -> Written:
        if _is_done(opened, at_bat_id, once):
            return Written(opened)
        with suppress(NotFound):
            return Written(opened, opened.story.at_bat(at_bat_id))
        return _bring_back(opened, at_bat_id, once)

    return _carry_out(user, game_id, change, once)


def redo(user: User, game_id: str, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Write down again what was undone last; step by step, as far as nothing else was recorded since."""

    def change(opened: OpenGame) -> Written:
        if _is_done(opened, at_bat_id, once) or _with_id(opened, at_bat_id) is not None:
            return Written(opened)
        undone = opened.game.undone or ()
        if not undone or undone[-1]["atBatId"] != at_bat_id:
            raise Overtaken(NOT_TO_REDO, current=[])
        return _bring_back(opened, at_bat_id, once, verb="redo")

    return _carry_out(user, game_id, change, once)


# --- Corrections --------------------------------------------------------------------------------------------


def correct(
    user: User,
    game_id: str,
    at_bat_id: str,
    told: Told,
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Written:
    """In any state of the game; the history keeps what it was."""

    def change(opened: OpenGame) -> Written:
        at_bats = opened.story.at_bats
        at_bat = _as_seen(opened, at_bat_id, seen_version)
        index = at_bats.index(at_bat)
        slots = plays.slots_for_entry(opened.game, at_bats, index, is_correction=True)
        facts = _checked(opened, told, index, slots)
        transaction = Transaction()
        corrected = repository.at_bats.update(
            at_bat, facts, actor=user.actor, verb="correct", once=once, transaction=transaction
        )
        if corrected is at_bat:
            return Written(opened, at_bat)
        _count(transaction, at_bat, -1)
        _count(transaction, corrected, 1)
        after = [corrected if each is at_bat else each for each in at_bats]
        return _write(opened, transaction, after, corrected)

    return _carry_out(user, game_id, change, once)


def remove(
    user: User, game_id: str, at_bat_id: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Written:
    def change(opened: OpenGame) -> Written:
        if _is_done(opened, at_bat_id, once):
            return Written(opened)
        return _take_out(opened, _as_seen(opened, at_bat_id, seen_version), once)

    return _carry_out(user, game_id, change, once)


def undo(user: User, game_id: str, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Take back the last one, which the person saw; again and again, as far as there are any."""

    def change(opened: OpenGame) -> Written:
        told = opened.story.at_bats
        if _is_done(opened, at_bat_id, once) or _with_id(opened, at_bat_id) is None:
            # Somebody else took it back, or the first answer was lost: either way it is as it should be.
            return Written(opened)
        if told[-1].id != at_bat_id:
            place = next(number for number, each in enumerate(told) if each.id == at_bat_id)
            raise Overtaken(current=told[place + 1 :])
        return _take_out(
            opened, told[-1], once, verb="undo", fields={"undone": _undone_with(opened, told[-1])}
        )

    return _carry_out(user, game_id, change, once)


def set_opponent_runs(
    user: User,
    game_id: str,
    inning: int,
    runs: int | None,
    *,
    was: int | None,
    once: IdempotencyKey | None = None,
) -> Written:
    """What the opponent scored in an inning. `was` is what the page showed, None for an inning to come.

    No `runs` takes the last inning back.
    """

    def change(opened: OpenGame) -> Written:
        known = [int(each) for each in opened.game.opponent_by_inning or ()]
        now = known[inning - 1] if 1 <= inning <= len(known) else None
        if opened.game.status not in (IN_PROGRESS, FINAL):
            raise NotLive
        if now == runs:
            return Written(opened)
        if now != was:
            raise Overtaken(_("Somebody else has changed the opponent's runs in the meantime."), current=[])
        after = _innings_with(known, inning, runs)
        fields: dict[str, Any] = {"opponent_by_inning": after}
        if not opened.game.forfeited_to:
            fields["opponent_score"] = sum(after)
        transaction = Transaction()
        game = game_writing.write(opened, fields, verb="opponent", once=once, transaction=transaction)
        transaction.commit()
        return Written(_as_written(opened, game, opened.story.at_bats))

    return _carry_out(user, game_id, change, once)


# --- How something is written -------------------------------------------------------------------------------


def id_for(once: IdempotencyKey | None) -> str:
    """The same request has the same plate appearance; nobody can choose the id of somebody else's."""
    if once is None:
        return new_id()
    return str(uuid5(uuid5(NAMESPACE_URL, f"{once.sub} {once.route}"), once.key))


def _carry_out(
    user: User, game_id: str, change: Callable[[OpenGame], Written], once: IdempotencyKey | None
) -> Written:
    """Whoever is overtaken looks again: it may still be possible, and if not, it is said why."""
    for _try in range(MOST_TRIES):
        opened = game_writing.opened(user, game_id, VERB)
        try:
            return change(opened)
        except WrittenBefore:
            raise
        except Replayed:
            # Sent again: it is done, and the game is shown as it is now.
            return Written(game_writing.opened(user, game_id, VERB))
        except (Overtaken, NotLive, Changed, NotFound) as refusal:
            return _unless_done_before(opened, refusal, once)
        except (Conflict, AlreadyExists):
            continue
    raise Conflict


def _unless_done_before(opened: OpenGame, refusal: DataError, once: IdempotencyKey | None) -> Written:
    """A request that is sent again finds what it has done itself."""
    if once is not None:
        try:
            once.check()
        except Replayed:
            return Written(opened)
        except KeyReused:
            pass
    raise refusal


def _sent_again(opened: OpenGame, earlier: AtBat, told: Told) -> Written:
    """The row of the first request is kept for a day; the plate appearance itself knows longer."""
    at_bats = opened.story.at_bats
    index = at_bats.index(earlier)
    # What can no longer be read was readable then.
    with suppress(Unusable):
        fields = _read(told, opened, index)
        player = fields["player_id"] if earlier.is_turn and "player_id" in fields else earlier.player_id
        if (earlier.result, earlier.player_id) != (fields["result"], player):
            raise WrittenBefore(current=at_bats[index:])
    return Written(opened, earlier)


def _stays_out(opened: OpenGame, once: IdempotencyKey | None) -> Written:
    """It was written down and taken out since. Whoever says something else under the same key is told."""
    if once is not None:
        with suppress(Replayed):
            once.check()
    return Written(opened)


def _read(told: Told, opened: OpenGame, index: int) -> Mapping[str, Any]:
    return told(opened, index) if callable(told) else told


def _add(
    opened: OpenGame,
    at_bat_id: str,
    index: int,
    number: float,
    facts: Mapping[str, Any],
    once: IdempotencyKey | None,
    *,
    fields: Mapping[str, Any] | None = None,
) -> Written:
    told = opened.story.at_bats
    before = box_scores.box_of(opened.game, told, until=index)
    at_bat = AtBat.about(
        opened.game,
        at_bat_id,
        number=number,
        inning=before.inning,
        outs=before.outs,
        scored_by=opened.access.user.sub,
        **facts,
    )
    transaction = Transaction()
    created = repository.at_bats.create(
        at_bat, actor=opened.access.user.actor, verb="record", once=once, transaction=transaction
    )
    _count(transaction, created, 1)
    return _write(opened, transaction, [*told[:index], created, *told[index:]], created, fields=fields)


def _take_out(
    opened: OpenGame,
    at_bat: AtBat,
    once: IdempotencyKey | None,
    *,
    verb: str = "score",
    fields: Mapping[str, Any] | None = None,
) -> Written:
    told = opened.story.at_bats
    transaction = Transaction()
    repository.at_bats.delete(at_bat, actor=opened.access.user.actor, once=once, transaction=transaction)
    _count(transaction, at_bat, -1)
    _remember(transaction, opened, at_bat, once)
    after = [each for each in told if each is not at_bat]
    return _write(opened, transaction, after, at_bat, verb=verb, fields=fields)


def _bring_back(
    opened: OpenGame, at_bat_id: str, once: IdempotencyKey | None, *, verb: str = "score"
) -> Written:
    trashed = trash.of_record(repository.at_bats.entity, _key(opened.game.id, at_bat_id))
    if trashed is None:
        raise NotFound
    told = opened.story.at_bats
    number = plays.free_number(told, float(AtBat.from_raw_data(trashed.record).number))
    transaction = Transaction()
    back = repository.at_bats.restore(
        trashed.trash_id,
        actor=opened.access.user.actor,
        fields={"number": number},
        once=once,
        transaction=transaction,
    )
    _count(transaction, back, 1)
    _remember(transaction, opened, back, once)
    left = [each for each in opened.game.undone or () if each["atBatId"] != at_bat_id]
    fields = {"undone": left or None} if opened.game.undone else {}
    return _write(opened, transaction, plays.in_order([*told, back]), back, verb=verb, fields=fields)


def _undone_with(opened: OpenGame, at_bat: AtBat) -> list[dict[str, Any]]:
    entry = {"atBatId": at_bat.id, "playerId": at_bat.player_id, "result": at_bat.result}
    return [*(opened.game.undone or ()), entry][-MOST_REMEMBERED:]


def _write(
    opened: OpenGame,
    transaction: Transaction,
    after: list[AtBat],
    at_bat: AtBat,
    *,
    verb: str = "score",
    fields: Mapping[str, Any] | None = None,
) -> Written:
    game = game_writing.write(opened, fields or {}, verb=verb, at_bats=after, transaction=transaction)
    if opened.box is not None and game.version == opened.game.version:
        transaction.add(repository.games.check_unchanged(opened.game))
    transaction.commit()
    return Written(_as_written(opened, game, after), at_bat)


def _as_written(opened: OpenGame, game: Game, after: list[AtBat]) -> OpenGame:
    box = box_scores.stored_box(game, after, revision=opened.revision)
    return replace(opened, story=replace(opened.story, game=game, at_bats=after), box=box)


def _remember(transaction: Transaction, opened: OpenGame, at_bat: AtBat, once: IdempotencyKey | None) -> None:
    """That it was taken out, and by which requests that or the contrary was done; the box score guards it."""
    before = opened.story.taken_out.get(at_bat.id)
    requests = [*(before.requests if before else ()), *([id_for(once)] if once else ())]
    kept = TakenOut.about(opened.game.id, at_bat.id, requests=requests[-MOST_REMEMBERED:])
    transaction.add(transactions.put(kept))


def _is_done(opened: OpenGame, at_bat_id: str, once: IdempotencyKey | None) -> bool:
    """Whether this very request took the plate appearance out, or brought it back, however long ago."""
    taken_out = opened.story.taken_out.get(at_bat_id)
    return once is not None and taken_out is not None and id_for(once) in taken_out.requests


def _count(transaction: Transaction, at_bat: AtBat, by: int) -> None:
    appearances.count(transaction, [at_bat], by, refused=_no_player)


def _no_player(_stored: RawItem | None) -> Exception:
    return Invalid(_("This player is no longer on the roster."), field="player")


# --- What must hold -----------------------------------------------------------------------------------------


def _ensure_new_is_possible(opened: OpenGame) -> None:
    if opened.game.status != IN_PROGRESS:
        raise NotLive
    if not opened.access.team.is_personal and not opened.game.lineup:
        raise NotLive(_("Set the line-up first."))


def _ensure_as_seen(opened: OpenGame, seen: int, situation: str | None) -> None:
    """What is told of a turn was meant for the batter and the bases that the person saw."""
    at_bats = opened.story.at_bats
    if len(at_bats) > seen:
        raise Overtaken(current=at_bats[seen:])
    if len(at_bats) < seen:
        raise Overtaken(TAKEN_BACK, current=[])
    if situation is not None and situation != plays.situation(opened.game, at_bats):
        raise Overtaken(NOT_THE_SAME, current=[])


def _checked(opened: OpenGame, told: Told, index: int, slots: Mapping[str, int]) -> dict[str, Any]:
    """The fields as they are stored: who bats is in the line-up, and their place in it follows."""
    game = opened.game
    fields = _read(told, opened, index)
    facts: dict[str, Any] = {name: fields.get(name) for name in TOLD}
    if facts["result"] not in (results.TITLES if game.lineup else results.AT_BAT):
        raise Invalid(_("Choose a result."), field="result")
    if not game.lineup:
        return facts | {"batting_order": 1, "charged_to": None}
    if facts["result"] in batting.NOT_TURNS:
        return facts | NOBODY_BATTED | _at_bat_now(opened, index, facts["result"])
    player = facts["player_id"]
    if player not in slots:
        raise Invalid(_("This player is not in the line-up at this point of the game."), field="player")
    slot = slots[player]
    if facts["result"] != batting.STRIKEOUT:
        facts["charged_to"] = None
    elif facts["charged_to"] and facts["charged_to"] not in plays.batters_before(
        game, opened.story.at_bats, index, slot, player
    ):
        raise Invalid(_("This player did not bat in this place before."), field="charged_to")
    return facts | {"batting_order": slot}


def _at_bat_now(opened: OpenGame, index: int, result: str) -> dict[str, Any]:
    """Whose turn it is while something else happens; runners are told only of those between turns."""
    game, at_bats = opened.game, opened.story.at_bats
    box = box_scores.box_of(game, at_bats, until=index)
    found = {
        "player_id": box_scores.batter_of(game, box.next_slot, at_bats, index),
        "batting_order": box.next_slot,
    }
    if result == batting.BETWEEN_TURNS:
        return found
    if result == batting.EMPTY_PLACE:
        if box.next_slot not in box_scores.empty_slots(game, at_bats, index):
            raise Invalid(_("Somebody bats in this place."))
        return found | {"runners": None}
    if box.innings_begun != box.inning:
        raise Invalid(_("Nobody has batted in this half-inning yet."))
    return found | {"runners": None}


def _with_id(opened: OpenGame, at_bat_id: str) -> AtBat | None:
    return next((each for each in opened.story.at_bats if each.id == at_bat_id), None)


def _as_seen(opened: OpenGame, at_bat_id: str, seen_version: int) -> AtBat:
    at_bat = opened.story.at_bat(at_bat_id)
    if at_bat.seen_version != seen_version:
        raise Changed(current=at_bat)
    return at_bat


def _innings_with(known: list[int], inning: int, runs: int | None) -> list[int]:
    """Innings are written down one after the other."""
    if runs is None and inning == len(known):
        return known[:-1]
    if runs is None or not 1 <= inning <= min(len(known) + 1, MOST_INNINGS) or not 0 <= runs <= MOST_RUNS:
        raise Invalid(UNUSABLE_RUNS)
    return [*known[: inning - 1], runs, *known[inning:]]


def _key(game_id: str, at_bat_id: str) -> str:
    return repository.at_bats.at(keys.of_game(game_id), keys.of_at_bat(at_bat_id))
