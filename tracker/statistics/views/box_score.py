"""The box score of a game, with the proof and the problems of the record, and its files; the scorecard."""

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud import sheets
from core.crud.cached_urls import address_of
from core.crud.sheets import Cell, Row, Sheet
from tracker.games.presenters import Card
from tracker.navigation import team_context
from tracker.rules import box_scores, game_states
from tracker.scoring.presenters import between_turns
from tracker.statistics import presenters, queries
from tracker.statistics.presenters import Batter
from tracker.statistics.queries import ReadGame
from tracker.statistics.sheets import figure_headings, figures
from tracker.statistics.totals import BY_KEY

BATTING = tuple(BY_KEY[key] for key in ("ab", "r", "h", "rbi", "bb", "so"))
# Files have more columns instead of the notes of the page.
FILED = tuple(BY_KEY[key] for key in ("pa", "ab", "r", "h", "2b", "3b", "hr", "rbi", "bb", "so"))


@requires("tracker.team.view")
@require_safe
def box(request: SignedInRequest, game: str) -> HttpResponseBase:
    read = queries.game(request.user, game)
    found, replayed = read.game, read.box
    order = presenters.batters(found, replayed)
    plays = _plays(read)
    if sheets.asks_for_file(request):
        files = {"batting": _batting_file(read, order), "plays": plays, "score": _score(read)}
        return sheets.file_of(sheets.listed(request, files), read.about, request.GET["as"])
    innings, sides = _line_score(read)
    context = team_context(read.access, "games") | {
        "game": found,
        "status": game_states.TITLES.get(found.status, found.status),
        "innings": innings,
        "sides": sides,
        "batting": _batting(read, order),
        "plays": plays,
        "notes": presenters.notes(replayed, order, read.named),
        "left_on_base": box_scores.left_on_base(found, replayed),
        "balance": presenters.balance(found, replayed) if found.lineup and read.story.at_bats else None,
        "missing": presenters.missing(replayed, read.story.at_bats, read.named),
        "outcome": Card(found).outcome if found.forfeited_to else "",
        "figures_stand": box_scores.figures_stand(found, replayed),
        "may_correct": read.access.may("manage_atbats"),
    }
    return render(request, "tracker/statistics/box_score.html", context)


@requires("tracker.team.view")
@require_safe
def scorecard(request: SignedInRequest, game: str) -> HttpResponseBase:
    read = queries.game(request.user, game)
    innings, rows = presenters.card(read.game, read.box, read.named)
    own_runs = [str(runs) for runs in read.box.runs_by_inning[: len(innings)]] if read.story.at_bats else []
    theirs = [str(runs) for runs in read.game.opponent_by_inning or ()]
    context = {
        "game": read.game,
        "team": read.access.team,
        "innings": innings,
        "rows": rows,
        "own_runs": [*own_runs, *[""] * (len(innings) - len(own_runs))],
        "their_runs": [*theirs[: len(innings)], *[""] * (len(innings) - len(theirs))],
        "runs": box_scores.runs_of(read.game, read.story.at_bats, read.box),
        "together": read.box.team,
        "between_turns": [
            (play.inning, between_turns(play, read.named))
            for play in read.box.plays
            if not play.appearance.is_turn
        ],
        "left_on_base": box_scores.left_on_base(read.game, read.box),
    }
    return render(request, "tracker/statistics/scorecard.html", context)


def _line_score(read: ReadGame) -> tuple[list[int], list[presenters.Side]]:
    runs = box_scores.runs_of(read.game, read.story.at_bats, read.box)
    return presenters.line_score(read.game, read.box, runs=runs, own_name=read.access.team.name)


def _score(read: ReadGame) -> Sheet:
    innings, sides = _line_score(read)
    rows: list[Row] = [
        [
            sheets.text(side.name),
            *(Cell(each, int(each) if each.isdecimal() else each or None) for each in side.innings),
            sheets.number(side.runs),
        ]
        for side in sides
    ]
    return Sheet(
        "score", _("Score"), [*sheets.text_columns(_("Team")), *sheets.numbers(*map(str, innings), "R")], rows
    )


def _batting(read: ReadGame, order: list[Batter]) -> Sheet:
    rows = [[sheets.text(_batter_name(read, each)), *figures(each.line, BATTING)] for each in order]
    foot = [sheets.text(_("Team")), *figures(read.box.team, BATTING)]
    headings = [*sheets.text_columns(_("Batter")), *figure_headings(BATTING)]
    return Sheet("batting", _("Batting"), headings, rows, [foot] if rows else [])


def _batting_file(read: ReadGame, order: list[Batter]) -> Sheet:
    """The batting table for files: slot, name and position are columns; substitutes have the same slot."""
    rows = [
        [
            sheets.number(each.slot if read.game.lineup else None),
            sheets.text(read.named(each.player_id)),
            sheets.text(each.position),
            *figures(each.line, FILED),
        ]
        for each in order
    ]
    foot = [sheets.number(None), sheets.text(_("Team")), sheets.text(""), *figures(read.box.team, FILED)]
    headings = [
        *sheets.numbers(_("Batting order")),
        *sheets.text_columns(_("Batter"), _("Position")),
        *figure_headings(FILED),
    ]
    return Sheet("batting", _("Batting"), headings, rows, [foot] if rows else [])


def _batter_name(read: ReadGame, batter: Batter) -> str:
    """The name with slot and position; substitutes are indented."""
    place = f"{batter.slot}. " if batter.slot and not batter.is_substitute else "\N{EM SPACE}"
    name = read.named(batter.player_id)
    return f"{place if read.game.lineup else ''}{name}{f' {batter.position}' if batter.position else ''}"


def _plays(read: ReadGame) -> Sheet:
    """The plays with inning and outs of the replay."""
    rows: list[Row] = []
    may_correct = read.access.may("manage_atbats")
    for place, (at_bat, play) in enumerate(zip(read.story.at_bats, read.box.plays, strict=True), start=1):
        where = at_bat.hit_location or {}
        rows.append(
            [
                sheets.text(
                    read.named(at_bat.player_id) if at_bat.is_turn else between_turns(play, read.named),
                    address_of("tracker:at-bat", read.game.id, at_bat.id) if may_correct else "",
                ),
                sheets.text(at_bat.result),
                sheets.number(play.inning),
                sheets.number(play.outs_before),
                sheets.number(play.runs_batted_in),
                sheets.number(play.runs),
                sheets.number(play.outs),
                sheets.text(", ".join(read.named(runner) for runner in play.scored)),
                sheets.text(play.result if play.result != at_bat.result else ""),
                sheets.text(read.named(at_bat.owner_id) if at_bat.owner_id != at_bat.player_id else ""),
                sheets.text(at_bat.hit_type or ""),
                sheets.number(where.get("x")),
                sheets.number(where.get("y")),
                sheets.number(int(at_bat.batting_order) if at_bat.is_turn else None),
                sheets.number(place),
            ]
        )
    headings = [
        *sheets.text_columns(_("Batter"), _("Result")),
        *sheets.numbers(_("Inning"), _("Outs before"), "RBI", _("Runs"), _("Outs made")),
        *sheets.text_columns(_("Scored"), _("Counted as"), _("Charged to"), _("Kind of ball")),
        *sheets.numbers("x", "y", _("Batting order"), _("Number")),
    ]
    return Sheet("plays", _("Play by play"), headings, rows)
