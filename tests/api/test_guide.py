"""The examples in docs/api.md do what the guide says."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from cms.news.repository import news
from core.accounts.directory import enter
from scouting.forms.repository import comment_forms, stand_forms
from tests.cast import CAST
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.public import make_picture
from tests.config.processes import ROOT
from tests.media_bucket import photo
from tests.scouting import field
from tests.scouting.field import KEY

GUIDE = (ROOT / "docs" / "api.md").read_text()


def examples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def run(db, token_of, tmp_path: Path) -> Iterator[object]:
    server = LiveServer("localhost", start=False)
    server.start()
    field.event()
    lead = CAST["scout-lead"]
    enter(lead.sub, name=lead.name, email=lead.email, actor=lead.actor)
    known = {"SITE": str(server), "EVENT": KEY}

    def run(*command: str, role: str = "scout-lead") -> str:
        known["TOKEN"] = token_of(role)
        done = subprocess.run(
            command, env=os.environ | known, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    yield run
    server.stop()


def test_curl(run):
    field.stand("254", 1, autoFuel=4), field.stand("2540", 1), field.stand("254", 2)
    listing, sending = examples("sh")[:2]
    assert run("sh", "-c", listing) == '[{"matchNumber":1,"totalScore":4},{"matchNumber":2,"totalScore":0}]'
    for _time in range(2):
        assert '"comments":"Drives calmly."' in run("sh", "-c", sending)
    assert len(comment_forms.of_team(KEY, "254")) == 1


def test_python(run):
    field.many(field.form("254", match) for match in range(1, 251))
    example = examples("python")[0]
    assert run(sys.executable, "-c", example).splitlines() == [
        "250 forms",
        "Seen again.",
        "412 Precondition Failed",
    ]


def of_python(*words):
    (found,) = (each for each in examples("python") if all(word in each for word in words))
    return found


def test_an_article_is_published_once(run):
    example = of_python("/cms/", "derby-2026")
    shown = [run(sys.executable, "-c", example, role="official").strip() for _time in range(2)]
    assert shown == ["201 published derby", "200 published derby"]
    assert [each.title for each in news.public().items] == ["Derby"]


def test_a_picture_is_uploaded_and_used(run, bucket, tmp_path):
    (tmp_path / "derby.jpg").write_bytes(photo(800, 600))
    example = of_python("/cms/", "derby.jpg")
    assert run(sys.executable, "-c", example, role="moderator").splitlines() == [
        "201 image/jpeg 800 A spike",
        "409 ['Derby']",
    ]


def test_a_search_finds_what_the_person_may_view(run):
    item = article("Great derby")
    search = examples("sh")[2]
    assert json.loads(run("sh", "-c", search, role="official"))["items"][0]["address"].endswith(item.id)
    assert json.loads(run("sh", "-c", search)) == {"items": [], "nextToken": None, "isCut": False}


def test_javascript(run):
    example = examples("javascript")[0]
    assert run("node", "--input-type=module", "-e", example).splitlines() == [
        "400 /body/autoFuel",
        f"201 4 {CAST['scout-lead'].name}",
    ]
    (stored,) = stand_forms.at(KEY)
    assert (stored.team, stored.win) == ("1678", True)


def test_the_website_of_a_club_shows_its_news(run):
    cover = make_picture("cover.jpg", alt="A spike")
    article("Derby & more", published=True, publish_at=LONG_AGO, image_ids=[cover.id])
    article("Final", published=True, publish_at=LONG_AGO + timedelta(days=1))
    article("Draft"), article("Later", published=True, publish_at=in_future())
    example = examples("javascript")[1]
    assert "TOKEN" not in example

    shown = run("node", "--input-type=module", "-e", example)

    site = run("sh", "-c", 'printf %s "$SITE"')
    assert shown.splitlines() == [
        f'<li><a href="{site}/news/final/">Final</a> <time>6.1.2026</time> Five sets.</li>',
        f'<li><img src="{cover.thumbnail}" alt=""><a href="{site}/news/derby-more/">Derby &amp; more</a>'
        " <time>5.1.2026</time> Five sets.</li>",
    ]
