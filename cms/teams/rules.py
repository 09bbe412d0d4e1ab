"""The slug of a team, and the choices of its fields."""

import re

from django.utils.translation import gettext_lazy as _

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
