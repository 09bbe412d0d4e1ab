"""A later date for a published article: it is asked what is meant, and a scheduled change is applied once."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from config.local import ROOT
from core.crud.scheduling import Applied, apply_due
from core.dynamo import history, metering, working_copies
from tests.cast import sign_in
from tests.cms.articles import address_of, article
from tests.cms.news.rescheduling import (
    CHRISTMAS,
    OFFICIAL,
    TOLD,
    TYPED,
    asked,
    copy_of,
    run_command,
    scheduled,
    shown,
    stored,
)
from tests.cms.news.test_schedule import seen_by_readers
from tests.core.crud.pages import OpenForm, open_form
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")


def verbs(item: News) -> list[tuple[str, str]]:
    return [(entry.verb, entry.actor_name) for entry in history.entries("news", item.id).items]


# --- The question ----------------------------------------------------------------------------------------


def test_a_later_date_of_what_readers_see_is_asked_about_before_anything_happens(as_role, published) -> None:
    client = as_role("official")

    answer = open_form(client, address_of(published)).fill(publish_at=TYPED).send("publish")

    assert answer.status_code == 409
    page = shown(answer)
    assert f">Keep the published version online and apply the changes on {TOLD}</button>" in page
    assert f">Take it offline until {TOLD}</button>" in page
    assert f'id="back-to-form" href="{address_of(published)}"' in page
    assert (stored(published).version, seen_by_readers()) == (1, (200, True))
    # Going back finds what was typed.
    assert open_form(client, address_of(published))["publish_at"] == TYPED
    assert copy_of(published).apply_at is None


def test_with_javascript_the_question_takes_the_place_of_the_form(as_role, published) -> None:
    client = as_role("official")
    form = open_form(client, address_of(published)).fill(publish_at=TYPED)

    answer = form.send("publish", htmx=True)

    page = shown(answer)
    assert (answer.status_code, "<html" in page, 'id="record-form"' in page) == (409, False, True)
    then = OpenForm(client, answer).send("schedule", htmx=True)
    assert then["HX-Redirect"] == address_of(published)
    assert copy_of(published).apply_at == CHRISTMAS


def test_taking_it_offline_is_one_answer(as_role, published, clock) -> None:
    asked(as_role("official"), published).send("take_offline")

    again = stored(published)
    assert (again.title, again.published_date) == ("Derby won", CHRISTMAS)
    assert (working_copies.get("news", published.id), seen_by_readers()) == (None, (404, False))
    clock(CHRISTMAS)
    assert seen_by_readers() == (200, True)


@pytest.mark.parametrize("date", ["", "2026-01-06T18:00"])
def test_no_question_without_a_later_date(as_role, published, date: str) -> None:
    form = open_form(as_role("official"), address_of(published)).fill(publish_at=date, title="Derby won")

    assert form.send("publish").status_code == 302
    assert (stored(published).title, seen_by_readers()) == ("Derby won", (200, True))


def test_no_question_about_what_readers_do_not_see_yet(as_role) -> None:
    later = article(published=True, publish_at=CHRISTMAS)
    form = open_form(as_role("official"), address_of(later)).fill(publish_at="2037-01-01T18:00")

    assert form.send("publish").status_code == 302
    assert stored(later).published_date == datetime(2037, 1, 1, 17, 0, tzinfo=UTC)


def test_publishing_several_at_once_takes_none_offline(as_role, published) -> None:
    client = as_role("official")
    open_form(client, address_of(published)).fill(publish_at=TYPED).send()

    answer = client.post("/cms/news/bulk", {"bulk": "publish", "selected": f"{published.id}@1"}, follow=True)

    assert "Its new date would take it offline. Open it to publish it." in shown(answer)
    assert (stored(published).version, seen_by_readers()) == (1, (200, True))


# --- What is scheduled -----------------------------------------------------------------------------------


def test_the_published_version_stays_until_the_date_and_then_the_changes_are_there(
    as_role, published, clock
) -> None:
    client = as_role("official")

    scheduled(client, published)

    page = shown(client.get(address_of(published)))
    assert f"The changes go live on {TOLD}." in page
    assert f"These changes will be published on {TOLD}. Scheduled by Odile Brandt." in page
    assert (stored(published).title, seen_by_readers()) == ("Derby", (200, True))

    clock(CHRISTMAS - timedelta(milliseconds=1))
    assert apply_due(moment=CHRISTMAS - timedelta(milliseconds=1)) == Applied()
    assert seen_by_readers() == (200, True)

    clock(CHRISTMAS)
    assert apply_due(moment=CHRISTMAS) == Applied(applied=["Derby won"])
    again = stored(published)
    assert (again.title, again.slug, again.published_date) == ("Derby won", "derby", CHRISTMAS)
    assert (working_copies.get("news", published.id), seen_by_readers()) == (None, (200, True))
    assert verbs(published) == [("publish_scheduled", "Odile Brandt"), ("publish", "Odile Brandt")]


def test_it_is_applied_once_however_often_and_by_however_many(as_role, published) -> None:
    scheduled(as_role("official"), published)

    done = at_once(lambda _number: apply_due(moment=CHRISTMAS), 4)

    assert sum(len(each.applied) for each in done) == 1
    assert [verb for verb, _who in verbs(published)] == ["publish_scheduled", "publish"]
    assert apply_due(moment=CHRISTMAS) == Applied()
    assert stored(published).version == 2


def test_a_form_that_is_sent_twice_schedules_once(as_role, published) -> None:
    question = asked(as_role("official"), published)
    question.send("schedule")
    version = copy_of(published).version

    assert question.send("schedule").status_code == 302
    assert copy_of(published).version == version


def test_nothing_due_costs_one_query_and_a_dry_run_changes_nothing(as_role, published) -> None:
    with metering.metered() as meter:
        assert apply_due() == Applied()
    assert meter.operations == ["Query"]

    scheduled(as_role("official"), published)
    assert apply_due(moment=CHRISTMAS, is_dry_run=True) == Applied(applied=["Derby won"])
    assert stored(published).version == 1


def test_a_scheduled_change_is_no_unfinished_work_on_home(as_role, published) -> None:
    client = as_role("official")
    question = asked(client, published)
    assert "Derby won" in shown(client.get("/desk/"))

    question.send("schedule")

    assert [copy.label for copy in working_copies.last_edited_by(OFFICIAL.sub).items] == []


# --- Between the schedule and its date ---------------------------------------------------------------------


def test_what_is_typed_since_is_not_applied_and_waits_for_its_editor(as_role, published) -> None:
    client = as_role("official")
    scheduled(client, published)
    form = open_form(client, address_of(published))

    form.fill(title="Derby w").send(to="autosave", htmx=True)

    page = shown(client.get(address_of(published)))
    assert "Later changes are not included. Publish again to add them." in page
    assert apply_due(moment=CHRISTMAS) == Applied(applied=["Derby w"])
    assert stored(published).title == "Derby won"
    copy = copy_of(published)
    assert (copy.apply_at, copy.based_on, copy.values["typed"]["title"]) == (None, 2, ["Derby w"])
    assert [each.key for each in working_copies.last_edited_by(OFFICIAL.sub).items] == [published.id]
    # It can be published as any change: it is based on what was applied.
    open_form(client, address_of(published)).fill(title="Derby was won", publish_at="").send("publish")
    assert stored(published).title == "Derby was won"


def test_typing_the_published_version_again_cancels_nothing(as_role, published) -> None:
    client = as_role("official")
    before = open_form(client, address_of(published)).fields
    scheduled(client, published)
    form = open_form(client, address_of(published))
    form.fill(title=before["title"], publish_at=before["publish_at"])

    form.send(to="autosave", htmx=True)
    form.fill(copy_version=str(copy_of(published).version)).send()

    assert f"What is scheduled for {TOLD} stays as it was." in shown(client.get(address_of(published)))
    assert apply_due(moment=CHRISTMAS).applied == ["Derby"]
    assert stored(published).title == "Derby won"


def test_publishing_again_with_another_date_moves_it(as_role, published) -> None:
    client = as_role("official")
    scheduled(client, published)

    scheduled(client, published, title="Derby won 3:2", publish_at="2036-12-31T18:00")

    assert apply_due(moment=CHRISTMAS) == Applied()
    assert apply_due(moment=CHRISTMAS + timedelta(days=7)).applied == ["Derby won 3:2"]
    assert stored(published).title == "Derby won 3:2"


def test_publishing_without_a_date_applies_it_now_and_never_again(as_role, published) -> None:
    client = as_role("official")
    scheduled(client, published)

    open_form(client, address_of(published)).fill(publish_at="").send("publish")

    assert (stored(published).title, seen_by_readers()) == ("Derby won", (200, True))
    assert apply_due(moment=CHRISTMAS) == Applied()


def test_the_schedule_is_cancelled_and_the_changes_stay(as_role, published) -> None:
    client = as_role("official")
    scheduled(client, published)
    form = open_form(client, address_of(published)).fill(title="Derby won 3:2")

    answer = form.send(to="unschedule")

    assert answer.status_code == 302
    page = client.get(address_of(published))
    assert "Schedule cancelled. Your changes are saved as a draft." in shown(page)
    assert "These changes are not published yet." in shown(page)
    assert OpenForm(client, page)["title"] == "Derby won 3:2"
    assert apply_due(moment=CHRISTMAS) == Applied()
    assert [each.key for each in working_copies.last_edited_by(OFFICIAL.sub).items] == [published.id]


def test_who_may_not_change_it_cannot_cancel_it(as_role, published) -> None:
    scheduled(as_role("official"), published)

    assert sign_in(Client(), "member").post(address_of(published, "unschedule")).status_code in (403, 404)
    assert copy_of(published).apply_at == CHRISTMAS


@pytest.mark.parametrize("screen", ["discard", "unpublish", "archive"])
def test_discarding_unpublishing_and_archiving_cancel_it(as_role, published, screen: str) -> None:
    client = as_role("official")
    scheduled(client, published)

    open_form(client, address_of(published)).send(to=screen)

    assert apply_due(moment=CHRISTMAS) == Applied()
    assert stored(published).title == "Derby"


def test_sharing_it_meanwhile_cancels_nothing(as_role, published) -> None:
    """A change beside the form takes a new version."""
    scheduled(as_role("official"), published)
    news.update(stored(published), {"shared_to_mastodon": True}, actor=OFFICIAL)

    assert apply_due(moment=CHRISTMAS).applied == ["Derby won"]
    again = stored(published)
    assert (again.title, again.shared_to_mastodon) == ("Derby won", True)


# --- Somebody else -----------------------------------------------------------------------------------------


def test_the_command_says_what_it_published(as_role, published) -> None:
    scheduled(as_role("official"), published)
    out = StringIO()

    run_command(out, CHRISTMAS)
    run_command(out, CHRISTMAS)

    assert out.getvalue() == "“Derby won”: published.\nNothing was due.\n"


def test_the_command_knows_the_resources_in_a_process_of_its_own() -> None:
    asked = (
        "import django; django.setup()\n"
        "from core.crud import registry\n"
        "from core.crud.management.commands.publish import load_resources\n"
        "load_resources()\n"
        "print(*(each.entity for each in registry.resources() if each.has_copies))"
    )

    found = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert sorted(found.stdout.split()) == ["event", "news", "page", "team"]
