"""The sentences for the verbs of the history."""

from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from core.dynamo.history import HistoryEntry


class Sentences(NamedTuple):
    """What was done to a record, with its name, and as the pages of the record say it."""

    named: Text
    here: Text = ""


SENTENCES: dict[str, Sentences] = {
    # Any record
    "create": Sentences(_("{who} created {what}"), _("{who} created it")),
    "update": Sentences(_("{who} changed {what}"), _("{who} changed it")),
    "delete": Sentences(_("{who} deleted {what}"), _("{who} deleted it")),
    "move": Sentences(_("{who} moved {what} here"), _("{who} moved it here")),
    "move_away": Sentences(
        _("{who} moved {what} to its right place"), _("{who} moved it to its right place")
    ),
    "expire": Sentences(
        _("{who} removed {what} because it had expired"), _("{who} removed it because it had expired")
    ),
    "restore": Sentences(_("{who} restored {what} from the trash"), _("{who} restored it from the trash")),
    "leave_out": Sentences(
        _("{who} removed deleted entries from {what}"), _("{who} removed deleted entries from it")
    ),
    "restore_version": Sentences(
        _("{who} restored an earlier version of {what}"), _("{who} restored an earlier version of it")
    ),
    # Records with a status
    "publish": Sentences(_("{who} published {what}"), _("{who} published it")),
    "publish_scheduled": Sentences(
        _("{who} published {what}, as scheduled"), _("{who} published it, as scheduled")
    ),
    "unpublish": Sentences(_("{who} unpublished {what}"), _("{who} unpublished it")),
    "archive": Sentences(_("{who} archived {what}"), _("{who} archived it")),
    # Files
    "replace": Sentences(_("{who} replaced the file of {what}"), _("{who} replaced the file of it")),
    # Accounts
    "invite": Sentences(_("{who} invited {what}")),
    "invite_again": Sentences(_("{who} resent the invitation to {what}")),
    "groups": Sentences(_("{who} changed the groups of {what}")),
    "disable": Sentences(_("{who} disabled the account of {what}")),
    "enable": Sentences(_("{who} enabled the account of {what}")),
    "reset_password": Sentences(_("{who} reset the password of {what}")),
    "sign_out_everywhere": Sentences(_("{who} signed {what} out everywhere")),
    # Quests
    "claim": Sentences(_("{who} claimed {what}"), _("{who} claimed it")),
    "release": Sentences(_("{who} released {what}"), _("{who} released it")),
    "recall": Sentences(_("{who} recalled {what}"), _("{who} recalled it")),
    "take_down": Sentences(_("{who} cancelled {what}"), _("{who} cancelled it")),
    "end_claim": Sentences(
        _("{who} reopened {what} because its claim had expired"),
        _("{who} reopened it because its claim had expired"),
    ),
    "submit": Sentences(_("{who} submitted {what}"), _("{who} submitted it")),
    "request_changes": Sentences(_("{who} requested changes to {what}"), _("{who} requested changes to it")),
    "attest": Sentences(_("{who} confirmed {what}"), _("{who} confirmed it")),
    "dispute": Sentences(_("{who} disputed {what}"), _("{who} disputed it")),
    "answer": Sentences(
        _("{who} answered the dispute about {what}"), _("{who} answered the dispute about it")
    ),
    "decide": Sentences(_("{who} resolved {what}"), _("{who} resolved it")),
    "complete": Sentences(_("{who} completed {what}"), _("{who} completed it")),
    "reward": Sentences(_("{who} booked the reward of {what}"), _("{who} booked the reward of it")),
    # Scouting: a pick list
    "tick": Sentences(_("{who} changed who is taken in {what}"), _("{who} changed who is taken in it")),
    # Softball: plate appearances
    "record": Sentences(_("{who} recorded {what}"), _("{who} recorded it")),
    "correct": Sentences(_("{who} corrected {what}"), _("{who} corrected it")),
    # Stores
    "cache_delete": Sentences(_("{who} removed {what} from the cache")),
    "cache_clear": Sentences(_("{who} cleared the cache: {what}")),
    "dedupe_release": Sentences(_("{who} released the job {what}")),
    "limit_reset": Sentences(_("{who} reset a limit: {what}")),
    "adaptive_recalculate": Sentences(_("{who} recalculated the shares of {what}")),
    "adaptive_reset": Sentences(_("{who} reset the shared limit of {what}")),
}


def sentence_of(entry: HistoryEntry) -> SafeString:
    """The sentence of a history entry on the pages of its record."""
    return sentence(entry.verb, who=format_html("<strong>{}</strong>", entry.actor_name))


def sentence(verb: str, *, who: str, what: str | None = None) -> SafeString:
    """The sentence of a history entry as HTML; text is escaped unless it is a SafeString, such as a link."""
    sentences = SENTENCES.get(verb, SENTENCES["update"])
    if what is None:
        return format_html(str(sentences.here), who=who)
    return format_html(str(sentences.named), who=who, what=what)
