"""The template values of a team."""

from collections.abc import Collection
from typing import Any

from cms.teams.queries import TeamPage
from cms.teams.rules import GENDERS


def team_context(page: TeamPage, *, without_email: Collection[str] = ()) -> dict[str, Any]:
    """The context of the team's template, for the public page and the preview."""
    return {
        "without_email": without_email,
        "team_page": page,
        "team": page.team,
        "gender": dict(GENDERS).get(page.team.gender, ""),
        "results": page.results,
    }
