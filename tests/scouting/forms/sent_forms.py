"""Forms about robots as they are sent, stored and corrected."""

from django.urls import reverse

from core.dynamo.items import new_id
from scouting.forms import services as forms
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.settings import services as settings
from tests.cast import CAST
from tests.scouting.field import KEY

ADDRESS = "/scouting/stand/"
SCOUT, LEAD, MEMBER = CAST["scout"], CAST["scout-lead"], CAST["member"]
SCORES = {"auto": True, "autoFuel": 4, "teleFuel": 30, "climbLevel": "two"}


def fields(team="20", match=1, *, scores=SCORES, at=KEY, **more):
    return {"event": at, "team": team, "match": match, "scores": scores} | more


def stored() -> list[StandForm]:
    return stand_forms.at(KEY)


def key_of(form):
    return stand_forms.key_of(form)


def play(game_year):
    seen = settings.of_year(2026, strong=True).seen_version
    settings.choose(LEAD, 2026, event=KEY, locked=False, game_year=game_year, seen_version=seen)


def edited(user, form, *, scores=SCORES, seen=None):
    seen_version = form.seen_version if seen is None else seen
    told = {"scores": scores, "comments": "Corrected"}
    forms.edit(user, "stand", key_of(form), told, seen_version=seen_version)


def posted(**fields):
    told = {"event": KEY, "match": 1, "team": "20", "q_autoFuel": 4, "q_teleFuel": 30, "once": new_id()}
    return told | fields


def address(form, screen="form", kind="stand"):
    return reverse(f"scouting:{screen}", args=[kind, forms.KINDS[kind].key_of(form)])


def correction(form, **fields):
    """What the page of a form sends."""
    return {"version": form.seen_version, "q_teleFuel": 7, "once": new_id()} | fields
