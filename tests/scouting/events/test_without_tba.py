"""The Blue Alliance down, slow or answering nonsense: every screen works and says how old its data is."""

import re

import pytest

from scouting import urls
from scouting.events import services as events
from scouting.events.repository import event_infos
from scouting.forms.models import CommentForm
from scouting.forms.repository import comment_forms
from scouting.tba import client as tba_client
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

pytestmark = pytest.mark.usefixtures("db")
AGE = "just now"
FORM = f"forms/stand/EVENT%23{KEY}%7CTEAM%2320%23MATCH%230001/"
# The address of every screen that shows something of The Blue Alliance, by the name of its route.
TOLD = {
    "stand": "stand/",
    "pit": "pit/",
    "comment": "comment/",
    "selection": "selection/",
    "selection-print": "selection/print",
    "analysis": "analysis/",
    "scatter": "analysis/scatter/",
    "ranking": "analysis/ranking/",
    "matches": "analysis/matches/",
    "match": "analysis/matches/1/",
    "event-forms": "analysis/forms/",
    "comments": "analysis/comments/",
    "reports": "analysis/reports/20/1/",
    "scouts": "analysis/scouts/",
    "coverage": "coverage/",
    "pits": "coverage/pits/",
    "team": "teams/20/",
    "compare": "compare/?team=20&team=2053",
    "event": f"events/{KEY}/",
    "event-teams": f"events/{KEY}/teams/",
    "event-schedule": f"events/{KEY}/schedule/",
}
# What it tells nothing about: what people wrote and decided themselves, and files.
OWN = {
    "mine": "mine/",
    "form": FORM,
    "form-edit": f"{FORM}edit/",
    "selection-changes": "selection/changes",
    "selection-report": "selection/report.csv",
    "selection-workbook": "selection/report.xlsx",
    "events": "events/",
    "event-new": "events/new/",
    "event-trash": "events/trash/",
    "event-edit": f"events/{KEY}/edit/",
    "history": f"history/event/{KEY}/",
    "settings": "settings/",
    "game": "games/2026/",
    "game-edit": "games/2026/edit/",
    "game-download": "games/2026/game.json",
}
# These answer only what is sent to them, or lead elsewhere.
NO_SCREENS = {
    *("form-with-id", "form-move", "form-delete", "form-restore", "photo", "selection-change"),
    *("event-delete", "event-restore", "event-refresh", "history-version", "history-restore", "game-upload"),
}


def down(tba, monkeypatch):
    tba.status = 500


def nonsense(tba, monkeypatch):
    tba.raw = b"<html>"


def slow(tba, monkeypatch):
    caps = tba_client.Caps(read_seconds=0.05, total_seconds=0.1)
    monkeypatch.setattr(tba_client.current().http._transport, "_caps", caps)
    tba.may_answer.clear()


@pytest.fixture
def scouted(tba):
    """An event as it was told, with a form of each kind."""
    events.create(LEAD, KEY, {"name": KEY})
    events.refresh(LEAD, KEY)
    field.be_at(KEY)
    field.stand("20", 1, teleFuel=3)
    field.pit("20")
    said = CommentForm.about(KEY, "20", scout_id=SCOUT.sub, comments="fast")
    comment_forms.create(said, actor=SCOUT.actor)
    tba.later_ms = 60_000
    tba.asked.clear()
    return tba


def test_every_screen_is_looked_at_here():
    assert {route.name for route in urls.urlpatterns} == {*TOLD, *OWN, *NO_SCREENS}


@pytest.mark.parametrize("fault", [down, nonsense, slow])
def test_every_screen_works_and_says_how_old_its_data_is(scouted, monkeypatch, as_role, fault):
    fault(scouted, monkeypatch)
    lead = as_role("scout-lead")
    pages = {name: lead.get(f"/scouting/{address}") for name, address in (TOLD | OWN).items()}

    assert {name: page.status_code for name, page in pages.items() if page.status_code != 200} == {}
    assert [name for name in TOLD if AGE not in pages[name].content.decode()] == []
    for page in pages.values():
        page.close()
    # No screen waits for somebody else's server.
    assert scouted.asked == []


@pytest.mark.parametrize("fault", [down, nonsense, slow])
@pytest.mark.parametrize(
    ("address", "sent", "status"),
    [
        (f"events/{KEY}/refresh", {}, 503),
        ("selection/change", {"event": KEY, "do": "refresh", "version": 0}, 200),
    ],
)
def test_asking_it_all_the_same_is_told_in_words(scouted, monkeypatch, as_role, fault, address, sent, status):
    fault(scouted, monkeypatch)
    before = event_infos.read(KEY, strong=True)
    answer = as_role("scout-lead").post(f"/scouting/{address}", sent)

    assert answer.status_code == status
    assert re.search(
        "The Blue Alliance (sent an answer that we cannot read|is not responding)", answer.content.decode()
    )
    assert scouted.asked
    assert AGE in answer.content.decode()
    assert event_infos.read(KEY, strong=True) == before
