"""A record that two people have open, and what they are shown when both save."""

from collections.abc import Callable

from django.http import HttpResponse
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from tests.cms.articles import address_of
from tests.core.crud.pages import OpenForm, open_form

AsRole = Callable[[str], Client]


def stored(item: News) -> News:
    return news.get(item.id, strong=True)


def conflict(answer: HttpResponse) -> str:
    assert answer.status_code == 409
    return answer.content.decode()


def choices(answer: HttpResponse) -> dict[str, str]:
    """Which version of each field is chosen at first."""
    form = OpenForm(Client(), answer)
    return {
        name.removeprefix("take-"): form[name]
        for name in form.fields
        if name.startswith("take-") and name != "take-theirs-from"
    }


def two_open(item: News, odile: Client, moritz: Client) -> tuple[OpenForm, OpenForm]:
    return open_form(odile, address_of(item)), open_form(moritz, address_of(item))
