"""A working copy that does not fit the record any more: it is compared and asked about."""

import pytest
from django.test import Client

from cms.news.repository import news
from core.content.richtext import plain_text
from core.dynamo import working_copies
from tests.cast import CAST
from tests.cms.articles import address_of, article
from tests.core.crud.conflicts import choices, conflict, stored, two_open
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")


@pytest.mark.parametrize("then", ["save", "publish"])
def test_somebody_elses_working_copy_is_compared(odile: Client, moritz: Client, then: str) -> None:
    item = article("Derby", published=True)
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="By Moritz", tags="cup").send()

    answer = mine.fill(title="By Odile", content="Six sets.").send(then)

    assert "The other version is by Moritz Feldkamp" in conflict(answer)
    assert choices(answer) == {"title": "mine", "content": "mine", "tags": "theirs"}
    assert OpenForm(odile, answer).send(then).status_code == 302
    form = open_form(odile, address_of(item))
    assert (form["title"], form["content"], form["tags"]) == ("By Odile", "Six sets.", "cup")
    assert stored(item).title == ("By Odile" if then == "publish" else "Derby")


def test_their_typed_text_can_be_taken_into_the_copy(odile: Client, moritz: Client) -> None:
    item = article("Derby", published=True)
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="By Moritz", publish_at="31 February").send(to="autosave", htmx=True)
    answer = mine.fill(title="By Odile").send()

    # What cannot be read yet travels as it was typed.
    refused = OpenForm(odile, answer).fill(**{"take-title": "theirs", "take-publish_at": "theirs"}).send()

    assert refused.status_code == 422
    form = OpenForm(odile, refused)
    assert (form["title"], form["publish_at"]) == ("By Moritz", "31 February")


def test_keeping_changes_of_a_record_that_was_published_anew_is_a_conflict(
    odile: Client, moritz: Client
) -> None:
    item = article("Derby", published=True)
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="By Moritz").send("publish")

    answer = mine.fill(title="By Odile", content="Six sets.").send("save")

    assert choices(answer) == {"title": "mine", "content": "mine", "slug": "theirs"}
    assert 'id="contested-slug"' not in conflict(answer)
    OpenForm(odile, answer).fill(**{"take-title": "theirs"}).send("save")
    copy = working_copies.get("news", item.id)
    assert copy is not None
    assert (copy.values["typed"]["title"], copy.based_on) == (["By Moritz"], 2)
    assert open_form(odile, address_of(item))["content"] == "Six sets."


def test_a_copy_that_was_discarded_meanwhile_is_asked_about(odile: Client, moritz: Client) -> None:
    item = article("Derby", published=True)
    open_form(odile, address_of(item)).fill(title="By Odile").send()
    mine, theirs = two_open(item, odile, moritz)
    theirs.send(to="discard")

    answer = mine.fill(content="Six sets.").send()

    assert "Someone else published or discarded the changes" in conflict(answer)
    assert choices(answer) == {"title": "mine", "content": "mine"}
    OpenForm(odile, answer).fill(**{"take-title": "theirs"}).send("publish")
    assert (stored(item).title, plain_text(stored(item).content)) == ("Derby", "Six sets.")


@pytest.mark.parametrize("comes_late", [False, True], ids=["in-time", "late"])
def test_an_own_copy_is_not_taken_for_the_other_version(odile: Client, comes_late: bool) -> None:
    item = article("Derby")
    mine = open_form(odile, address_of(item)).fill(title="By Odile")
    mine.send(to="autosave", htmx=True)
    news.update(stored(item), {"title": "By Moritz"}, actor=CAST["moderator"].actor)
    answer = mine.send()
    if comes_late:
        mine.fill(title="By Odile!").send(to="autosave", htmx=True)

    OpenForm(odile, answer).fill(**{"take-title": "theirs"}).send()

    assert stored(item).title == "By Moritz"
    assert working_copies.get("news", item.id) is None
