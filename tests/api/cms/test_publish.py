"""Publishing, taking back and archiving content: repeatable, complete, and without discarding anything."""

from collections.abc import Callable

import pytest

from core.content.richtext import from_plain_text
from core.crud import edit_session, services
from core.crud.registry import resource_for
from core.dynamo.items import Item
from tests.api.programs import Program
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.club import make_page, make_team
from tests.cms.occasions import event

pytestmark = pytest.mark.usefixtures("db")

CONTENT = "/api/v1/cms"
DRAFTS: dict[str, Callable[[], Item]] = {
    "news": article,
    "events": lambda: event(published=False),
    "teams": make_team,
    "pages": lambda: make_page(content=from_plain_text("Who we are.")),
}
ENTITIES = {"news": "news", "events": "event", "teams": "team", "pages": "page"}


def address_of(kind: str, item: Item) -> str:
    return f"{CONTENT}/{kind}/{item.id}"  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", DRAFTS)
def test_each_step_may_be_repeated(kind: str) -> None:
    address, program = address_of(kind, DRAFTS[kind]()), Program("moderator")

    for step, status, version in (
        ("publish", "published", 2),
        ("archive", "archived", 3),
        ("publish", "published", 4),
        ("unpublish", "draft", 5),
    ):
        for _time in range(2):
            answer = program.post(f"{address}/{step}")
            assert answer.status_code == 200
            assert (answer.json()["status"], answer.json()["version"]) == (status, version)
            assert answer["ETag"] == f'"{version}"'


@pytest.mark.parametrize("kind", ["members", "roles", "sponsors", "locations", "posts", "bus"])
def test_what_has_no_status_has_no_such_step(kind: str) -> None:
    answer = Program("moderator").post(f"{CONTENT}/{kind}/any/publish")
    assert answer.status_code == 404


@pytest.mark.parametrize("kind", DRAFTS)
def test_what_readers_need_is_there_before(kind: str) -> None:
    program, sent = Program("moderator"), {"name" if kind == "teams" else "title": "A"}
    made = program.post(f"{CONTENT}/{kind}", sent).json()
    assert program.post(f"{CONTENT}/{kind}/{made['id']}/publish").status_code == 400


@pytest.mark.parametrize("kind", DRAFTS)
def test_changes_that_somebody_keeps_stay_and_stand_in_the_way_of_others(kind: str) -> None:
    item, resource, user = DRAFTS[kind](), resource_for(ENTITIES[kind]), CAST["moderator"]
    address, program = address_of(kind, item), Program("moderator")
    program.post(f"{address}/publish")
    opened = edit_session.open_record(user, resource, item.id)  # type: ignore[attr-defined]
    services.keep(user, opened, {"title": ["Kept"]}, label="Kept", seen=opened.seen)
    field = "name" if kind == "teams" else "title"

    answer = program.patch(address, {field: "Other"}, if_match='"2"')
    assert (answer.status_code, "unpublished changes" in answer.json()["detail"]) == (409, True)
    assert program.post(f"{address}/unpublish").status_code == 200
    kept = edit_session.open_record(user, resource, item.id).copy  # type: ignore[attr-defined]
    assert kept is not None
    assert kept.values["typed"] == {"title": ["Kept"]}


def test_authors_publish_their_own_events_and_not_those_of_others() -> None:
    own, other = event(published=False), event("Other", by="moderator", published=False)
    program = Program("official")
    assert program.post(address_of("events", own) + "/publish").status_code == 200
    assert program.post(address_of("events", other) + "/publish").status_code == 403
