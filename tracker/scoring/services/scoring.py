"""Services for scoring. Each writes plate appearances and the game's new box score in one transaction."""

from contextlib import suppress
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS
from tracker.rules import batting, box_scores, plays
from tracker.rules.replay import Box, Play
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat
from tracker.scoring.play_writing import (
    Written,
    add,
    as_written,
    bring_back,
    carry_out,
    count,
    id_for,
    is_done,
    sent_again,
    stays_out,
    take_out,
    undone_with,
    write,
)
from tracker.scoring.rules import (
    NOT_TO_REDO,
    NotLive,
    Overtaken,
    Told,
    as_seen,
    checked,
    ensure_as_seen,
    ensure_new_is_possible,
    innings_with,
    with_id,
)

# --- Before it is written -----------------------------------------------------------------------------------


def preview(
    opened: OpenGame, told: Told, *, index: int | None = None, is_correction: bool = False
) -> tuple[Play, Box]:
    """The play that `record` would store, or at `index` `insert` or `correct`, and the box score after it."""
    game, at_bats = opened.game, opened.story.at_bats
    index = len(at_bats) if index is None else index
    facts = checked(opened, told, index, plays.slots_for_entry(game, at_bats, index, is_correction))
    at_bat = AtBat.in_game(game, number=plays.number_after(at_bats[:index]), **facts)
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
    """Record the next plate appearance. Overtaken unless the page was up to date.

    `seen` is how many plate appearances it showed; `situation` is the hash of `plays.situation`.
    """
    at_bat_id = id_for(once)

    def change(opened: OpenGame) -> Written:
        at_bats = opened.story.at_bats
        if (earlier := with_id(opened, at_bat_id)) is not None:
            return sent_again(opened, earlier, told)
        if at_bat_id in opened.story.taken_out:
            return stays_out(opened, once)
        ensure_new_is_possible(opened)
        index = len(at_bats)
        ensure_as_seen(opened, seen, situation)
        facts = checked(opened, told, index, plays.slots_for_entry(opened.game, at_bats, index))
        fields = {"undone": None} if opened.game.undone else {}
        return add(opened, at_bat_id, index, plays.number_after(at_bats), facts, once, fields=fields)

    return carry_out(user, game_id, change, once)


def end_half_inning(
    user: User, game_id: str, *, seen: int, situation: str | None = None, once: IdempotencyKey | None = None
) -> Written:
    """End the half-inning before three outs: runners are left on base, the batter leads off the next one."""
    told = {"result": batting.HALF_INNING_ENDED}
    return record(user, game_id, told, seen=seen, situation=situation, once=once)


def record_empty_place(
    user: User, game_id: str, *, seen: int, situation: str | None = None, once: IdempotencyKey | None = None
) -> Written:
    """Record the out for a place whose batter left without a substitute."""
    told = {"result": batting.EMPTY_PLACE}
    return record(user, game_id, told, seen=seen, situation=situation, once=once)


def insert(
    user: User, game_id: str, before: str, told: Told, *, once: IdempotencyKey | None = None
) -> Written:
    """Insert a forgotten plate appearance before another; allowed in any state of the game."""
    at_bat_id = id_for(once)

    def change(opened: OpenGame) -> Written:
        at_bats = opened.story.at_bats
        if (earlier := with_id(opened, at_bat_id)) is not None:
            return sent_again(opened, earlier, told)
        if at_bat_id in opened.story.taken_out:
            return stays_out(opened, once)
        index = at_bats.index(opened.story.at_bat(before))
        facts = checked(opened, told, index, plays.slots_for_entry(opened.game, at_bats, index))
        return add(opened, at_bat_id, index, plays.number_before(at_bats, index), facts, once)

    return carry_out(user, game_id, change, once)


def restore(user: User, game_id: str, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Restore a removed plate appearance at its former place."""

    def change(opened: OpenGame) -> Written:
        if is_done(opened, at_bat_id, once):
            return Written(opened)
        with suppress(NotFound):
            return Written(opened, opened.story.at_bat(at_bat_id))
        return bring_back(opened, at_bat_id, once)

    return carry_out(user, game_id, change, once)


def redo(user: User, game_id: str, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Restore the play that was undone last; repeatable until something else is recorded."""

    def change(opened: OpenGame) -> Written:
        if is_done(opened, at_bat_id, once) or with_id(opened, at_bat_id) is not None:
            return Written(opened)
        undone = opened.game.undone or ()
        if not undone or undone[-1]["atBatId"] != at_bat_id:
            raise Overtaken(NOT_TO_REDO, current=[])
        return bring_back(opened, at_bat_id, once, verb="redo")

    return carry_out(user, game_id, change, once)


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
    """Correct a plate appearance, in any state of the game."""

    def change(opened: OpenGame) -> Written:
        at_bats = opened.story.at_bats
        at_bat = as_seen(opened, at_bat_id, seen_version)
        index = at_bats.index(at_bat)
        slots = plays.slots_for_entry(opened.game, at_bats, index, is_correction=True)
        facts = checked(opened, told, index, slots)
        transaction = Transaction()
        corrected = repository.at_bats.update(
            at_bat, facts, actor=user.actor, verb="correct", once=once, transaction=transaction
        )
        if corrected is at_bat:
            return Written(opened, at_bat)
        count(transaction, at_bat, -1)
        count(transaction, corrected, 1)
        after = [corrected if each is at_bat else each for each in at_bats]
        return write(opened, transaction, after, corrected)

    return carry_out(user, game_id, change, once)


def remove(
    user: User, game_id: str, at_bat_id: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Written:
    def change(opened: OpenGame) -> Written:
        if is_done(opened, at_bat_id, once):
            return Written(opened)
        return take_out(opened, as_seen(opened, at_bat_id, seen_version), once)

    return carry_out(user, game_id, change, once)


def undo(user: User, game_id: str, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Remove the last plate appearance, whose id the page showed; repeatable."""

    def change(opened: OpenGame) -> Written:
        told = opened.story.at_bats
        if is_done(opened, at_bat_id, once) or with_id(opened, at_bat_id) is None:
            # Somebody else undid it, or this is a replay; in both cases it is done.
            return Written(opened)
        if told[-1].id != at_bat_id:
            place = next(number for number, each in enumerate(told) if each.id == at_bat_id)
            raise Overtaken(current=told[place + 1 :])
        return take_out(opened, told[-1], once, verb="undo", fields={"undone": undone_with(opened, told[-1])})

    return carry_out(user, game_id, change, once)


def set_opponent_runs(
    user: User,
    game_id: str,
    inning: int,
    runs: int | None,
    *,
    was: int | None,
    once: IdempotencyKey | None = None,
) -> Written:
    """Set the opponent's runs in an inning. `runs` None removes the last inning.

    `was` is the value that the page showed, None for a new inning; Overtaken if it has changed.
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
        after = innings_with(known, inning, runs)
        fields: dict[str, Any] = {"opponent_by_inning": after}
        if not opened.game.forfeited_to:
            fields["opponent_score"] = sum(after)
        transaction = Transaction()
        game = game_writing.write(opened, fields, verb="opponent", once=once, transaction=transaction)
        transaction.commit()
        return Written(as_written(opened, game, opened.story.at_bats))

    return carry_out(user, game_id, change, once)
