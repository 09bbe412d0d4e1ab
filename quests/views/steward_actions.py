"""Actions of the stewards' desk, each with a confirmation dialog."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import requires
from core.crud.confirm_page import ConfirmPage, Question
from core.dynamo.errors import DataError, Text
from quests import limits, photos, queries, repository, rules
from quests.errors import WrongStatus
from quests.forms import AdjustPointsForm, StewardDecisionForm, StewardNoteForm
from quests.models import DISPUTED, Account, FailedReward, Quest
from quests.services import accounts, lifecycle, rewards

RETRY_MESSAGES: Mapping[str, Text] = {
    "succeeded": gettext_lazy("Reward booked."),
    "failed": gettext_lazy("It failed again. This person still has no account on the quest board."),
    "abandoned": gettext_lazy("It failed for the last time and was given up."),
    "skipped": gettext_lazy("Someone else is working on it right now."),
}
# What the dialog shows of the stored record.
Facts = list[tuple[Text, Text]]


class StewardAction(ConfirmPage):
    """Shows the record and asks, then carries out the action."""

    about = "quests/desk_facts.html"
    back: ClassVar[str]

    def check(self) -> None:
        objection = self.objection()
        if objection is not None:
            raise objection

    def objection(self) -> DataError | None:
        """Why the steward may not change the record."""
        return None

    def facts(self) -> Facts:
        raise NotImplementedError

    def question(self) -> Question:
        version = self.object.seen_version
        return self.declared_question(seen_version=version, back_title=_("Steward desk"))

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "record": self.object, "facts": self.facts()}

    def save(self) -> None:
        limits.enforce_limit("desk", self.request.user.sub)
        self.carry_out()

    def carry_out(self) -> None:
        """Call the service."""
        raise NotImplementedError

    def success_url(self) -> str:
        return reverse(self.back)


class QuestAction(StewardAction):
    """An action on a quest; `rule` is its name in `rules.RULES`."""

    rule: ClassVar[str]

    def get_object(self) -> Quest:
        return repository.quests.get(self.kwargs["key"], strong=True)

    def objection(self) -> DataError | None:
        return rules.objection(self.rule, self.request.user, self.object)

    def facts(self) -> Facts:
        quest: Quest = self.object
        people = queries.participants_of([quest])
        facts: Facts = [
            (_("Quest"), quest.title),
            (_("Offered by"), people.name(quest.creator_id)),
            (_("Claimed by"), people.name(quest.performer_id)),
            (_("Task"), quest.description),
            (_("What was done"), quest.submission_text or ""),
            (_("Requested changes"), quest.change_note or ""),
        ]
        for each in quest.attestations or ():
            facts.append(
                (_("Note of %(name)s") % {"name": people.name(each["user_id"])}, each.get("notes", ""))
            )
        facts.append((_("Reason for the dispute"), quest.dispute_reason or ""))
        if quest.status == DISPUTED:
            facts.append((_("Answer of the other side"), quest.dispute_answer or _("None yet.")))
        return [(title, text) for title, text in facts if text]

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "photos": photos.photo_links(self.object)}


class RewardAction(StewardAction):
    back = "quests:desk-rewards"

    def get_object(self) -> FailedReward:
        return repository.failed_rewards.get(self.kwargs["key"], strong=True)

    def facts(self) -> Facts:
        record: FailedReward = self.object
        return [
            (_("Name"), queries.participants([record.user_id]).name(record.user_id)),
            (_("XP"), str(int(record.xp))),
            (_("Reputation"), str(int(record.reputation))),
            (_("Points"), str(int(record.quest_points))),
            (_("Why"), record.error),
        ]


@requires("quests.quest.decide")
class DecideDispute(QuestAction):
    form_class = StewardDecisionForm
    rule = "decide"
    title = gettext_lazy("Resolve this dispute")
    text = gettext_lazy("Both sides can read your decision and its reason. It cannot be undone.")
    button = gettext_lazy("Resolve")
    success_message = gettext_lazy("Dispute resolved.")
    back = "quests:desk"

    def carry_out(self) -> None:
        lifecycle.decide(self.request.user, self.kwargs["key"], **self.form.cleaned_data, once=self.once)


@requires("quests.quest.decide")
class RecallQuest(QuestAction):
    form_class = StewardNoteForm
    rule = "recall"
    title = gettext_lazy("Recall this quest?")
    text = gettext_lazy("It is open again and others can claim it. Whoever has it now gets nothing for it.")
    button = gettext_lazy("Recall")
    success_message = gettext_lazy("Quest reopened.")
    back = "quests:desk-claims"
    is_dangerous = True

    def carry_out(self) -> None:
        lifecycle.recall(self.request.user, self.kwargs["key"], **self.form.cleaned_data, once=self.once)


@requires("quests.account.adjust")
class AdjustPoints(StewardAction):
    form_class = AdjustPointsForm
    title = gettext_lazy("Adjust points")
    text = gettext_lazy(
        "The change, your name and the reason stay in this person’s bookings."  # noqa: RUF001
    )
    button = gettext_lazy("Adjust points")
    success_message = gettext_lazy("Points adjusted.")
    back = "quests:desk-people"

    def get_object(self) -> Account:
        return repository.accounts.get(self.kwargs["key"], strong=True)

    def objection(self) -> DataError | None:
        return accounts.objection_to_adjust(self.request.user, self.object.id)

    def facts(self) -> Facts:
        return [(_("Name"), self.object.username), (_("Points"), str(int(self.object.points)))]

    def carry_out(self) -> None:
        once = self.once
        if once is None:
            # The booking's id comes from this key: without it a repeated request would be booked twice.
            raise WrongStatus(_("The form did not arrive in full. Send it again."))
        accounts.adjust_points(self.request.user, self.kwargs["key"], **self.form.cleaned_data, once=once)


@requires("quests.reward.update")
class RetryReward(RewardAction):
    title = gettext_lazy("Retry this reward now?")
    text = gettext_lazy("It is booked if the person has an account by now. It is never booked twice.")
    button = gettext_lazy("Retry now")
    success_message = gettext_lazy("This has already been retried.")
    outcome = ""

    def carry_out(self) -> None:
        self.outcome = rewards.retry_now(self.request.user, self.kwargs["key"], once=self.once)

    def message(self) -> Text:
        return RETRY_MESSAGES.get(self.outcome, self.success_message)


@requires("quests.reward.update")
class AbandonReward(RewardAction):
    title = gettext_lazy("Give up this reward?")
    text = gettext_lazy("We stop trying. You can reopen it later.")
    button = gettext_lazy("Give up")
    success_message = gettext_lazy("Reward given up.")
    is_dangerous = True

    def carry_out(self) -> None:
        user, key = self.request.user, self.kwargs["key"]
        rewards.abandon(user, key, seen_version=self.seen_version, once=self.once)


@requires("quests.reward.update")
class ReopenReward(RewardAction):
    title = gettext_lazy("Reopen this reward?")
    text = gettext_lazy("We try again, up to five times.")
    button = gettext_lazy("Reopen")
    success_message = gettext_lazy("Reward reopened.")

    def carry_out(self) -> None:
        user, key = self.request.user, self.kwargs["key"]
        rewards.reopen(user, key, seen_version=self.seen_version, once=self.once)
