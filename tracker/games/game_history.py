"""Descriptions of what each history entry of a game changed. Pure functions, no requests."""

from collections.abc import Callable, Iterable, Iterator

from django.utils.translation import gettext as _

from core.dynamo import history
from core.dynamo.history import HistoryEntry
from tracker.games.models import Game
from tracker.rules import box_scores

Named = Callable[[str], str]

NOT_ENTERED = "\N{EN DASH}"


def details(entries: Iterable[HistoryEntry], game: Game, named: Named) -> Iterator[tuple[HistoryEntry, str]]:
    """Each entry with a description of its change; `entries` are newest first.

    The state before an entry is computed by undoing it on the state after it, starting from `game`.
    """
    after = game.stored
    for entry in entries:
        before = history.undo([entry], after)
        # Before the first entry there was no game to compare with.
        if "gameId" in before and "gameId" in after:
            yield entry, _difference(Game.from_raw_data(before), Game.from_raw_data(after), named)
        else:
            yield entry, ""
        after = before


def _difference(before: Game, after: Game, named: Named) -> str:
    parts = [*_innings(before, after), *_came_in(before, after, named)]
    if _score(before) != _score(after):
        parts.append(f"{_score(before)} → {_score(after)}")
    return ", ".join(parts)


def _score(game: Game) -> str:
    return f"{int(game.team_score or 0)}:{int(game.opponent_score or 0)}"


def _innings(before: Game, after: Game) -> Iterator[str]:
    """The innings in which the opponent's runs changed; an inning without an entry shows a dash."""
    was, now = ([int(each) for each in game.opponent_by_inning or ()] for game in (before, after))
    for place in range(max(len(was), len(now))):
        runs = [str(each[place]) if place < len(each) else NOT_ENTERED for each in (was, now)]
        if runs[0] != runs[1]:
            words = _("inning %(inning)d: %(was)s → %(now)s")
            yield words % {"inning": place + 1, "was": runs[0], "now": runs[1]}


def _came_in(before: Game, after: Game, named: Named) -> Iterator[str]:
    """The substitutions that were added."""
    known = before.substitutions or ()
    for came in after.substitutions or ():
        if came in known:
            continue
        place = int(came["battingOrder"])
        earlier = (each for each in known if each["after"] <= came["after"])
        left = box_scores.batters_after(before, earlier).get(place)
        if came.get("left"):
            yield _("place %(place)d: %(old)s left") % {"place": place, "old": named(came["playerId"])}
            continue
        words = _("place %(place)d: %(new)s for %(old)s")
        yield words % {"place": place, "new": named(came["playerId"]), "old": named(left or "")}
