"""Social posts: a list that people keep, the newest first."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from cms.posts.models import Post
from cms.posts.repository import posts
from cms.teams.repository import teams
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.errors import InUse
from tests.cast import sign_in
from tests.cms.club import MAKER, make_team
from tests.core.crud.pages import OpenForm, open_form
from tests.core.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")

NEW = "/cms/posts/new"
URL = "https://social.example/@verein/1"


def of_form(form: OpenForm):
    return posts.get(form.action.split("/")[-2], strong=True)


def filled(client: Client, **fields: str) -> OpenForm:
    return open_form(client, NEW).fill(
        **{"url": URL, "caption": "Derby!", "timestamp": "2026-01-05T18:30", "type": "Video", **fields}
    )


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    team = make_team()
    form = filled(as_role("moderator"), team_id=team.id)
    assert form.send().status_code == 302

    stored = of_form(form).stored
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "post"},
        "url": {"S": URL},
        "caption": {"S": "Derby!"},
        "timestamp": {"S": "2026-01-05T17:30:00.000Z"},
        "type": {"S": "Video"},
        "teamId": {"S": team.id},
        "createdAt": stored["createdAt"],
        "updatedAt": stored["createdAt"],
        "version": {"N": "1"},
    }
    with pytest.raises(InUse):
        teams.delete(teams.get(team.id, strong=True), actor=MAKER)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("url", ""),
        ("url", "javascript:alert(1)"),
        ("caption", ""),
        ("caption", "x" * 2201),
        ("timestamp", "yesterday"),
        ("type", "Reel"),
        ("team_id", "no-such-team"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_role, field: str, typed: str) -> None:
    answer = filled(as_role("moderator"), **{field: typed}).send()

    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {field}


def test_the_same_post_is_not_listed_twice(as_role) -> None:
    filled(as_role("moderator")).send()

    answer = filled(as_role("moderator")).send()

    assert answer.context["form"].errors == {"url": ["This post is already in the list."]}


def test_officials_read_the_list_newest_first_and_change_nothing(as_role) -> None:
    moment = datetime(2026, 1, 5, tzinfo=UTC)
    for number, kind in enumerate(("Image", "Video", "Image")):
        at = moment + timedelta(days=number)
        post = Post(url=f"{URL}{number}", caption=f"Post {number}", timestamp=at, type=kind)
        posts.create(post, actor=MAKER)
    client = as_role("official")

    with metering.metered() as meter:
        assert names_in(client.get("/cms/posts/").content.decode()) == ["Post 2", "Post 1", "Post 0"]
    assert meter.operations == ["GetItem", "Query"]
    assert names_in(client.get("/cms/posts/?type=Image").content.decode()) == ["Post 2", "Post 0"]
    assert client.get(NEW).status_code == 403
    assert sign_in(Client(), "member").get("/cms/posts/").status_code == 403


def test_a_new_post_is_from_now_unless_told_otherwise(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(url=URL, caption="Derby!", type="Image")
    form.send()

    assert timedelta(0) <= now() - of_form(form).timestamp < timedelta(minutes=5)
