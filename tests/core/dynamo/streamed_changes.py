"""Changes in a stream, and a worker that handles them."""

from datetime import timedelta
from io import StringIO

from django.core.management import call_command

from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.streams import on
from tests.core.dynamo.streamed import Notice, notices

TABLE = Notice.Meta.table_name
HOUR = timedelta(hours=1)


def create(actor: Actor, *keys: str, expired: bool = False) -> list[Notice]:
    expires = now() - HOUR if expired else None
    return [notices.create(Notice(id=key, title=key, expires=expires), actor=actor) for key in keys]


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("streams", *arguments, stdout=output, stderr=output)
    return output.getvalue()


def seen_by(*events: str) -> list[str]:
    """A list that grows with the keys of the changes that are handled."""
    seen: list[str] = []
    on("notice", *events)(lambda change: seen.append(change.image["id"]["S"]))
    return seen
