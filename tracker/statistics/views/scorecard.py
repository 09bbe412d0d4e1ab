"""The scorecard of a game, for printing."""

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from tracker.rules import box_scores
from tracker.statistics import presenters, queries


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
        "runs": presenters.own_runs(read.game, read.story.at_bats, read.box),
        "together": read.box.team,
        "between_turns": presenters.between_turns(read.box, read.named),
        "left_on_base": box_scores.left_on_base(read.game, read.box),
    }
    return render(request, "tracker/statistics/scorecard.html", context)
