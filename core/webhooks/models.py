"""The items of webhooks and of their deliveries."""

from datetime import datetime

from pynamodb.attributes import BinaryAttribute, BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, TimestampAttribute, from_iso
from core.dynamo.items import new_id
from core.dynamo.support_table import SupportItem

WEBHOOKS, HOOK, COUNT = "WEBHOOKS", "HOOK#", "COUNT"
# The partitions of a webhook: all of its deliveries, and in GSI1 those that wait, by the time they are due.
DELIVERIES = "WEBHOOK#"
WAITING, SENT, FAILED = "waiting", "sent", "failed"
# Why a webhook was paused, or needs an administrator.
GONE, FAILING, UNDELIVERED, UNREADABLE = "gone", "failing", "undelivered", "unreadable"
# Why there was no answer; UNREADABLE too.
PAUSED, PRIVATE, SLOW, UNREACHED = "paused", "private", "slow", "unreached"


class WebhookCount(SupportItem):
    """How many webhooks there are, so that there are never too many."""

    n = NumberAttribute()


class Webhook(SupportItem):
    """PK WEBHOOKS, SK HOOK#<id>. The secrets are encrypted: see `signatures`."""

    label = UnicodeAttribute()
    address = UnicodeAttribute()
    kinds = JSONListAttribute()
    secret = BinaryAttribute(legacy_encoding=False)
    # Signs as well until then, so that the receiver can change to the new one.
    former_secret = BinaryAttribute(attr_name="formerSecret", legacy_encoding=False, null=True)
    former_until = TimestampAttribute(attr_name="formerUntil", null=True)
    is_paused = BooleanAttribute(attr_name="isPaused", default=False)
    problem = UnicodeAttribute(null=True)
    failing_since = TimestampAttribute(attr_name="failingSince", null=True)
    # Of what administrators change; what the worker notices does not count.
    version = NumberAttribute(default=1)
    created_at = TimestampAttribute(attr_name="createdAt")
    created_by = UnicodeAttribute(attr_name="createdBy")

    @classmethod
    def new(cls, **fields: object) -> "Webhook":
        return cls(pk=WEBHOOKS, sk=HOOK + new_id(), **fields)

    @property
    def id(self) -> str:
        return str(self.sk.removeprefix(HOOK))

    @property
    def seen_version(self) -> int:
        return int(self.version)


class Delivery(SupportItem):
    """PK WEBHOOK#<webhook>, SK <time of the change>#<id>; in GSI1 with the same PK as long as it waits."""

    kind = UnicodeAttribute()
    key = UnicodeAttribute(default="")
    # None until its time has come: it is made from the record as it is then.
    body = UnicodeAttribute(null=True)
    status = UnicodeAttribute(default=WAITING)
    attempts = NumberAttribute(default=0)
    tried_at = TimestampAttribute(attr_name="triedAt", null=True)
    give_up_at = TimestampAttribute(attr_name="giveUpAt")
    # The status of the last response, or why there was none.
    code = NumberAttribute(null=True)
    error = UnicodeAttribute(null=True)

    @property
    def webhook_id(self) -> str:
        return str(self.pk.removeprefix(DELIVERIES))

    @property
    def id(self) -> str:
        return str(self.sk.rpartition("#")[2])

    @property
    def moment(self) -> datetime:
        return from_iso(self.sk.partition("#")[0])

    @property
    def due_at(self) -> datetime | None:
        return from_iso(self.gsi1_sk.partition("#")[0]) if self.gsi1_sk else None
