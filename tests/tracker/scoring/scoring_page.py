"""The scoring screen: its addresses, what it sends, and what it answers as text."""

import re

from django.conf import settings
from django.test import Client

from core.dynamo.items import new_id
from tests.cast import session_of

HTMX = {"HX-Request": "true"}


def signed_in(user):
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(user).session_key)
    return client


def address(played, place="score", at_bat=None):
    plays = f"plays/{at_bat.id}/" if at_bat else ""
    return f"/tracker/games/{played.id}/{plays}{place}{'/' if place else ''}"


def turn(played, result, **fields):
    """What the form sends for the next turn as the page shows it now."""
    count = len(played.story().at_bats)
    batter = played.batter(count % 9 + 1).id
    return {"result": result, "player": batter, "seen": count, "once": new_id()} | fields


def text(response):
    return re.sub(r"\s+", " ", response.content.decode())
