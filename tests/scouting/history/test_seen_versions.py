"""Every edit form of scouting: a mistake in it does not make it overwrite what somebody else saved."""

import pytest
from django.urls import reverse

from scouting.forms import services as forms
from scouting.games import definition
from tests.cast import CAST
from tests.scouting import field
from tests.scouting.field import KEY
from tests.scouting.games.test_game_pages import sent_by
from tests.seen import SAFE, answers_to_a_mistake

pytestmark = pytest.mark.usefixtures("db")
LONG = "x" * 5000


def place_of(kind, form):
    return reverse("scouting:form-edit", args=[kind, forms.KINDS[kind].key_of(form)])


def stand_form():
    typed = [{"q_teleFuel": fuel} for fuel in (7000, 8, 60)]
    return place_of("stand", field.stand("20", 1)), *typed


def pit_form():
    typed = [{"q_notDo": text} for text in (LONG, "Swim", "Fly")]
    return place_of("pit", field.pit("20")), *typed


def comment():
    sent = forms.submit_comment(CAST["scout"], {"event": KEY, "team": "20", "comments": "Fast"})
    return place_of("comment", sent), *({"comments": text} for text in (LONG, "Slow", "Tips over"))


def event():
    return f"/scouting/events/{KEY}/edit/", *({"name": name} for name in ("", "Cup", "Other Cup"))


def teams():
    return f"/scouting/events/{KEY}/teams/", *({"text": text} for text in ("no number", "254 A", "20 B"))


def matches():
    texts = ("no match", "1: 20 2053 2095 - 101 102 103", "1: 20 2053 2095 - 104 105 106")
    return f"/scouting/events/{KEY}/schedule/", *({"text": text} for text in texts)


def game_of_the_year():
    typed = [sent_by(definition.shipped(2026), name=name) for name in ("", "Mine", "Theirs")]
    return "/scouting/games/2026/edit/", *typed


def settings():
    common = {"year": 2026, "event": KEY}
    typed = [{"event": "", "locked": "on"}, {"game_year": "2025"}, {"game_year": "2024"}]
    return "/scouting/settings/", *(common | each for each in typed)


@pytest.mark.parametrize(
    "form", [stand_form, pit_form, comment, event, teams, matches, game_of_the_year, settings]
)
def test_a_corrected_mistake_overwrites_nobody(as_role, form):
    field.event()
    address, wrong, mine, theirs = form()
    answers = answers_to_a_mistake(as_role("scout-lead"), address, wrong=wrong, mine=mine, theirs=theirs)
    assert answers == SAFE
