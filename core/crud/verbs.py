"""The sentences for the verbs of the history."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from core.dynamo.history import HistoryEntry

SENTENCES: dict[str, Text] = {
    # Any record
    "create": _("{who} created {what}"),
    "update": _("{who} changed {what}"),
    "delete": _("{who} deleted {what}"),
    "move": _("{who} moved {what} here"),
    "move_away": _("{who} moved {what} to its right place"),
    "expire": _("{who} removed {what} because it had expired"),
    "restore": _("{who} restored {what} from the trash"),
    "leave_out": _("{who} removed deleted entries from {what}"),
    "restore_version": _("{who} restored an earlier version of {what}"),
    # Records with a status
    "publish": _("{who} published {what}"),
    "publish_scheduled": _("{who} published {what}, as scheduled"),
    "unpublish": _("{who} unpublished {what}"),
    "archive": _("{who} archived {what}"),
    # Files
    "replace": _("{who} replaced the file of {what}"),
    # Accounts
    "invite": _("{who} invited {what}"),
    "invite_again": _("{who} resent the invitation to {what}"),
    "groups": _("{who} changed the groups of {what}"),
    "disable": _("{who} disabled the account of {what}"),
    "enable": _("{who} enabled the account of {what}"),
    "reset_password": _("{who} reset the password of {what}"),
    "sign_out_everywhere": _("{who} signed {what} out everywhere"),
    # Quests
    "claim": _("{who} claimed {what}"),
    "release": _("{who} released {what}"),
    "recall": _("{who} recalled {what}"),
    "take_down": _("{who} cancelled {what}"),
    "end_claim": _("{who} reopened {what} because its claim had expired"),
    "submit": _("{who} submitted {what}"),
    "request_changes": _("{who} requested changes to {what}"),
    "attest": _("{who} confirmed {what}"),
    "dispute": _("{who} disputed {what}"),
    "answer": _("{who} answered the dispute about {what}"),
    "decide": _("{who} resolved {what}"),
    "complete": _("{who} completed {what}"),
    "reward": _("{who} booked the reward of {what}"),
    # Scouting: a pick list
    "tick": _("{who} changed who is taken in {what}"),
    # Softball: plate appearances
    "record": _("{who} recorded {what}"),
    "correct": _("{who} corrected {what}"),
    # Stores
    "cache_delete": _("{who} removed {what} from the cache"),
    "cache_clear": _("{who} cleared the cache: {what}"),
    "dedupe_release": _("{who} released the job {what}"),
    "limit_reset": _("{who} reset a limit: {what}"),
    "adaptive_recalculate": _("{who} recalculated the shares of {what}"),
    "adaptive_reset": _("{who} reset the shared limit of {what}"),
}


def sentence_of(entry: HistoryEntry) -> SafeString:
    """The sentence of a history entry on the pages of its record."""
    return sentence(entry.verb, who=format_html("<strong>{}</strong>", entry.actor_name), what=gettext("it"))


def sentence(verb: str, *, who: str, what: str) -> SafeString:
    """The sentence of a history entry as HTML; text is escaped unless it is a SafeString, such as a link."""
    return format_html(str(SENTENCES.get(verb, SENTENCES["update"])), who=who, what=what)
