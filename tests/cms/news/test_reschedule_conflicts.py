"""A scheduled change meets what somebody else did meanwhile."""

from io import StringIO

import pytest
from django.core.management import CommandError
from django.test import Client

from cms.news.repository import news
from core.crud.scheduling import Applied, apply_due
from core.dynamo import working_copies
from tests.cast import CAST, sign_in
from tests.cms.articles import address_of, article
from tests.cms.news.rescheduling import (
    CHRISTMAS,
    OFFICIAL,
    TOLD,
    asked,
    copy_of,
    run_command,
    scheduled,
    shown,
    stored,
)
from tests.cms.news.test_schedule import seen_by_readers
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")


def test_who_opened_the_form_before_is_told_of_the_schedule_and_chooses(as_role, published) -> None:
    client, other = as_role("official"), sign_in(Client(), "moderator")
    theirs = open_form(other, address_of(published)).fill(title="Derby lost")
    scheduled(client, published)

    answer = theirs.send("publish")

    assert answer.status_code == 409
    assert f"It is scheduled for {TOLD}." in shown(answer)
    assert copy_of(published).apply_at == CHRISTMAS


def test_an_autosave_that_met_the_schedule_on_its_way_does_not_end_it(
    as_role, published, monkeypatch
) -> None:
    """Both come from the same form, so the version of the copy alone would let it pass."""
    client = as_role("official")
    question = asked(client, published)
    with_records = working_copies.records_and_copies

    def read_before(*args, **kwargs):
        found = with_records(*args, **kwargs)
        monkeypatch.setattr(working_copies, "records_and_copies", with_records)
        question.send("schedule")
        return found

    monkeypatch.setattr(working_copies, "records_and_copies", read_before)
    late = OpenForm.__new__(OpenForm)
    late.client, late.action, late.fields = client, question.action, {**question.fields, "title": "Derby w"}
    answer = late.send(to="autosave", htmx=True)

    assert answer.status_code == 409
    assert copy_of(published).apply_at == CHRISTMAS


def test_what_changed_elsewhere_is_kept_and_a_clash_is_told_to_the_editors(as_role, published) -> None:
    client = as_role("official")
    scheduled(client, published)
    news.update(stored(published), {"title": "Derby, by an import"}, actor=CAST["admin"].actor)
    out = StringIO()

    with pytest.raises(CommandError, match="1 changes could not be published"):
        run_command(out, CHRISTMAS)

    assert "Derby won: Someone else changed the same fields in the meantime." in out.getvalue()
    page = shown(client.get(address_of(published)))
    assert "could not be published: Someone else changed the same fields in the meantime." in page
    assert stored(published).title == "Derby, by an import"
    assert apply_due(moment=CHRISTMAS) == Applied()
    assert [each.key for each in working_copies.last_edited_by(OFFICIAL.sub).items] == [published.id]


def test_an_address_that_is_taken_meanwhile_is_told_to_the_editors(as_role, published) -> None:
    client = as_role("official")
    scheduled(client, published, slug="final")
    article("Other", slug="final")

    done = apply_due(moment=CHRISTMAS)

    assert done.refused == ["Derby won: Another article already uses this address. Choose another one."]
    assert (stored(published).slug, seen_by_readers()) == ("derby", (200, True))
    assert "Another article already uses this address." in shown(client.get(address_of(published)))


def test_what_was_deleted_stays_deleted(as_role, published) -> None:
    scheduled(as_role("official"), published)
    news.delete(stored(published), actor=OFFICIAL)

    assert apply_due(moment=CHRISTMAS).refused == ["Derby won: It is no longer published."]
    assert apply_due(moment=CHRISTMAS) == Applied()
    assert news.get_many([published.id]) == {}
