"""The first page: what needs each person, what they may begin, and what it costs."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.accounts.rights import ADMIN, RIGHTS, Right
from core.accounts.user import User
from core.crud import todo
from core.crud.todo import Task
from core.dynamo import metering, working_copies
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from tests.cast import CAST, sign_in
from tests.core.crud.pages import open_form
from tests.desk.home import AsRole, article, happened, keep, text_of


def unfinished(response: Any) -> list[tuple[str, str, str]]:
    return [(task.title, task.address, str(task.badge)) for task in response.context["desk"].unfinished]


def titles(hits: Any) -> list[str]:
    return [str(hit.title) for hit in hits]


@pytest.fixture
def sources() -> Iterator[None]:
    """What a test registers is taken back after it."""
    before = list(todo._sources)
    todo._sources.clear()
    yield
    todo._sources[:] = before


# --- What needs me -----------------------------------------------------------------------------------------


def test_changes_that_wait_in_a_working_copy_come_newest_first(
    as_role: AsRole, odile: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, draft, unsaved = article(odile, "Live", status="published"), article(odile, "Draft"), new_id()
    moments = (now() + timedelta(seconds=second) for second in count())
    monkeypatch.setattr(working_copies, "now", lambda: next(moments))
    keep(odile, live.id, "Live, changed", based_on=1)
    keep(odile, unsaved, "Started")
    keep(odile, draft.id, "Draft, changed", based_on=1)

    assert unfinished(as_role("official").get("/desk/")) == [
        ("Draft, changed", f"/cms/news/{draft.id}/", "Not saved yet"),
        ("Started", f"/cms/news/{unsaved}/", "Not saved yet"),
        ("Live, changed", f"/cms/news/{live.id}/", "Changed"),
    ]


def test_an_unsaved_article_can_be_opened_from_the_first_page(as_role: AsRole, odile: Actor) -> None:
    client = as_role("official")
    form = open_form(client, "/cms/news/new").fill(title="Begun on the bus")
    form.send(to="autosave", htmx=True)

    ((title, address, _badge),) = unfinished(client.get("/desk/"))

    assert title == "Begun on the bus"
    assert "Begun on the bus" in client.get(address).content.decode()


def test_a_draft_that_was_saved_is_there_until_it_is_published(as_role: AsRole, odile: Actor) -> None:
    draft = article(odile, "Herbstturnier")
    client = as_role("official")
    assert unfinished(client.get("/desk/")) == [("Herbstturnier", f"/cms/news/{draft.id}/", "Draft")]

    news.update(draft, {"status": "published"}, actor=odile, verb="publish")

    assert unfinished(client.get("/desk/")) == []


def test_drafts_are_there_whichever_activity_is_shown(as_role: AsRole) -> None:
    draft = article(CAST["admin"].actor, "Herbstturnier")
    client = as_role("admin")

    with metering.metered() as meter:
        response = client.get("/desk/?scope=admin")

    assert [(task.title, task.address) for task in response.context["desk"].waiting] == [
        ("Herbstturnier", f"/cms/news/{draft.id}/")
    ]
    assert happened(response) == []
    assert meter.operations == ["GetItem", *["Query"] * 4]


def test_authors_find_their_drafts_whoever_saved_them_last(as_role: AsRole, odile: Actor) -> None:
    moritz = CAST["moderator"].actor
    hers = news.create(News(title="Interview", author_ids=["other-sub", odile.sub]), actor=moritz)
    news.create(News(title="Interview, published", author_ids=[odile.sub], status="published"), actor=moritz)
    article(moritz, "Written by Moritz")
    own = article(odile, "Saved by Odile")
    client = as_role("official")

    for address in ("/desk/", "/desk/?scope=admin"):
        with metering.metered() as meter:
            response = client.get(address)
        assert [(task.title, task.address) for task in response.context["desk"].waiting] == [
            ("Interview", f"/cms/news/{hers.id}/")
        ]
        assert unfinished(response) == [("Saved by Odile", f"/cms/news/{own.id}/", "Draft")]
        assert meter.operations == ["GetItem", "Query", "Query", "BatchGetItem", "Query", "Query"]
    assert "Interview articleDraft" in text_of(response)


def test_a_copy_whose_record_was_deleted_is_not_shown(as_role: AsRole, odile: Actor) -> None:
    gone = article(odile, "Gone")
    keep(odile, gone.id, "Gone, changed", based_on=1)
    news.delete(gone, actor=odile)

    response = as_role("official").get("/desk/")

    assert unfinished(response) == []
    assert "/desk/waiting?else=nothing" in response.content.decode()


def test_nobody_is_shown_the_copies_and_drafts_of_others(as_role: AsRole, odile: Actor) -> None:
    moritz = CAST["moderator"].actor
    edited = article(odile, "Written by Odile")
    article(moritz, "Written by Moritz")
    keep(moritz, edited.id, "Edited by Moritz", based_on=1)
    keep(moritz, new_id(), "Begun by Moritz")

    assert [title for title, *_rest in unfinished(as_role("official").get("/desk/"))] == ["Written by Odile"]
    assert [title for title, *_rest in unfinished(as_role("moderator").get("/desk/"))] == [
        "Begun by Moritz",
        "Edited by Moritz",
        "Written by Moritz",
    ]
    assert unfinished(as_role("admin").get("/desk/")) == []


def test_a_copy_of_what_one_may_no_longer_change_is_not_shown(as_role: AsRole) -> None:
    former = CAST["member"].actor
    kept = article(former, "Written as an official")
    keep(former, kept.id, "Written as an official, changed", based_on=1)
    keep(former, new_id(), "Begun as an official")
    keep(former, new_id(), "Of an app that is gone", entity="no-such-entity")

    assert unfinished(as_role("member").get("/desk/")) == []


@pytest.mark.usefixtures("sources")
def test_apps_name_what_waits_for_a_person(as_role: AsRole) -> None:
    @todo.task_source(requests=0)
    def claims(user: User) -> Iterator[Task]:
        if user.sub == "steward-sub":
            yield Task("Claim of Maya", "/quests/1/", "claim", now() - timedelta(hours=3))

    assert "Claim of Maya claim3 hours ago" in text_of(as_role("steward").get("/desk/")).replace("\xa0", " ")
    assert "Claim of Maya" not in text_of(as_role("member").get("/desk/"))


@pytest.mark.usefixtures("sources")
def test_what_the_first_page_cannot_ask_for_is_asked_for_right_after_it(as_role: AsRole) -> None:
    for name, requests, right in (
        ("Claim", 1, ""),
        ("Article", 1, "cms.news.create"),
        ("Team", 3, ""),
        ("Quest", 1, ""),
    ):
        task = Task(name, f"/{name}/", "kind", now())
        todo.task_source(requests=requests, right=right)(lambda _user, task=task: [task])

    for role, first, later in (
        ("official", ["Claim", "Article"], ["Team", "Quest"]),
        ("steward", ["Claim", "Quest"], ["Team"]),
    ):
        client = as_role(role)
        page = client.get("/desk/?scope=quests")
        assert titles(page.context["desk"].waiting) == first
        address = "/desk/waiting"
        assert f'href="{address}" hx-get="{address}" hx-trigger="load"' in page.content.decode()
        rest = client.get(address, headers={"HX-Request": "true"})
        assert titles(rest.context["tasks"]) == later
        assert "<html" not in rest.content.decode()
        assert all(name in text_of(client.get(address)) for name in later)


@pytest.mark.usefixtures("sources")
def test_whoever_is_asked_everything_is_not_asked_again(as_role: AsRole) -> None:
    todo.task_source(requests=2)(lambda _user: [])
    client = as_role("member")

    assert "/desk/waiting" not in client.get("/desk/").content.decode()
    assert "Nothing else to do." in text_of(client.get("/desk/waiting"))


@pytest.mark.usefixtures("sources")
def test_a_full_list_of_one_kind_hides_no_other(as_role: AsRole) -> None:
    @todo.task_source(requests=0)
    def _many(_user: User) -> Iterator[Task]:
        yield from (Task(f"Work {number}", f"/{number}/", "work", now()) for number in range(13))
        yield Task("Invitation", "/team/", "invitation", now())

    told = titles(as_role("official").get("/desk/").context["desk"].waiting)

    assert told == [*(f"Work {number}" for number in range(12)), "Invitation"]


# --- What I may begin --------------------------------------------------------------------------------------

CONTENT = [
    *("New article", "New booking", "New event", "New location", "New member", "New page", "New role"),
    *("New quest", "New softball team", "New social post", "New sponsor", "New team", "Upload files"),
]


@pytest.mark.parametrize(
    ("role", "actions"),
    [
        ("admin", [*CONTENT, "Invite a member", "Scout a match"]),
        ("moderator", CONTENT),
        (
            "official",
            ["New article", "New booking", "New event", "New quest", "New softball team", "Upload files"],
        ),
        ("scout", ["New booking", "New quest", "New softball team", "Scout a match"]),
        ("member", ["New booking", "New quest", "New softball team"]),
    ],
)
def test_everybody_is_offered_what_they_may_begin(as_role: AsRole, role: str, actions: list[str]) -> None:
    response = as_role(role).get("/desk/")

    assert sorted(titles(response.context["actions"])) == sorted(actions)
    assert "Create something new" in text_of(response)


def test_what_is_begun_most_often_comes_first(as_role: AsRole) -> None:
    offered = titles(as_role("moderator").get("/desk/").context["actions"])

    assert offered[:5] == ["New article", "New event", "Upload files", "New booking", "New quest"]


def test_scouts_are_offered_to_scout_before_all_else(as_role: AsRole) -> None:
    for role in ("scout", "scout-lead"):
        first = as_role(role).get("/desk/").context["actions"][0]
        assert (str(first.title), first.address) == ("Scout a match", "/scouting/stand/")


MORE_SCREENS = {"steward": ["Steward desk"]}


@pytest.mark.parametrize("role", ["steward", "member", "other-member"])
def test_who_may_begin_nothing_is_shown_what_they_can_do(
    as_role: AsRole, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for right in ("cms.bus.create", "quests.quest.create", "tracker.team.create"):
        monkeypatch.setitem(RIGHTS, right, Right(ADMIN))
    response = as_role(role).get("/desk/")

    assert titles(response.context["screens"]) == [
        *("Calendar", "Roles", "Bus", "Quest board", "My quests", "Leaderboard"),
        *MORE_SCREENS.get(role, ()),
        *("My softball", "My stats"),
    ]
    text = text_of(response)
    assert f"Hello, {CAST[role].name.split()[0]}" in text
    assert "Where to go" in text
    assert "RolesWhat members do for the club." in text
    assert "Find anything" in text
    later = as_role(role).get("/desk/waiting?else=nothing")
    assert "Nothing to do. Tasks appear here." in text_of(later)
    assert "No activity yet. Changes appear here." in text


# --- What it costs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 30])
def test_the_first_page_makes_at_most_six_requests(as_role: AsRole, odile: Actor, count: int) -> None:
    for number in range(count):
        record = article(odile, f"Article {number}")
        keep(odile, record.id, f"Article {number}, changed", based_on=1)

    with metering.metered() as meter:
        response = as_role("official").get("/desk/")

    assert meter.operations[-6:] == ["GetItem", "Query", "Query", "BatchGetItem", "Query", "Query"]
    assert len(unfinished(response)) == len(happened(response)) == min(count, 12)


@pytest.mark.usefixtures("sources")
def test_the_month_before_is_read_only_if_what_waits_leaves_a_request(as_role: AsRole, odile: Actor) -> None:
    article(odile, "Herbstturnier")
    client = as_role("official")
    for costs, queries in ((1, 3), (2, 2)):
        todo._sources.clear()
        todo.task_source(requests=costs)(lambda _user: [])
        with metering.metered() as meter:
            client.get("/desk/")
        assert meter.operations == ["GetItem", *["Query"] * queries, "BatchGetItem"]
        assert meter.requests + costs <= 6


def test_somebody_for_whom_there_is_nothing_costs_no_batch(db: object, client: Client) -> None:
    sign_in(client, "member")
    with metering.metered() as meter:
        client.get("/desk/")

    assert meter.operations == ["GetItem", *["Query"] * 4]
