"""The slug of a team, and the choices of its fields."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from cms.base.rules import slug_for
from cms.teams.models import Team
from core.accounts.user import User
from core.content.slugs import slugify

GENDERS = (("men", _("Men")), ("woman", _("Women")), ("mixed", _("Mixed")))


LEAGUES = (
    *("1. Bundesliga", "2. Bundesliga", "Dritte Liga", "Regionalliga", "Oberliga", "Verbandsliga"),
    *("Landesliga", "Bezirksliga", "Bezirksklasse", "Kreisliga", "Kreisklasse"),
)


DAYS = (
    ("montags", _("Mondays")),
    ("dienstags", _("Tuesdays")),
    ("mittwochs", _("Wednesdays")),
    ("donnerstags", _("Thursdays")),
    ("freitags", _("Fridays")),
    ("samstags", _("Saturdays")),
    ("sonntags", _("Sundays")),
)


def team_slug(name: str) -> str:
    """Letters and digits only: "Herren 1" becomes herren1."""
    return re.sub(r"[^a-z0-9]", "", slugify(name))


def prepare(user: User, team: Team | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values; the slug follows the name until it was published."""
    return {**values, "slug": values["slug"] or slug_for(values["name"] or "", team, make=team_slug)}
