"""The form of a play, and views of a recorded one: correct, insert before it, remove, restore."""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from core.accounts.rights import SignedInRequest, requires
from core.common.http import is_htmx
from core.crud import verbs
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.crud.toasts import Undo
from core.dynamo import history
from core.dynamo.errors import DataError, Invalid, Replayed
from core.dynamo.idempotency import refuse
from tracker import repository
from tracker.rules import batting, box_scores, plays
from tracker.rules.replay import Box, Play
from tracker.scoring import game_writing, presenters, rules
from tracker.scoring.forms.plays import PlayForm, TurnForm, form_for
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.presenters import Names, Situation
from tracker.scoring.services import scoring

F = TypeVar("F", bound=RefusableForm)


class Unconfirmed(DataError):
    """Without JavaScript there was no preview of special choices: they are shown before they are stored."""

    status_code = 200


class ScoringPage(FormPage[F]):
    """An entry in the record of a game. Refused, it shows the game as it is now."""

    swaps_invalid = True
    # What was typed, as long as it is not stored.
    typed: QueryDict | None = None
    # What gets the focus on the next page.
    focus = ""

    def load(self) -> None:
        self.opened = game_writing.allowed(self.request.user, self.kwargs["game"], rules.RIGHT)

    def refuse(self, error: DataError) -> HttpResponse:
        ScoringPage.load(self)
        return self.show_error(error)

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


class StoredPlayPage(PlayPage):
    """The page of a recorded play. Five requests: session, game, surroundings, roster, and its history."""

    template = "tracker/scoring/play.html"
    partial = "play"

    def context(self) -> Mapping[str, Any]:
        opened, problem, is_new = self.opened, self.problem, not self.is_correction
        stored = opened.story.at_bat(self.kwargs["at_bat"])
        index = opened.story.at_bats.index(stored)
        roster = repository.teams.roster(opened.game.team_id)
        situation = Situation(opened.game, opened.story.at_bats, index, roster.players)
        name_of = situation.name_of
        form = form_for(situation, self.typed, {} if is_new else PlayForm.initial_of(stored, situation))
        if problem is not None and form.is_valid() and not isinstance(problem, Unconfirmed | rules.Changed):
            form.add_refusal(problem)
        context = {
            "team": opened.access.team,
            "game": opened.game,
            "box": situation.box,
            "situation": situation,
            "stored": stored,
            "play_title": presenters.title_of(stored, name_of),
            "number": index + 1,
            "form": form,
            "is_new": is_new,
            # It has no fields to correct; it can only be removed.
            "is_fixed": not is_new and stored.result in batting.NOT_TURNS - {batting.BETWEEN_TURNS},
            "contested": problem if isinstance(problem, rules.Changed) else None,
            "history": [] if is_new else _history(repository.at_bats.key_of(stored)),
            "preview_address": reverse(
                "tracker:at-bat-insert-preview" if is_new else "tracker:at-bat-preview",
                args=[opened.game.id, stored.id],
            ),
            "focus": "preview" if isinstance(problem, Unconfirmed) else "",
        }
        if isinstance(problem, Unconfirmed):
            context |= summary_of(opened, form, situation, is_correction=self.is_correction)
        elif not is_new and not form.is_bound and situation.has_lineup:
            (stored_play,) = situation.next_plays([box_scores.appearance_of(stored)])
            context |= summaries(*stored_play, name_of)
        return context


@requires("tracker.team.view")
class CorrectPlay(StoredPlayPage):
    is_correction = True
    success_message = gettext_lazy("Corrected. Everything after it was recalculated.")

    def check(self) -> None:
        if self.request.method == "POST":
            try:
                rules.as_seen(self.opened, self.kwargs["at_bat"], self.seen_version)
            except DataError as error:
                refuse(error, self.once)

    def write(self, fields: Mapping[str, Any]) -> scoring.Written:
        user, at_bat, seen = self.request.user, self.kwargs["at_bat"], self.seen_version
        return scoring.correct(user, self.opened, at_bat, fields, seen_version=seen, once=self.once)


@requires("tracker.team.view")
class InsertPlay(StoredPlayPage):
    """Insert a forgotten plate appearance before this one."""

    success_message = gettext_lazy("Inserted. Everything after it was recalculated.")

    def write(self, fields: Mapping[str, Any]) -> scoring.Written:
        return scoring.insert(self.request.user, self.opened, self.kwargs["at_bat"], fields, once=self.once)


@requires("tracker.team.view")
class RemovePlay(ActionPage):
    success_message = gettext_lazy("Turn deleted.")
    toast_errors = (rules.Changed,)

    def save(self) -> None:
        game, at_bat, seen = self.kwargs["game"], self.kwargs["at_bat"], self.seen_version
        scoring.remove(self.request.user, game, at_bat, seen_version=seen, once=self.once)

    def refused_url(self, _error: DataError) -> str:
        return reverse("tracker:at-bat", kwargs=self.kwargs)

    def undo(self) -> Undo:
        return Undo(reverse("tracker:at-bat-restore", kwargs=self.kwargs))

    def success_url(self) -> str:
        return reverse("tracker:score", args=[self.kwargs["game"]])


@requires("tracker.team.view")
class RestorePlay(ActionPage):
    success_message = gettext_lazy("Turn restored.")

    def save(self) -> None:
        scoring.restore(self.request.user, self.kwargs["game"], self.kwargs["at_bat"], once=self.once)

    def success_url(self) -> str:
        return reverse("tracker:score", args=[self.kwargs["game"]])


def _history(key: str) -> list[tuple[str, Any]]:
    entries = history.entries(repository.at_bats.entity, key, strong=True).items
    return [(verbs.sentence_of(entry), entry.at) for entry in entries]


# --- The form -----------------------------------------------------------------------------------------------


@requires("tracker.team.view")
@require_POST
def preview(
    request: SignedInRequest, game: str, at_bat: str = "", *, is_correction: bool = False
) -> HttpResponse:
    """The partial with a one-line summary, requested whenever a choice changes. It writes nothing."""
    opened = game_writing.allowed(request.user, game, rules.RIGHT)
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
            return {"summary": form.first_error(), "is_refused": True}
        fields = form.fields_of()
        after = scoring.preview(opened, fields, index=situation.index, is_correction=is_correction)
    except Invalid as error:
        return {"summary": str(error), "is_refused": True}
    return summaries(*after, situation.name_of)


def summaries(play: Play, box: Box, name_of: Names) -> dict[str, str]:
    """The summary for people, and with ids, which do not change with names, for the form to carry."""
    return {"summary": presenters.summary(play, box, name_of), "shown": presenters.summary(play, box, str)}
