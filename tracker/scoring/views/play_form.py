"""Shared by the views that record and correct plays: the posted form, and its preview."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from core.accounts.rights import SignedInRequest
from core.common.http import is_htmx
from core.dynamo.errors import Invalid
from tracker import repository
from tracker.roster.models import Player
from tracker.roster.repository import Roster
from tracker.rules import plays
from tracker.scoring import presenters
from tracker.scoring.forms.plays import OwnPlayForm, PlayForm, TurnForm
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.presenters import Names, Situation
from tracker.scoring.rules import Unconfirmed, Unusable
from tracker.scoring.services import scoring


def posted_play(
    request: SignedInRequest, *, is_correction: bool = False
) -> Callable[[OpenGame, int], Mapping[str, Any]]:
    """A function that validates the posted form, given the open game and the index of the play.

    Without JavaScript there was no preview of special choices, so it raises Unconfirmed until the posted
    summary (`shown`) is the current one.
    """

    def read(opened: OpenGame, index: int) -> Mapping[str, Any]:
        form = form_for(situation_of(opened, index), request.POST)
        if not form.is_valid():
            raise Unusable
        fields = form.fields_of()
        if "shown" in request.POST and not is_htmx(request) and form.has_special_choices():
            play, box = scoring.preview(opened, fields, index=index, is_correction=is_correction)
            summary = presenters.summary(play, box, str)
            if request.POST["shown"] != summary:
                raise Unconfirmed(summary)
        return fields

    return read


def preview_part(
    request: SignedInRequest, opened: OpenGame, index: int, *, is_correction: bool = False
) -> HttpResponse:
    """The partial with the summary of the form's current choices."""
    name_of = presenters.names_of(repository.teams.roster(opened.game.team_id).players)
    form = form_for(situation_of(opened, index, name_of), request.POST)
    context = summary_of(opened, form, index, name_of, is_correction=is_correction)
    return render(request, "tracker/scoring/play_preview.html", context)


def summary_of(
    opened: OpenGame, form: TurnForm, index: int, name_of: Names, *, is_correction: bool = False
) -> dict[str, Any]:
    """The context of the preview: a one-line summary of the choices, or why they are refused."""
    if not opened.game.lineup or not form.data.get("result"):
        return {}
    try:
        if not form.is_valid():
            return {"summary": next(iter(form.errors.values()))[0], "is_refused": True}
        fields = form.fields_of()
        play, box = scoring.preview(opened, fields, index=index, is_correction=is_correction)
    except Invalid as error:
        return {"summary": str(error), "is_refused": True}
    # The form carries the summary with ids, which does not change with players' names.
    return {
        "summary": presenters.summary(play, box, name_of),
        "shown": presenters.summary(play, box, str),
    }


def situation_of(
    opened: OpenGame, index: int, name_of: Names = str, players: Iterable[Player] = ()
) -> Situation:
    """The situation before the play at this index; `players` are the choices for the bench."""
    at_bats = opened.story.at_bats
    if index < len(at_bats):
        slots = plays.slots_for(opened.game, at_bats, index)
    else:
        slots = plays.slots_at(opened.game, at_bats, index)
    bench = [player.id for player in players if player.plays]
    return Situation(opened.game, at_bats, index, slots, name_of, bench)


def form_for(
    situation: Situation, data: Mapping[str, Any] | None = None, *, initial: Mapping[str, Any] | None = None
) -> TurnForm:
    if situation.has_lineup:
        return PlayForm(situation, data, initial=initial)
    return OwnPlayForm(data, initial=dict(initial or {}))


def owner_of(roster: Roster) -> str:
    """The player id of a personal team's owner."""
    return roster.players[0].id if roster.players else ""
