"""Actions of the stewards' desk, each with a confirmation dialog."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import requires
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import DataError, Text
from quests import limits, photos, queries, repository, rules
from quests.errors import NotEnoughPoints, WrongStatus
from quests.forms import AdjustPointsForm, StewardDecisionForm, StewardNoteForm
from quests.models import DISPUTED, Quest
from quests.services import accounts, lifecycle, rewards

RETRY_MESSAGES: Mapping[str, Text] = {
    "succeeded": gettext_lazy("The reward was booked."),
    "failed": gettext_lazy("It failed again: this person still has no account on the quest board."),
    "abandoned": gettext_lazy("It failed for the last time and was given up."),
    "skipped": gettext_lazy("Somebody else is at it right now."),
}
Facts = list[tuple[Text, Text]]


class VersionForm(RefusableForm):
    """Carries the version that the steward saw."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class Confirmation(NamedTuple):
    """What the dialog shows of the stored record, and why the user may not change it."""

    facts: Facts
    version: int
    objection: DataError | None = None
    photo_links: Sequence[photos.PhotoLinks] = ()


class StewardAction(FormPage[RefusableForm]):
    """Confirms the action first: in a dialog, or without JavaScript on a page of its own."""

    template = "quests/desk_confirm.html"
    partial = "dialog"
    stale = ()
    title: ClassVar[Text]
    question: ClassVar[Text]
    button: ClassVar[Text]
    is_dangerous: ClassVar[bool] = False
    back: ClassVar[str]

    def load(self) -> None:
        if self.request.method == "POST":
            limits.enforce_limit("desk", self.request.user.sub)

    def check(self) -> None:
        if self.object.objection is not None:
            raise self.object.objection

    def get_object(self) -> Confirmation:
        raise NotImplementedError

    def initial(self) -> Mapping[str, Any]:
        return {"version": self.object.version}

    def context(self) -> Mapping[str, Any]:
        return {
            "action": self,
            "facts": self.object.facts,
            "photos": self.object.photo_links,
            "address": self.request.get_full_path(),
            "back": self.success_url(),
        }

    def success_url(self) -> str:
        return reverse(self.back)


class QuestAction(StewardAction):
    """An action on a quest; `rule` is its name in `rules.RULES`."""

    rule: ClassVar[str]

    def get_object(self) -> Confirmation:
        quest = repository.quests.get(self.kwargs["key"], strong=True)
        objection = rules.objection(self.rule, self.request.user, quest)
        return Confirmation(_quest_facts(quest), int(quest.version), objection, photos.photo_links(quest))


class RewardAction(StewardAction):
    back = "quests:desk-rewards"

    def get_object(self) -> Confirmation:
        record = repository.failed_rewards.get(self.kwargs["key"], strong=True)
        people = queries.participants([record.user_id])
        facts: Facts = [
            (_("Name"), people.name(record.user_id)),
            (_("XP"), str(int(record.xp))),
            (_("Reputation"), str(int(record.reputation))),
            (_("Points"), str(int(record.quest_points))),
            (_("Why"), record.error),
        ]
        return Confirmation(facts, int(record.version))


@requires("quests.quest.decide")
class DecideDispute(QuestAction):
    form_class = StewardDecisionForm
    rule = "decide"
    title = gettext_lazy("Decide this dispute")
    question = gettext_lazy("Both sides can read what you decide and why. It cannot be taken back.")
    button = gettext_lazy("Decide")
    success_message = gettext_lazy("The dispute is decided.")
    back = "quests:desk"

    def save(self) -> None:
        lifecycle.decide(self.request.user, self.kwargs["key"], **self.form.cleaned_data, once=self.once)


@requires("quests.quest.decide")
class RecallQuest(QuestAction):
    form_class = StewardNoteForm
    rule = "recall"
    title = gettext_lazy("Recall this quest?")
    question = gettext_lazy(
        "It is open again, and others can take it on. Whoever holds it now gets nothing for it."
    )
    button = gettext_lazy("Recall")
    success_message = gettext_lazy("The quest is open again.")
    back = "quests:desk-claims"
    is_dangerous = True

    def save(self) -> None:
        lifecycle.recall(self.request.user, self.kwargs["key"], **self.form.cleaned_data, once=self.once)


@requires("quests.account.adjust")
class AdjustPoints(StewardAction):
    form_class = AdjustPointsForm
    title = gettext_lazy("Adjust points")
    question = gettext_lazy(
        "The change, your name and the reason stay in this person’s list of bookings."  # noqa: RUF001
    )
    button = gettext_lazy("Adjust points")
    success_message = gettext_lazy("The points were adjusted.")
    back = "quests:desk-people"

    def get_object(self) -> Confirmation:
        account = repository.accounts.get(self.kwargs["key"], strong=True)
        facts: Facts = [(_("Name"), account.username), (_("Points"), str(int(account.points)))]
        objection = accounts.objection_to_adjust(self.request.user, account.id)
        return Confirmation(facts, int(account.version), objection)

    def save(self) -> None:
        once = self.once
        if once is None:
            # The booking's id comes from this key: without it a repeated request would be booked twice.
            raise WrongStatus(_("This page was not sent in full. Please send it once more."))
        try:
            accounts.adjust_points(self.request.user, self.kwargs["key"], **self.form.cleaned_data, once=once)
        except NotEnoughPoints:
            raise NotEnoughPoints(_("This person does not have that many points."), field="points") from None


@requires("quests.reward.update")
class RetryReward(RewardAction):
    form_class = RefusableForm
    title = gettext_lazy("Retry this reward now?")
    question = gettext_lazy("It is booked if the person has an account by now. It is never booked twice.")
    button = gettext_lazy("Retry now")
    success_message = gettext_lazy("This was tried before.")
    outcome = ""

    def save(self) -> None:
        self.outcome = rewards.retry_now(self.request.user, self.kwargs["key"], once=self.once)

    def message(self) -> Text:
        return RETRY_MESSAGES[self.outcome] if self.outcome else self.success_message


@requires("quests.reward.update")
class AbandonReward(RewardAction):
    form_class = VersionForm
    title = gettext_lazy("Give up this reward?")
    question = gettext_lazy("It is no longer tried. You can reopen it later.")
    button = gettext_lazy("Give up")
    success_message = gettext_lazy("The reward was given up.")
    is_dangerous = True

    def save(self) -> None:
        seen = self.form.cleaned_data["version"]
        rewards.abandon(self.request.user, self.kwargs["key"], seen_version=seen, once=self.once)


@requires("quests.reward.update")
class ReopenReward(RewardAction):
    form_class = VersionForm
    title = gettext_lazy("Reopen this reward?")
    question = gettext_lazy("It is tried again, five more times.")
    button = gettext_lazy("Reopen")
    success_message = gettext_lazy("The reward is tried again.")

    def save(self) -> None:
        seen = self.form.cleaned_data["version"]
        rewards.reopen(self.request.user, self.kwargs["key"], seen_version=seen, once=self.once)


def _quest_facts(quest: Quest) -> Facts:
    people = queries.participants_of([quest])
    facts: Facts = [
        (_("Quest"), quest.title),
        (_("Offered by"), people.name(quest.creator_id)),
        (_("Taken on by"), people.name(quest.performer_id)),
        (_("What was asked for"), quest.description),
        (_("What was done"), quest.submission_text or ""),
        (_("Changes that were asked for"), quest.change_note or ""),
        *((_("Note of %(name)s") % {"name": name}, note) for name, note in _attestation_notes(quest, people)),
        (_("Why it is disputed"), quest.dispute_reason or ""),
    ]
    if quest.status == DISPUTED:
        facts.append((_("What the other side says"), quest.dispute_answer or _("Nothing so far.")))
    return [(title, text) for title, text in facts if text]


def _attestation_notes(quest: Quest, people: queries.Participants) -> Iterator[tuple[str, str]]:
    """The names and notes of the confirmations."""
    for each in quest.attestations or ():
        yield people.name(each["user_id"]), each.get("notes", "")
