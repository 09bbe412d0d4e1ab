"""The scorecard of a game, made for a sheet of paper."""

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from tracker import box_score, boxes, reading


@requires("tracker.team.view")
@require_safe
def scorecard(request: SignedInRequest, game: str) -> HttpResponseBase:
    read = reading.game(request.user, game)
    innings, rows = box_score.card(read.game, read.box, read.named)
    own_runs = [str(runs) for runs in read.box.runs_by_inning[: len(innings)]] if read.story.at_bats else []
    theirs = [str(runs) for runs in read.game.opponent_by_inning or ()]
    context = {
        "game": read.game,
        "team": read.access.team,
        "innings": innings,
        "rows": rows,
        "own_runs": [*own_runs, *[""] * (len(innings) - len(own_runs))],
        "their_runs": [*theirs[: len(innings)], *[""] * (len(innings) - len(theirs))],
        "runs": box_score.own_runs(read.game, read.story.at_bats, read.box),
        "together": read.box.team,
        "between_turns": box_score.between_turns(read.box, read.named),
        "left_on_base": boxes.left_on_base(read.game, read.box),
    }
    return render(request, "tracker/scorecard.html", context)
