"""Shared by the views that record and correct plays: the posted form, its confirmation and its preview."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from core.accounts.rights import SignedInRequest, requires
from core.common.http import is_htmx
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import DataError, Invalid, Replayed
from tracker import repository
from tracker.rules import plays
from tracker.rules.replay import Box, Play
from tracker.scoring import game_writing, presenters, rules
from tracker.scoring.forms.plays import OwnPlayForm, PlayForm, TurnForm
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.presenters import Names, Situation
from tracker.scoring.services import scoring

F = TypeVar("F", bound=RefusableForm)


class Unconfirmed(DataError):
    """Without JavaScript there was no preview of special choices: they are shown before they are stored."""

    status_code = 200


class ScoringPage(FormPage[F]):
    """An entry in the record of a game. Refused, it shows the game as it is now."""

    # What was typed, as long as it is not stored.
    typed: QueryDict | None = None
    # What gets the focus on the next page.
    focus = ""

    def load(self) -> None:
        self.opened = game_writing.opened(self.request.user, self.kwargs["game"], rules.VERB)

    def refuse(self, error: DataError) -> HttpResponse:
        ScoringPage.load(self)
        self.problem = error
        # 422 instead of 400, because HTMX swaps it in.
        return self.show(422 if error.status_code == 400 else error.status_code)

    def success_url(self) -> str:
        return reverse("tracker:score", args=[self.kwargs["game"]])


class PlayPage(ScoringPage[TurnForm]):
    """The form of a play, which means something only in the situation of the game as it is read."""

    is_correction: ClassVar[bool] = False

    @property
    def index(self) -> int:
        """The index of the corrected play, of the one after an insertion, or of what a replay has written."""
        ids = scoring.id_for(self.once), self.kwargs.get("at_bat", "")
        return plays.place_of(self.opened.story.at_bats, *ids)

    @property
    def situation(self) -> Situation:
        return Situation(self.opened.game, self.opened.story.at_bats, self.index)

    def blank_form(self) -> TurnForm:
        return form_for(self.situation)

    def bound_form(self) -> TurnForm:
        self.typed = self.request.POST
        return form_for(self.situation, self.request.POST)

    def check(self) -> None:
        if scoring.written_before(self.opened, self.once):
            raise Replayed({})

    def save(self) -> None:
        fields = self.form.fields_of()
        has_no_preview = "shown" in self.request.POST and not is_htmx(self.request)
        is_special = has_no_preview and self.form.has_special_choices()
        if is_special and not scoring.written_before(self.opened, self.once, fields):
            self.check()
            after = scoring.preview(self.opened, fields, index=self.index, is_correction=self.is_correction)
            if self.request.POST["shown"] != presenters.summary(*after, str):
                raise Unconfirmed
        self.opened = self.write(fields).opened

    def write(self, fields: Mapping[str, Any]) -> scoring.Written:
        raise NotImplementedError


@requires("tracker.team.view")
@require_POST
def preview(
    request: SignedInRequest, game: str, at_bat: str = "", *, is_correction: bool = False
) -> HttpResponse:
    """The partial with a one-line summary, requested whenever a choice changes. It writes nothing."""
    opened = game_writing.opened(request.user, game, rules.VERB)
    at_bats = opened.story.at_bats
    index = at_bats.index(opened.story.at_bat(at_bat)) if at_bat else len(at_bats)
    players = repository.teams.roster(opened.game.team_id).players
    situation = Situation(opened.game, at_bats, index, players)
    context = summary_of(opened, form_for(situation, request.POST), situation, is_correction=is_correction)
    return render(request, "tracker/scoring/play_preview.html", context)


def summary_of(
    opened: OpenGame, form: TurnForm, situation: Situation, *, is_correction: bool = False
) -> dict[str, Any]:
    """The context of the preview: a one-line summary of the choices, or why they are refused."""
    if not situation.has_lineup or not form.data.get("result"):
        return {}
    try:
        if not form.is_valid():
            return {"summary": next(iter(form.errors.values()))[0], "is_refused": True}
        fields = form.fields_of()
        after = scoring.preview(opened, fields, index=situation.index, is_correction=is_correction)
    except Invalid as error:
        return {"summary": str(error), "is_refused": True}
    return summaries(*after, situation.name_of)


def summaries(play: Play, box: Box, name_of: Names) -> dict[str, str]:
    """The summary for people, and with ids, which do not change with names, for the form to carry."""
    return {"summary": presenters.summary(play, box, name_of), "shown": presenters.summary(play, box, str)}


def form_for(
    situation: Situation, data: Mapping[str, Any] | None = None, initial: Mapping[str, Any] | None = None
) -> TurnForm:
    if situation.has_lineup:
        return PlayForm(situation, data, initial=initial)
    # Whoever has a personal team is its only player.
    owner = situation.players[0].id if situation.players else ""
    return OwnPlayForm(data, initial={**(initial or {}), "player": owner})
