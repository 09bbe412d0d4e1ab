"""News that programs write: drafts, changes by version, publishing, once however often they are sent."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from cms.news.repository import news
from cms.news.resource import news as resource
from core.content.richtext import from_plain_text
from core.crud import edit_session, services
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.public import make_picture

pytestmark = pytest.mark.usefixtures("db")

ADDRESS = "/api/v1/cms/news"
TEXT = from_plain_text("Three sets.")
SENT = {
    "title": "Final",
    "content": TEXT,
    "publishAt": "2026-01-05T18:30:12.345+01:00",
    "tags": ["men", "cup"],
}


@pytest.fixture
def official(db) -> Program:
    return Program("official")


def stored(item):
    return news.get(item.id, strong=True)


def shown() -> list[str]:
    return [each["title"] for each in Program().get("/api/v1/website/news").json()]


def test_an_article_that_is_sent_is_a_draft_of_the_person_with_what_the_form_makes(official) -> None:
    picture = make_picture()
    answer = official.post(ADDRESS, SENT | {"imageIds": [picture.id]})

    made = answer.json()
    assert (answer.status_code, answer["ETag"]) == (201, '"1"')
    assert answer["Location"] == f"{ADDRESS}/{made['id']}"
    assert official.get(answer["Location"] + "?strong=true").json() == made
    assert {name: made[name] for name in SENT} == SENT | {"publishAt": "2026-01-05T17:30:12.345Z"}
    assert made["imageIds"] == [picture.id]
    assert (made["status"], made["slug"], made["excerpt"]) == ("draft", "final", "Three sets.")
    assert made["authorIds"] == [CAST["official"].sub]
    assert shown() == []


@pytest.mark.parametrize("moment", ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"])
def test_a_date_in_the_hour_that_comes_twice_is_the_one_that_was_sent(official, moment) -> None:
    made = official.post(ADDRESS, SENT | {"publishAt": moment}).json()
    assert official.patch(f"{ADDRESS}/{made['id']}", {"title": "Other"}, if_match='"1"').status_code == 200

    assert official.get(f"{ADDRESS}/{made['id']}?strong=true").json()["publishAt"] == moment


def test_what_is_sent_again_with_its_key_is_one_article(official) -> None:
    first = official.post(ADDRESS, SENT, idempotency_key="final")
    again = official.post(ADDRESS, SENT, idempotency_key="final")
    other = official.post(ADDRESS, SENT | {"title": "Other"}, idempotency_key="final")
    of_another = Program("moderator").post(ADDRESS, SENT, idempotency_key="final")

    assert [each.status_code for each in (first, again, other, of_another)] == [201, 200, 422, 201]
    assert first.json() == again.json()
    assert first.json()["id"] != of_another.json()["id"]
    assert sorted(each.slug for each in news.by_date().items) == ["final", "final-2"]


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"title": ""}, "/body/title"),
        ({"title": "   "}, "/body/title"),
        ({"content": {"type": "doc", "content": [{"type": "script"}]}}, "/body/content"),
        ({"imageIds": ["no-such-picture"]}, "/body/imageIds"),
        ({"publishAt": "tomorrow"}, "/body/publishAt"),
        ({"publishAt": "2026-01-05T18:30:00"}, "/body/publishAt"),
        ({"publishAt": 5}, "/body/publishAt"),
        ({"publishAt": "0001-01-01T00:00:00+14:00"}, "/body/publishAt"),
        ({"tags": ["a,b"]}, "/body/tags/0"),
        ({"slug": "Not a slug!"}, "/body/slug"),
        ({"status": "published"}, "/body/status"),
        ({"firstPublishedAt": "2026-01-05T18:30:00Z"}, "/body/firstPublishedAt"),
        ({"version": 7}, "/body/version"),
    ],
)
def test_what_the_form_would_refuse_is_refused_with_its_place(official, wrong, pointer) -> None:
    answer = official.post(ADDRESS, SENT | wrong)

    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert news.by_date().items == []


def test_a_change_changes_what_is_sent_and_nothing_else(official) -> None:
    item = stored(article("Derby", publish_at=LONG_AGO, tags=["men"], text="One.\n\nTwo."))

    answer = official.patch(f"{ADDRESS}/{item.id}", {"title": "Great derby"}, if_match='"1"')

    after = stored(item)
    assert (answer.status_code, answer["ETag"], after.title) == (200, '"2"', "Great derby")
    assert after.slug == "great-derby"
    for name in ("content", "excerpt", "publish_at", "published_date", "author_ids", "tags", "status"):
        assert getattr(after, name) == getattr(item, name)
    official.patch(f"{ADDRESS}/{item.id}", {"content": TEXT, "tags": []}, if_match='"2"')
    assert (stored(item).content, stored(item).excerpt, stored(item).tags) == (TEXT, "Three sets.", [])


def test_a_change_leaves_the_authors_and_the_text_of_another_program_as_they_are() -> None:
    link = {"type": "text", "text": "See https://club.example today"}
    text = {"type": "doc", "content": [{"type": "paragraph", "content": [link]}]}
    item = news.update(article("Derby"), {"author_ids": [], "content": text}, actor=SYSTEM)

    answer = Program("moderator").patch(f"{ADDRESS}/{item.id}", {"title": "Final"}, if_match='"2"')

    assert answer.status_code == 200
    assert (stored(item).title, stored(item).author_ids, stored(item).content) == ("Final", [], text)


def test_a_change_names_the_version_that_was_seen_and_is_done_once(official) -> None:
    item = article("Derby")
    address, sent = f"{ADDRESS}/{item.id}", {"title": "Final"}

    assert official.patch(address, sent).status_code == 428
    assert official.patch(address, sent, if_match='"7"').status_code == 412
    for _time in range(2):
        answer = official.patch(address, sent, if_match='"1"', idempotency_key="once")
        assert (answer.status_code, answer["ETag"]) == (200, '"2"')
    assert official.patch(address, sent, if_match='"1"').status_code == 412


def test_it_is_published_and_taken_back_and_stays_so_if_that_is_repeated(official) -> None:
    item = article("Derby")
    before = now()

    for _time in range(2):
        answer = official.post(f"{ADDRESS}/{item.id}/publish")
        assert (answer.status_code, answer.json()["status"], answer["ETag"]) == (200, "published", '"2"')
    assert shown() == ["Derby"]
    assert stored(item).publish_at >= before
    for _time in range(2):
        answer = official.post(f"{ADDRESS}/{item.id}/unpublish")
        assert (answer.json()["status"], answer["ETag"]) == ("draft", '"3"')
    assert shown() == []


def test_what_readers_need_is_there_before_it_is_published(official) -> None:
    item = official.post(ADDRESS, {"title": "Only a title"}).json()

    assert official.post(f"{ADDRESS}/{item['id']}/publish").status_code == 400
    assert shown() == []


def test_a_change_of_what_is_published_is_seen_at_once_and_complete(official) -> None:
    item = article("Derby", published=True, publish_at=LONG_AGO)
    address = f"{ADDRESS}/{item.id}"

    assert official.patch(address, {"title": "Final"}, if_match='"1"').status_code == 200
    assert (shown(), stored(item).slug) == (["Final"], "derby")
    assert pointers(official.patch(address, {"content": None}, if_match='"2"')) == ["/body/content"]
    later = official.patch(address, {"publishAt": in_future().isoformat()}, if_match='"2"')
    assert (later.status_code, pointers(later)) == (400, ["/body/publishAt"])
    assert shown() == ["Final"]


def test_changes_that_somebody_keeps_are_not_discarded(official) -> None:
    item = article("Derby", published=True, publish_at=LONG_AGO)
    opened = edit_session.open_record(CAST["official"], resource, item.id)
    services.keep(CAST["official"], opened, {"title": ["Kept"]}, label="Kept", seen=opened.seen)

    answer = official.patch(f"{ADDRESS}/{item.id}", {"title": "Final"}, if_match='"1"')

    assert answer.status_code == 409
    assert edit_session.open_record(CAST["official"], resource, item.id).copy is not None
    assert shown() == ["Derby"]


def test_a_repeated_change_is_answered_as_the_first_whatever_happened_meanwhile(official) -> None:
    item = article("Derby", published=True, publish_at=LONG_AGO)
    address, sent = f"{ADDRESS}/{item.id}", {"title": "Final"}
    headers = {"if_match": '"1"', "idempotency_key": "once"}
    assert official.patch(address, sent, **headers).status_code == 200
    opened = edit_session.open_record(CAST["official"], resource, item.id)
    services.keep(CAST["official"], opened, {"title": ["Kept"]}, label="Kept", seen=opened.seen)

    again = official.patch(address, sent, **headers)

    assert (again.status_code, again["ETag"], again.json()["title"]) == (200, '"2"', "Final")
    assert official.patch(address, {"title": "Other"}, **headers).status_code == 422
    assert official.patch(address, sent, if_match='"2"').status_code == 409
    assert edit_session.open_record(CAST["official"], resource, item.id).copy is not None


def test_it_is_deleted_by_version_if_that_is_named(official) -> None:
    item = article("Derby")

    assert official.delete(f"{ADDRESS}/{item.id}", if_match='"7"').status_code == 412
    assert official.delete(f"{ADDRESS}/{item.id}", if_match='"1"').status_code == 204
    assert official.delete(f"{ADDRESS}/{item.id}").status_code == 404
    assert news.by_date().items == []


def test_officials_write_their_own_articles_and_not_those_of_others(official) -> None:
    item = article("Derby", by="moderator")
    address = f"{ADDRESS}/{item.id}"

    assert official.get(address).status_code == 200
    answers = [
        official.patch(address, {"title": "Mine"}, if_match='"1"'),
        official.post(f"{address}/publish"),
        official.post(f"{address}/unpublish"),
        official.delete(address),
    ]
    assert [each.status_code for each in answers] == [403] * 4
    assert (stored(item).title, stored(item).version) == ("Derby", 1)
    assert Program("moderator").post(f"{address}/publish").status_code == 200
    assert Program("member").post(ADDRESS, SENT).status_code == 403
    assert Program("stranger").post(ADDRESS, SENT).status_code == 401


def test_the_same_request_at_the_same_moment_is_one_article(db) -> None:
    programs = [Program("official") for _number in range(4)]

    def send(program: Program) -> int:
        return program.post(ADDRESS, SENT, idempotency_key="final").status_code

    with ThreadPoolExecutor(len(programs)) as pool:
        statuses = list(pool.map(send, programs))

    assert [each.slug for each in news.by_date().items] == ["final"]
    assert sorted(statuses) == [200, 200, 200, 201]
