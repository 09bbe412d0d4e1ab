"""Views of one recorded plate appearance: correct, insert before it, remove, restore."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import requires
from core.common.http import go
from core.crud import toasts, verbs
from core.crud.form_page import ActionPage
from core.crud.toasts import Undo
from core.dynamo import history
from core.dynamo.errors import DataError
from core.dynamo.idempotency import refuse
from tracker import repository
from tracker.rules import batting, box_scores
from tracker.scoring import presenters, rules
from tracker.scoring.forms.plays import PlayForm
from tracker.scoring.services import scoring
from tracker.scoring.views.play_form import (
    PlayPage,
    Unconfirmed,
    form_for,
    summaries,
    summary_of,
)


class StoredPlayPage(PlayPage):
    """The page of a recorded play. Five requests: session, game, surroundings, roster, and its history."""

    template = "tracker/scoring/play.html"
    partial = "play"

    def context(self) -> Mapping[str, Any]:
        opened, problem, is_new = self.opened, self.problem, not self.is_correction
        stored = opened.story.at_bat(self.kwargs["at_bat"])
        index = opened.story.at_bats.index(stored)
        roster = repository.teams.roster(opened.game.team_id)
        situation = presenters.Situation(opened.game, opened.story.at_bats, index, roster.players)
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
    success_message = gettext_lazy("Corrected. Everything that follows was counted again.")

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

    success_message = gettext_lazy("Inserted. Everything that follows was counted again.")

    def write(self, fields: Mapping[str, Any]) -> scoring.Written:
        return scoring.insert(self.request.user, self.opened, self.kwargs["at_bat"], fields, once=self.once)


@requires("tracker.team.view")
class RemovePlay(ActionPage):
    success_message = gettext_lazy("It was taken out.")

    def save(self) -> None:
        game, at_bat, seen = self.kwargs["game"], self.kwargs["at_bat"], self.seen_version
        scoring.remove(self.request.user, game, at_bat, seen_version=seen, once=self.once)

    def can_tell(self, error: DataError) -> bool:
        return isinstance(error, rules.Changed)

    def refuse(self, error: DataError) -> HttpResponse:
        toasts.add(self.request, error.message)
        return go(self.request, reverse("tracker:at-bat", kwargs=self.kwargs))

    def undo(self) -> Undo:
        return Undo(reverse("tracker:at-bat-restore", kwargs=self.kwargs))

    def success_url(self) -> str:
        return reverse("tracker:score", args=[self.kwargs["game"]])


@requires("tracker.team.view")
class RestorePlay(ActionPage):
    success_message = gettext_lazy("It is back in its place.")

    def save(self) -> None:
        scoring.restore(self.request.user, self.kwargs["game"], self.kwargs["at_bat"], once=self.once)

    def success_url(self) -> str:
        return reverse("tracker:score", args=[self.kwargs["game"]])


def _history(key: str) -> list[tuple[str, Any]]:
    return [
        (
            verbs.sentence(
                entry.verb, who=format_html("<strong>{}</strong>", entry.actor_name), what=_("it")
            ),
            entry.at,
        )
        for entry in history.entries(repository.at_bats.entity, key, strong=True).items
    ]
