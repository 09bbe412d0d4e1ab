"""A later date for a published article: the question, its answer and what is stored."""

import re
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.crud import scheduling
from core.dynamo import working_copies
from core.dynamo.working_copies import WorkingCopy
from tests.cast import CAST
from tests.cms.articles import address_of
from tests.core.crud.pages import OpenForm, open_form

CHRISTMAS = datetime(2036, 12, 24, 17, 0, tzinfo=UTC)
TYPED, TOLD = "2036-12-24T18:00", "24 Dec 2036, 18:00 (Europe/Berlin)"
OFFICIAL = CAST["official"].actor


def stored(item: News) -> News:
    return news.get(item.id, strong=True)


def copy_of(item: News) -> WorkingCopy:
    copy = working_copies.get("news", item.id)
    assert copy is not None
    return copy


def asked(client: Client, item: News, **fields: str) -> OpenForm:
    """The question that publishing with a later date is answered with."""
    form = open_form(client, address_of(item)).fill(**{"title": "Derby won", "publish_at": TYPED, **fields})
    answer = form.send("publish")
    assert answer.status_code == 409
    return OpenForm(client, answer)


def scheduled(client: Client, item: News, **fields: str) -> None:
    assert asked(client, item, **fields).send("schedule").status_code == 302


def shown(answer: HttpResponse) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def run_command(out: StringIO, moment: datetime) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scheduling, "now", lambda: moment)
        call_command("publish", "due", stdout=out)
