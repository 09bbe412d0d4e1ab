"""Selected articles are published, unpublished and archived."""

from typing import Any

from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from cms.news.resource import news as news_resource
from core.crud import services
from core.crud.edit_session import Opened, Seen
from core.dynamo import queries
from core.dynamo.working_copies import WorkingCopy, raw_key
from tests.cast import CAST
from tests.core.crud.bulk import TEXT, AsRole, article, results_of, rows
from tests.core.crud.roles import MAKER


def in_bulk(client: Client, action: str, *records: News) -> Any:
    # Not confirmed: nothing of this destroys anything.
    return client.post("/cms/news/bulk", {"bulk": action, "selected": rows(*records)})


def test_articles_offer_what_their_status_needs(as_role: AsRole) -> None:
    article("Derby")

    actions = as_role("moderator").get("/cms/news/").context["actions"]

    assert [action.name for action in actions] == ["publish", "unpublish", "archive", "delete"]


def test_drafts_are_published_and_what_is_published_already_is_told(as_role: AsRole) -> None:
    draft, live = article("Draft"), article("Live", status="published")

    response = in_bulk(as_role("moderator"), "publish", draft, live)

    assert results_of(response) == [
        ("Draft", "done", "Published"),
        ("Live", "refused", "Already published."),
    ]
    assert news.get(draft.id).status == "published"


def test_a_draft_that_lacks_what_readers_need_stays_one(as_role: AsRole) -> None:
    empty = article("Empty", content=None)

    response = in_bulk(as_role("moderator"), "publish", empty)

    ((label, state, text),) = results_of(response)
    assert (label, state) == ("Empty", "refused")
    assert text == "Something readers need is missing. Open it to publish it."
    assert news.get(empty.id).status == "draft"


def keep(record: News, **typed: str) -> None:
    """A working copy, as the form keeps it."""
    user = CAST["moderator"]
    values = {"title": record.title, "content": "Typed text.", "slug": record.slug or ""} | typed
    services.keep(
        user,
        Opened(news_resource, record.id, record),
        {name: [value] for name, value in values.items()},
        label=record.title,
        seen=Seen(record.seen_version),
    )


def copy_of(record: News) -> WorkingCopy | None:
    return queries.get(WorkingCopy, raw_key("news", record.id), strong=True)


def test_publishing_applies_the_working_copy(as_role: AsRole) -> None:
    live = article("Derby", status="published")
    keep(live, title="Derby ends in a tie-break")

    response = in_bulk(as_role("moderator"), "publish", live)

    assert results_of(response) == [("Derby", "done", "Published")]
    assert news.get(live.id).title == "Derby ends in a tie-break"
    assert copy_of(live) is None


def test_a_working_copy_that_lacks_what_readers_need_is_refused_and_kept(as_role: AsRole) -> None:
    live = article("Derby", status="published")
    # A draft may go without a text, but readers need one.
    keep(live, content="")

    response = in_bulk(as_role("moderator"), "publish", live)

    assert results_of(response) == [("Derby", "refused", "Content: This field is required.")]
    assert news.get(live.id).content == TEXT
    assert copy_of(live) is not None


def test_a_working_copy_that_is_older_than_its_record_is_refused_and_kept(as_role: AsRole) -> None:
    live = article("Derby", status="published")
    keep(live, title="Typed into the first version")
    newer = news.update(live, {"title": "Derby won"}, actor=MAKER)

    response = in_bulk(as_role("moderator"), "publish", newer)

    changed = "Someone else changed this in the meantime."
    assert results_of(response) == [("Derby won", "refused", changed)]
    assert news.get(live.id).title == "Derby won"
    assert copy_of(live) is not None


def test_unpublishing_and_archiving_change_the_status_only(as_role: AsRole) -> None:
    live, draft = article("Live", status="published"), article("Draft")
    client = as_role("moderator")

    unpublished = in_bulk(client, "unpublish", live, draft)
    archived = in_bulk(client, "archive", draft)

    assert results_of(unpublished) == [
        ("Live", "done", "Unpublished"),
        ("Draft", "refused", "Not published."),
    ]
    assert results_of(archived) == [("Draft", "done", "Archived")]
    assert (news.get(live.id).status, news.get(draft.id).status) == ("draft", "archived")
    assert news.get(live.id).content == TEXT
