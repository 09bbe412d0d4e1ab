"""Publishing later: it says from when, in which time zone, and readers see it from that minute."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from cms.news.repository import news
from core.crud.times import club_time
from core.dynamo import attributes
from tests.cms.articles import address_of, article, filled, in_future, of_form
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")
CHRISTMAS = datetime(2036, 12, 24, 17, 0, tzinfo=UTC)


def seen_by_readers(slug: str = "derby") -> tuple[int, bool]:
    """The answer of the article's page, and whether the list shows it."""
    listed = f'href="/news/{slug}/"' in Client().get("/news/").content.decode()
    return Client().get(f"/news/{slug}/").status_code, listed


def test_a_time_is_told_with_the_zone_of_the_club() -> None:
    assert club_time(CHRISTMAS) == "24 Dec 2036, 18:00 (Europe/Berlin)"
    assert club_time(CHRISTMAS.replace(month=7)) == "24 Jul 2036, 19:00 (Europe/Berlin)"


def test_a_later_date_is_told_when_publishing_and_shown_afterwards(as_role) -> None:
    client = as_role("official")
    form = filled(client, publish_at="2036-12-24T18:00")

    form.send("publish")

    page = client.get(form.action).content.decode()
    assert "Visible from 24 Dec 2036, 18:00 (Europe/Berlin)." in page
    assert "Scheduled: 24 Dec 2036, 18:00 (Europe/Berlin)" in page
    saved = of_form(form)
    assert (saved.status, saved.published_date) == ("published", CHRISTMAS)


def test_readers_see_it_from_that_minute(clock) -> None:
    article(published=True, publish_at=CHRISTMAS)

    clock(CHRISTMAS - timedelta(milliseconds=1))
    assert seen_by_readers() == (404, False)

    clock(CHRISTMAS)
    assert seen_by_readers() == (200, True)


def test_what_comes_later_is_listed_as_scheduled_and_no_longer_once_it_came(clock) -> None:
    item = article(published=True, publish_at=CHRISTMAS)

    clock(CHRISTMAS - timedelta(milliseconds=1))
    assert ([each.id for each in news.scheduled().items], news.public().items) == ([item.id], [])

    clock(CHRISTMAS)
    assert (news.scheduled().items, [each.id for each in news.public().items]) == ([], [item.id])


def test_clearing_a_later_date_and_publishing_lets_readers_see_it_at_once(as_role) -> None:
    client, item = as_role("official"), article(published=True, publish_at=in_future())

    open_form(client, address_of(item)).fill(publish_at="").send("publish")

    again = news.get(item.id, strong=True)
    assert again.published_date == again.publish_at <= attributes.now()
    assert seen_by_readers() == (200, True)


def test_a_date_alone_does_nothing_until_somebody_publishes(as_role) -> None:
    form = filled(as_role("official"), publish_at="2026-01-05T18:00")

    form.send()

    assert (of_form(form).status, seen_by_readers()) == ("draft", (404, False))


def test_a_new_date_of_a_published_article_waits_in_the_working_copy(as_role) -> None:
    client, item = as_role("official"), article(published=True)

    open_form(client, address_of(item)).fill(publish_at="2036-12-24T18:00").send()

    assert (news.get(item.id, strong=True).published_date, seen_by_readers()) == (
        item.published_date,
        (200, True),
    )


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("tomorrow", "Enter a date and a time."),
        ("2036-03-30T02:30", "This time does not exist"),
        ("2036-10-26T02:30", "This time occurs twice"),
    ],
)
def test_a_time_that_does_not_say_which_moment_is_refused(as_role, typed: str, refusal: str) -> None:
    answer = filled(as_role("official"), publish_at=typed).send("publish")

    assert answer.status_code == 422
    assert refusal in answer.content.decode()
