"""Home: what is to do, which sources run at once, what can be created, and where somebody begins."""

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
from core.crud import home
from core.crud.home import ComingDate, Highlight, Task, home_source
from core.dynamo import metering, working_copies
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from tests.cast import CAST, sign_in
from tests.core.crud.pages import open_form
from tests.desk.home import AsRole, article, keep, text_of
from tests.desk.waiting import waiting_for


def titles(hits: Any) -> list[str]:
    return [str(hit.title) for hit in hits]


@pytest.fixture
def sources() -> Iterator[None]:
    """Only what a test registers; it is taken back after it."""
    before = list(home._sources)
    home._sources.clear()
    yield
    home._sources[:] = before


def named(name: str, *entries: Any) -> Any:
    """A source of this name with these entries."""

    def source(_user: User) -> Iterator[Any]:
        yield from entries

    source.__name__ = name
    return source


def task(title: str, kind: str = "kind") -> Task:
    return Task(title, f"/{title}/", kind, now())


# --- Drafts and changes ------------------------------------------------------------------------------------


def test_changes_that_wait_in_a_working_copy_come_newest_first(
    as_role: AsRole, odile: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, draft, unsaved = article(odile, "Live", status="published"), article(odile, "Draft"), new_id()
    moments = (now() + timedelta(seconds=second) for second in count())
    monkeypatch.setattr(working_copies, "now", lambda: next(moments))
    keep(odile, live.id, "Live, changed", based_on=1)
    keep(odile, unsaved, "Started")
    keep(odile, draft.id, "Draft, changed", based_on=1)

    assert waiting_for(as_role("official")) == [
        ("Draft, changed", "Not saved yet", f"/cms/news/{draft.id}/"),
        ("Started", "Not saved yet", f"/cms/news/{unsaved}/"),
        ("Live, changed", "Changed", f"/cms/news/{live.id}/"),
    ]


def test_an_unsaved_article_can_be_opened_from_home(as_role: AsRole, odile: Actor) -> None:
    client = as_role("official")
    form = open_form(client, "/cms/news/new").fill(title="Begun on the bus")
    form.send(to="autosave", htmx=True)

    ((title, _badge, address),) = waiting_for(client)

    assert title == "Begun on the bus"
    assert "Begun on the bus" in client.get(address).content.decode()


def test_a_draft_is_there_until_it_is_published(as_role: AsRole, odile: Actor) -> None:
    draft = article(odile, "Herbstturnier")
    client = as_role("official")
    assert waiting_for(client) == [("Herbstturnier", "Draft", f"/cms/news/{draft.id}/")]

    news.update(draft, {"status": "published"}, actor=odile, verb="publish")

    assert waiting_for(client) == []


def test_authors_find_their_drafts_whoever_saved_them_last(as_role: AsRole, odile: Actor) -> None:
    moritz = CAST["moderator"].actor
    hers = news.create(News(title="Interview", author_ids=["other-sub", odile.sub]), actor=moritz)
    news.create(News(title="Interview, published", author_ids=[odile.sub], status="published"), actor=moritz)
    article(moritz, "Written by Moritz")
    client = as_role("official")

    with metering.metered() as meter:
        response = client.get("/desk/")

    assert [(each.title, each.address) for each in response.context["tasks"]] == [
        ("Interview", f"/cms/news/{hers.id}/")
    ]
    # The session, the memberships, the copies, drafts of news and of events, pictures to describe.
    assert meter.operations == ["GetItem", *["Query"] * 5]
    assert "Interview Draftarticle · just now Continue" in text_of(response)
    assert 'aria-label="Continue: Interview"' in response.content.decode()


def test_a_copy_whose_record_was_deleted_is_not_shown(as_role: AsRole, odile: Actor) -> None:
    gone = article(odile, "Gone")
    keep(odile, gone.id, "Gone, changed", based_on=1)
    news.delete(gone, actor=odile)

    assert waiting_for(as_role("official")) == []


def test_nobody_is_shown_the_copies_and_drafts_of_others(as_role: AsRole, odile: Actor) -> None:
    moritz = CAST["moderator"].actor
    edited = article(odile, "Written by Odile")
    article(moritz, "Written by Moritz")
    keep(moritz, edited.id, "Edited by Moritz", based_on=1)
    keep(moritz, new_id(), "Begun by Moritz")

    def found(role: str) -> list[str]:
        return [title for title, *_rest in waiting_for(as_role(role))]

    assert found("official") == ["Written by Odile"]
    assert found("moderator") == ["Begun by Moritz", "Edited by Moritz", "Written by Moritz"]
    assert found("admin") == []


def test_a_copy_of_what_one_may_no_longer_change_is_not_shown(as_role: AsRole) -> None:
    former = CAST["official"].actor
    kept = news.create(News(title="Of the board", author_ids=["someone"]), actor=former)
    keep(former, kept.id, "Of the board, changed", based_on=1)
    keep(former, new_id(), "Of an app that is gone", entity="no-such-entity")

    assert waiting_for(as_role("official")) == []


# --- Sources -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sources")
def test_apps_name_what_waits_for_a_person_with_a_verb(as_role: AsRole) -> None:
    @home_source(requests=0)
    def claims(user: User) -> Iterator[Task]:
        if user.sub == "steward-sub":
            at = now() - timedelta(hours=3)
            yield Task("Claim of Maya", "/quests/1/", "claim", at, action="Confirm")

    text = text_of(as_role("steward").get("/desk/")).replace("\xa0", " ")
    assert "Claim of Maya claim · 3 hours ago Confirm" in text
    assert "Claim of Maya" not in text_of(as_role("member").get("/desk/"))


@pytest.mark.usefixtures("sources")
def test_home_runs_what_is_certain_to_fit_and_first_what_comes_first(as_role: AsRole) -> None:
    """The session is one of the six requests."""
    for name, requests, rights, first in (
        ("article", 1, ["cms.news.create"], False),
        ("large", 6, [], False),
        ("claim", 1, [], False),
        ("dispute", 3, ["quests.quest.decide", "cms.sponsor.update"], True),
        ("team", 3, [], False),
    ):
        home_source(*rights, requests=requests, first=first)(named(name, task(name)))

    for role, at_once, later in (
        # Nothing was really asked for, so each of these has five requests left.
        ("moderator", ["article", "claim", "dispute", "team"], ["large"]),
        ("steward", ["dispute", "claim", "team"], ["large"]),
        ("member", ["claim", "team"], ["large"]),
    ):
        client = as_role(role)
        page = client.get("/desk/")
        assert sorted(titles(page.context["tasks"])) == sorted(at_once)
        address = page.context["later"]
        assert f'hx-get="{address}" hx-trigger="load"' in page.content.decode()
        rest = client.get(address, headers={"HX-Request": "true"})
        assert titles(rest.context["tasks"]) == later
        assert "<html" not in rest.content.decode()
        assert all(name in text_of(client.get(address)) for name in later)
    assert titles(as_role("steward").get("/desk/").context["tasks"])[0] == "dispute"


@pytest.mark.usefixtures("sources")
def test_requests_that_were_really_made_decide_what_else_fits(as_role: AsRole) -> None:
    def asks(_user: User) -> Iterator[Task]:
        for _number in range(3):
            working_copies.last_edited_by("someone")
        yield task("asks")

    home_source(requests=3, first=True)(asks)
    home_source(requests=3)(named("too_much", task("too much")))
    home_source(requests=2)(named("fits", task("fits")))
    client = as_role("member")

    page = client.get("/desk/")

    assert titles(page.context["tasks"]) == ["asks", "fits"]
    assert page.context["later"] == "/desk/later?without=asks,fits"
    assert titles(client.get(page.context["later"]).context["tasks"]) == ["too much"]


@pytest.mark.usefixtures("sources")
def test_without_anything_left_nothing_is_loaded_later(as_role: AsRole) -> None:
    home_source(requests=0)(named("nothing"))
    client = as_role("member")
    page = client.get("/desk/")

    assert "/desk/later" not in page.content.decode()
    assert "Nothing to do. Tasks for you appear here." in text_of(page)
    assert "Nothing else to do." in text_of(client.get("/desk/later"))


@pytest.mark.usefixtures("sources")
def test_a_full_list_of_one_kind_hides_no_other(as_role: AsRole) -> None:
    tasks = [task(f"Work {number}", "work") for number in range(13)]
    home_source(requests=0)(named("many", *tasks, task("Invitation", "invitation")))

    found = titles(as_role("official").get("/desk/").context["tasks"])

    assert found == [*(f"Work {number}" for number in range(12)), "Invitation"]


@pytest.mark.usefixtures("sources")
def test_dates_of_all_sources_are_sorted_and_what_is_on_comes_first(as_role: AsRole) -> None:
    def date(title: str, hours: int, *, is_live: bool = False) -> ComingDate:
        return ComingDate(title, "/", "kind", now() + timedelta(hours=hours), is_live=is_live)

    days = [date(f"In {number} days", 24 * number) for number in range(1, 9)]
    home_source(requests=0, at_once=False)(named("games", date("Game", 5), date("Training", 2)))
    home_source(requests=0, at_once=False)(named("events", date("Event", -3, is_live=True), *days))
    client = as_role("member")
    page = client.get(client.get("/desk/").context["later"])

    assert [each.title for each in page.context["dates"]] == [
        *("Event", "Training", "Game"),
        *(f"In {number} days" for number in range(1, 6)),
    ]
    assert "Event Now kind" in text_of(page)


@pytest.mark.usefixtures("sources")
def test_highlights_are_above_what_is_to_do(as_role: AsRole) -> None:
    next_match = Highlight("Next match", "Match 7", "/stand/", "Scout this match", "robot", ["Red: 1, 2, 3"])
    home_source(requests=0)(named("match", next_match))

    text = text_of(as_role("scout").get("/desk/"))

    assert "Next match Match 7 Red: 1, 2, 3 Scout this match To do" in text


@pytest.mark.usefixtures("sources")
def test_a_highlight_that_comes_later_is_among_the_dates(as_role: AsRole) -> None:
    live = Highlight("Live now", "Falcons 3:2 Owls", "/game/", "Follow the game", "ball", is_live=True)
    home_source(requests=6)(named("game", live))
    client = as_role("member")
    part = client.get(client.get("/desk/").context["later"], headers={"HX-Request": "true"}).content.decode()

    assert "Falcons 3:2 Owls" in part.partition('<div id="dates" hx-swap-oob="true">')[2]


def test_only_sources_that_run_later_yield_dates() -> None:
    """Dates are sorted as a whole, so none of them may be on Home before."""
    at_once = {each.name for each in home._sources if each.is_at_once}

    assert at_once.isdisjoint({"club_dates", "at_event", "deadlines", "all_teams", "guests"})


# --- Creating ----------------------------------------------------------------------------------------------

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
        ("guest", []),
    ],
)
def test_one_menu_has_everything_that_somebody_may_create(
    as_role: AsRole, role: str, actions: list[str]
) -> None:
    response = as_role(role).get("/desk/")

    assert sorted(titles(response.context["actions"])) == sorted(actions)
    assert ('id="create-menu"' in response.content.decode()) is bool(actions)


def test_what_is_created_most_often_comes_first(as_role: AsRole) -> None:
    offered = titles(as_role("moderator").get("/desk/").context["actions"])

    assert offered[:5] == ["New article", "New event", "Upload files", "New booking", "New quest"]


def test_scouts_are_offered_to_scout_before_all_else(as_role: AsRole) -> None:
    for role in ("scout", "scout-lead"):
        first = as_role(role).get("/desk/").context["actions"][0]
        assert (str(first.title), first.address) == ("Scout a match", "/scouting/stand/")


# --- Beginning ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "beginnings"),
    [
        ("member", ["Find a quest", "See what is on", "Play softball"]),
        ("admin", ["Find a quest", "See what is on", "Play softball"]),
        ("guest", ["Play softball"]),
    ],
)
def test_somebody_new_is_told_where_to_begin(
    as_role: AsRole, guests: object, role: str, beginnings: list[str]
) -> None:
    client = as_role(role)
    page = client.get("/desk/")
    later = client.get(page.context["later"])

    assert f"Hello, {CAST[role].name.split()[0]}" in text_of(page)
    assert titles(later.context["beginnings"]) == beginnings
    assert "Nothing to do. Tasks for you appear here." in text_of(later)
    assert "No dates in the next weeks." in text_of(later)
    assert f">{beginnings[0]}<" in later.content.decode()


def test_who_has_a_task_is_not_told_where_to_begin(as_role: AsRole, odile: Actor) -> None:
    article(odile, "Herbstturnier")
    client = as_role("official")
    later = client.get(client.get("/desk/").context["later"])

    assert "beginnings" not in later.content.decode()
    assert "Nothing to do" not in text_of(later)


def test_where_quests_are_not_open_to_members_they_do_not_begin_there(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RIGHTS, "quests.quest.view", Right(ADMIN))
    client = as_role("member")

    assert titles(client.get("/desk/later").context["beginnings"]) == ["See what is on", "Play softball"]


def test_somebody_for_whom_there_is_nothing_costs_no_batch(db: object, client: Client) -> None:
    sign_in(client, "member")
    with metering.metered() as meter:
        client.get("/desk/")

    # The session, the memberships in teams; claims, submitted work, disputes and offers of one's own.
    assert meter.operations == ["GetItem", *["Query"] * 5]
