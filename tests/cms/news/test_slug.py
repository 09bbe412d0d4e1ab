"""The address of an article: made from its title, unique, kept once readers may know it."""

import pytest
from django.test import Client

from cms.base.repository import MOST_OLD_SLUGS
from cms.news.repository import news
from cms.news.resource import news as resource
from core.crud import services
from core.dynamo import metering, trash
from core.dynamo.errors import AlreadyExists
from tests.cast import CAST
from tests.cms.articles import address_of, article, filled, of_form
from tests.core.crud.pages import open_form
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
EDITOR = CAST["official"].actor


def leads_to(slug: str) -> tuple[int, str]:
    answer = Client().get(f"/news/{slug}/")
    return answer.status_code, answer.get("Location", "")


def trash_id_of(item) -> str:
    return trash.of_record("news", item.id).trash_id


def renamed(item, slug: str):
    return news.update(item, {"slug": slug}, actor=EDITOR)


def test_articles_of_one_title_are_numbered() -> None:
    assert [article("Saisonauftakt für alle").slug for _time in range(3)] == [
        "saisonauftakt-fuer-alle",
        "saisonauftakt-fuer-alle-2",
        "saisonauftakt-fuer-alle-3",
    ]


def test_the_next_free_number_is_found_by_one_read_however_many_are_taken() -> None:
    for _time in range(12):
        article()

    with metering.metered() as meter:
        assert article().slug == "derby-13"

    assert meter.operations == ["TransactWriteItems", "BatchGetItem", "TransactWriteItems"]


def test_a_number_that_became_free_is_used_again() -> None:
    second = [article() for _time in range(3)][1]
    services.delete(CAST["official"], resource, second, seen_version=1)

    assert article().slug == "derby-2"


def test_twenty_who_write_the_same_title_at_once_get_twenty_addresses() -> None:
    slugs = at_once(lambda _number: str(article().slug), 20)

    assert sorted(slugs) == sorted(["derby", *(f"derby-{number}" for number in range(2, 21))])


def test_the_address_of_a_draft_follows_its_title(as_role) -> None:
    client, draft = as_role("official"), article()
    form = open_form(client, address_of(draft))
    assert form["slug"] == ""
    assert 'placeholder="derby"' in client.get(address_of(draft)).content.decode()

    form.fill(title="Pokalspiel").send()

    assert news.get(draft.id).slug == "pokalspiel"
    assert article().slug == "derby"


def test_the_address_of_a_draft_keeps_its_number_while_its_title_stays(as_role) -> None:
    _first, second = article(), article()

    open_form(as_role("official"), address_of(second)).fill(content="More.").send()

    assert news.get(second.id).slug == "derby-2"


def test_the_address_stays_when_the_title_changes_after_publication(as_role) -> None:
    client, item = as_role("official"), article(published=True)
    open_form(client, address_of(item)).fill(title="Derby won").send("publish")
    open_form(client, address_of(item)).send(to="unpublish")

    form = open_form(client, address_of(item))
    assert form["slug"] == "derby"
    form.fill(title="Derby lost").send()

    assert (news.get(item.id).title, news.get(item.id).slug) == ("Derby lost", "derby")


def test_an_editor_may_choose_it(as_role) -> None:
    client = as_role("official")
    form = filled(client, slug="das-derby")
    form.send()

    again = open_form(client, form.action)
    assert again["slug"] == "das-derby"
    again.fill(title="Pokalspiel").send()

    assert of_form(form).slug == "das-derby"


@pytest.mark.parametrize(
    "slug", ["Derby", "der by", "-derby", "derby-", "der--by", "müll", "a/b", "x" * 81, "derby\n2"]
)
def test_a_chosen_address_has_small_letters_digits_and_dashes_at_most_80(as_role, slug: str) -> None:
    answer = filled(as_role("official"), slug=slug).send()

    assert answer.status_code == 422
    assert 'id="id_slug_error"' in answer.content.decode()


def test_a_chosen_address_that_is_taken_is_said_at_its_field(as_role) -> None:
    article("Pokalspiel")

    answer = filled(as_role("official"), slug="pokalspiel").send()

    assert answer.status_code == 422
    assert "Another article already uses this address. Choose another one." in answer.content.decode()


def test_an_address_that_readers_may_know_leads_to_the_new_one() -> None:
    item = renamed(article(published=True), "a")
    item = renamed(item, "b")

    assert item.old_slugs == ["derby", "a"]
    assert leads_to("derby") == leads_to("a") == (301, "/news/b/")
    assert leads_to("b") == (200, "")
    assert leads_to("c") == (404, "")


def test_nobody_else_gets_an_address_that_readers_may_know() -> None:
    renamed(article(published=True), "a")

    assert article().slug == "derby-2"
    with pytest.raises(AlreadyExists) as refused:
        renamed(article("Other"), "derby")
    assert refused.value.field == "slug"


def test_an_article_may_go_back_to_an_address_it_had() -> None:
    item = renamed(renamed(article(published=True), "a"), "derby")

    assert (item.slug, item.old_slugs) == ("derby", ["a"])
    assert leads_to("a") == (301, "/news/derby/")


def test_the_addresses_of_a_draft_are_given_up() -> None:
    renamed(article(), "a")

    assert article().slug == "derby"


def test_an_article_keeps_its_twenty_latest_addresses() -> None:
    item = article(published=True)
    for number in range(MOST_OLD_SLUGS + 1):
        item = renamed(item, f"a-{number}")

    assert item.old_slugs == [f"a-{number}" for number in range(MOST_OLD_SLUGS)]
    assert leads_to("derby") == (404, "")
    assert leads_to("a-0") == (301, "/news/a-20/")


def test_old_addresses_of_what_readers_do_not_see_lead_nowhere(as_role) -> None:
    item = renamed(article(published=True), "a")
    as_role("official").post(address_of(item, "archive"), {"version": "2"})

    assert leads_to("derby") == leads_to("a") == (404, "")


def test_deleting_gives_all_addresses_up_and_restoring_takes_those_back_that_are_free(as_role) -> None:
    item = renamed(renamed(article(published=True), "a"), "b")
    services.delete(CAST["official"], resource, item, seen_version=3)
    assert article().slug == "derby"

    restored = news.restore(trash_id_of(item), actor=EDITOR)

    assert (restored.slug, restored.old_slugs) == ("b", ["a"])
    assert leads_to("a") == (301, "/news/b/")


def test_restoring_asks_for_another_address_only_if_the_current_one_is_taken() -> None:
    item = renamed(article(published=True), "a")
    services.delete(CAST["official"], resource, item, seen_version=2)
    renamed(article(), "a")
    article()

    with pytest.raises(AlreadyExists) as refused:
        news.restore(trash_id_of(item), actor=EDITOR)
    assert refused.value.field == "slug"
    restored = news.restore(trash_id_of(item), actor=EDITOR, fields={"slug": "c"})

    assert (restored.slug, restored.old_slugs) == ("c", [])
