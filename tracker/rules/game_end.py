"""Whether the rules end a game, and whether a called game counts. Pure functions, no requests."""

from collections.abc import Sequence

from tracker.rules.replay import Box, Rules

# After so many innings a game is a regulation game, however it ends.
REGULATION = 5


def has_ended(box: Box, opponent_by_inning: Sequence[int], rules: Rules, *, is_home: bool) -> bool:
    """Whether the rules end the game, as far as the runs of both sides are recorded."""
    both = min(box.inning - 1, len(opponent_by_inning))
    lead = sum(box.runs_by_inning[:both]) - sum(opponent_by_inning[:both])
    if _ends_after(both, abs(lead), rules):
        return True
    # The home team needs no last half when it leads.
    lead = box.runs - sum(opponent_by_inning)
    if is_home:
        return len(opponent_by_inning) == box.inning and _ends_after(box.inning, lead, rules)
    ours = box.inning - 1
    return len(opponent_by_inning) == ours - 1 and _ends_after(ours, -lead, rules)


def is_regulation(box: Box, opponent_by_inning: Sequence[int], rules: Rules, *, is_home: bool) -> bool:
    """Whether a game called now counts: five innings, or half an inning less if the home team leads."""
    least = min(REGULATION, rules.innings)
    ours, theirs = box.inning - 1, len(opponent_by_inning)
    lead = box.runs - sum(opponent_by_inning)
    if is_home:
        return theirs >= least and (ours >= least or (ours == least - 1 and lead > 0))
    return ours >= least and (theirs >= least or (theirs == least - 1 and lead < 0))


def _ends_after(innings: int, lead: int, rules: Rules) -> bool:
    """Whether this lead ends a game after so many innings."""
    is_last = innings >= rules.innings and lead > 0
    return is_last or any(innings >= inning and lead >= runs for inning, runs in rules.run_ahead)
