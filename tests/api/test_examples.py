"""The example of each operation on the reference page is a command that does what it says."""

import os
import re
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localdate
from pytest_django.live_server_helper import LiveServer

from scouting.forms.services import submit_comment
from tests.api.operations import operations, personal
from tests.api.tracker.generated import IDS, make_softball
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.club import (
    make_location,
    make_member,
    make_page,
    make_post,
    make_role,
    make_sponsor,
    make_team,
)
from tests.cms.occasions import booking, day, event
from tests.cms.public import make_picture
from tests.quests.board import offered, open_accounts
from tests.scouting import field
from tests.scouting.field import KEY

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("db", "unlimited")]
# Done; or not possible with what there is: a quest of oneself, something in use, a bucket.
POSSIBLE = {200, 201, 204, 403, 404, 409, 412, 503}
# The example as it stands, and the status of what is answered.
STATUS = 'curl() { command curl --silent --max-time 60 --output answer --write-out "%{http_code}" "$@"; }\n'


def examples() -> Iterator[tuple[str, str]]:
    """The commands by the names of their operations, as they are read on the page."""
    page = Client().get("/api/v1/").content.decode()
    found = re.findall(r'<details class="panel" id="(\w+)">.*?<pre[^>]*><code>(.*?)</code></pre>', page, re.S)
    return ((name, unescape(command)) for name, command in found)


@pytest.fixture
def known() -> dict[str, Any]:
    """One of everything, by the path below which its id stands."""
    field.event()
    stand, pit = field.stand("1678", 7), field.pit("1678")
    comment = submit_comment(CAST["scout"], {"event": KEY, "team": "1678", "comments": "Fast"})
    open_accounts()
    quest = offered()
    make_softball()
    shown = article(published=True)
    gig, team = event(), make_team(status="published")
    records = {
        "news": article(),
        "events": gig,
        "teams": team,
        "members": make_member(),
        "roles": make_role(),
        "sponsors": make_sponsor(),
        "locations": make_location(),
        "posts": make_post(),
        "pages": make_page(),
        "bus": booking(day(20)),
        "media": make_picture(),
    }
    ids = {f"/api/v1/cms/{kind}/": {"ID": record.id} for kind, record in records.items()}
    forms = {"stand": stand, "pit": pit, "comment": comment}
    keys = {
        f"/api/v1/scouting/{kind}-forms/": {
            "KEY": f"{form.pk}|{form.sk}".replace("#", "%23").replace("|", "%7C")
        }
        for kind, form in forms.items()
    }
    public = {
        f"/api/v1/website/{kind}/": {"ID": record.id, "SLUG": record.slug}
        for kind, record in {"news": shown, "events": gig, "teams": team}.items()
    }
    softball = {name.upper(): key for name, key in IDS.items() if name not in ("key", "user")}
    return {
        **ids,
        **keys,
        **public,
        "/api/v1/quests/users/": {"KEY": CAST["member"].sub},
        "/api/v1/quests/": {"KEY": quest.id},
        "/api/v1/scouting/": {"EVENT": KEY, "YEAR": "2026", "TEAM": "20"},
        "/api/v1/tracker/": {**softball, "KEY": "me", "PERSON": CAST["member"].sub, "INNING": "1"},
    }


def test_each_command_is_taken_by_its_operation(known: dict[str, Any], tmp_path: Path) -> None:
    server = LiveServer("localhost", start=False)
    server.start()
    token = personal()
    others = {
        "OWNER": CAST["member"].sub,
        "TICKET": "none",
        "INVITATION_TOKEN": "none",
        "DAY": str(localdate()),
    }
    statuses = {}
    for name, command in examples():
        below = next((each for each in known if f"$SITE{each}" in command), "")
        values = {"SITE": str(server), "TOKEN": token, "ETAG": '"1"', **others, **known.get(below, {})}
        script = STATUS + command.replace(f"event={KEY[:4]}mndu", f"event={KEY}").replace("2026mndu", KEY)
        done = subprocess.run(
            ["sh", "-c", script],
            env=os.environ | values,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        statuses[name] = int(done.stdout)
    server.stop()

    assert len(statuses) == len(operations())
    assert {name: status for name, status in statuses.items() if status not in POSSIBLE} == {
        # No file was sent, and there is no key of The Blue Alliance.
        "finish_upload": 400,
        "refresh_event": 400,
    }
    assert len([status for status in statuses.values() if status < 300]) >= 150
