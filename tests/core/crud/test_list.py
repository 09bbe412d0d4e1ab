"""The list: filters, search as you type, orders, and what a page of it costs."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.accounts.models import Person
from core.accounts.repository import PeopleRepository, people
from core.accounts.rights import RIGHTS, Right, is_author, is_self
from core.dynamo import metering
from core.dynamo.errors import AlreadyExists
from tests.cast import CAST, sign_in
from tests.core.crud.roles import LIST, MAKER, fill, make, names_in, next_page
from tests.core.dynamo.filling import stop_streams

AsRole = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
NEWS = "/cms/news/"


def shown(client: Client, address: str = LIST, **asked: str) -> list[str]:
    response = client.get(address, asked)
    assert response.status_code == 200
    return [unescape(name) for name in names_in(response.content.decode())]


# --- Filters --------------------------------------------------------------------------------------------


def test_a_filter_that_an_index_serves_is_one_query_of_that_index(as_role: AsRole) -> None:
    for title, status in [("Old", "archived"), ("New", "draft"), ("Older", "archived")]:
        news.create(News(title=title, slug=title, status=status), actor=MAKER)
    client = as_role("official")

    with metering.metered() as meter:
        titles = shown(client, NEWS, status="archived")

    assert titles == ["Older", "Old"]
    assert [call.index for call in meter.calls if call.operation == "Query"] == ["GSI-PublishedDate"]
    assert next(call for call in meter.calls if call.operation == "Query").items == 2


def test_a_filter_that_no_index_serves_looks_at_200_records_and_offers_to_go_on(as_role: AsRole) -> None:
    fill(0, 250)
    make("The last one", vorstand=True)
    client = as_role("member")

    first = client.get(LIST, {"vorstand": "yes"})
    second = client.get(LIST + next_page(first))

    assert names_in(first.content.decode()) == []
    assert "Nothing found so far." in first.content.decode()
    assert "Search more" in first.content.decode()
    assert names_in(second.content.decode()) == ["The last one"]
    assert next_page(second) == ""


def test_what_is_no_choice_means_all(as_role: AsRole) -> None:
    make("Treasurer")

    assert shown(as_role("member"), vorstand="perhaps") == ["Treasurer"]


def test_what_is_narrowed_can_be_cleared(as_role: AsRole) -> None:
    make("Treasurer")
    client = as_role("member")

    assert 'id="clear"' not in client.get(LIST).content.decode()
    page = client.get(LIST, {"vorstand": "yes"}).content.decode()

    assert f'id="clear" href="{LIST}"' in page
    assert "Nothing matches this search and these filters." in page
    assert '<option value="yes" selected>Yes</option>' in page


def test_only_what_differs_from_the_usual_can_be_saved_as_a_view(as_role: AsRole) -> None:
    make("Treasurer")
    client = as_role("member")

    assert "save-view" not in client.get(LIST).content.decode()
    for asked in ({"vorstand": "no"}, {"q": "tr"}, {"sort": "-name"}):
        page = client.get(LIST, asked).content.decode()
        assert 'popovertarget="save-view"' in page
        assert 'id="save-view" popover' in page


def test_the_button_of_the_filters_says_how_many_are_set(as_role: AsRole) -> None:
    make("Treasurer", vorstand=True)
    client = as_role("member")

    def told(**asked: str) -> str:
        page = client.get(LIST, asked).content.decode()
        return re.findall(r'id="filter-count">(.*?)</span></button>', page)[0]

    assert told() == told(q="tr", sort="-name") == ""
    assert told(vorstand="yes") == (
        '<span aria-hidden="true">1</span><span class="visually-hidden">1 filter set</span>'
    )


def test_files_and_trash_are_in_a_menu_and_files_only_of_rows(as_role: AsRole) -> None:
    client = as_role("moderator")

    def menu() -> list[str]:
        page = client.get(LIST).content.decode()
        return re.findall(r'<li><a id="([^"]+)"', page.split('id="list-more"')[1].split("</details>")[0])

    assert menu() == ["to-trash"]
    make("Treasurer")
    assert menu() == ["export-csv", "export-xlsx", "to-trash"]


def test_an_empty_list_says_what_to_do_next(as_role: AsRole) -> None:
    for_makers = as_role("moderator").get(LIST).content.decode()
    for_readers = as_role("member").get(LIST).content.decode()

    assert "No roles yet. Create the first one" in for_makers
    assert 'id="first-new"' in for_makers
    assert 'id="first-new"' not in for_readers


# --- Search ---------------------------------------------------------------------------------------------


def test_the_beginnings_of_words_find_accents_and_capitals_apart(as_role: AsRole) -> None:
    for name in ["Jugendtrainer Müller", "Kassenwart", "Trainer"]:
        make(name)
    client = as_role("member")

    assert shown(client, q="MULL") == ["Jugendtrainer Müller"]
    assert shown(client, q="jug mül") == ["Jugendtrainer Müller"]
    assert shown(client, q="train") == ["Trainer"]
    assert shown(client, q="nobody") == []


def test_records_of_other_lists_are_not_found(as_role: AsRole) -> None:
    make("Derby steward")
    news.create(News(title="Derby", slug="derby"), actor=MAKER)

    assert shown(as_role("official"), q="derby") == ["Derby steward"]
    assert shown(as_role("official"), NEWS, q="derby") == ["Derby"]


def test_a_search_keeps_to_the_filters_those_with_an_index_too(as_role: AsRole) -> None:
    for title, status in [("Derby won", "published"), ("Derby lost", "draft")]:
        news.create(News(title=title, slug=title, status=status), actor=MAKER)

    assert shown(as_role("official"), NEWS, q="derby", status="draft") == ["Derby lost"]


def test_htmx_gets_the_results_with_what_lies_outside_of_them(as_role: AsRole) -> None:
    make("Treasurer", vorstand=True)

    page = as_role("member").get(LIST, {"vorstand": "yes"}, headers=HTMX).content.decode()

    assert "<html" not in page
    # The status itself stays in the page: screen readers announce what changes in it.
    assert '<p hx-swap-oob="innerHTML:#found">1 entry</p>' in page
    for part in ("filter-count", "filter-choices", "list-tools"):
        assert re.search(rf'id="{part}" hx-swap-oob="true"', page)
    assert "1 filter set" in page
    assert names_in(page) == ["Treasurer"]


# --- Orders ---------------------------------------------------------------------------------------------


def test_the_orders_that_an_index_gives(as_role: AsRole) -> None:
    for name in ["Berater", "Älteste", "Chronist"]:
        make(name)
    client = as_role("member")

    assert shown(client) == ["Älteste", "Berater", "Chronist"]
    assert shown(client, sort="-name") == ["Chronist", "Berater", "Älteste"]
    assert shown(client, sort="vorstand") == ["Älteste", "Berater", "Chronist"]


def test_the_order_can_be_chosen_by_heading_and_by_a_select_for_phones(as_role: AsRole) -> None:
    make("Treasurer")

    page = as_role("member").get(LIST, {"sort": "-name"}).content.decode()

    assert '<option value="-name" selected>Name (Z to A)</option>' in page
    assert 'aria-sort="descending"><a id="sort-name" href="?sort=name"' in page


def test_words_have_no_order_to_choose(as_role: AsRole) -> None:
    make("Treasurer")

    page = as_role("member").get(LIST, {"q": "tr"}).content.decode()

    assert 'id="sort"' not in page
    assert 'id="sort-name"' not in page


# --- Rows -----------------------------------------------------------------------------------------------


def test_names_of_other_records_and_working_copies_come_by_one_batch(as_role: AsRole) -> None:
    people.create(Person(sub="ada", name="Ada Abel", email="ada@fieldhouse.example"), actor=MAKER)
    for number in range(3):
        news.create(News(title=f"Derby {number}", slug=f"derby-{number}", author_ids=["ada"]), actor=MAKER)
    client = as_role("official")

    with metering.metered() as meter:
        page = client.get(NEWS).content.decode()

    assert page.count("Ada Abel") == 3
    assert meter.operations == ["GetItem", "Query", "BatchGetItem"]


def test_names_that_are_made_of_several_attributes_are_whole(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PeopleRepository, "label_fields", ("name", "email"))
    monkeypatch.setattr(
        PeopleRepository, "label_of", lambda _self, person: f"{person.name} at {person.email}"
    )
    people.create(Person(sub="ada", name="Ada Abel", email="ada@fieldhouse.example"), actor=MAKER)
    news.create(News(title="Derby", slug="derby", author_ids=["ada"]), actor=MAKER)

    assert "Ada Abel at ada@fieldhouse.example" in as_role("official").get(NEWS).content.decode()


def test_only_the_names_of_records_that_the_person_may_see_are_shown(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RIGHTS, "accounts.person.view", Right(own=is_self))
    for sub, email in [("ada", "ada@fieldhouse.example"), ("odile", CAST["official"].email)]:
        people.create(Person(sub=sub, name=sub.title(), email=email), actor=MAKER)
    news.create(News(title="Derby", slug="derby", author_ids=["ada", "odile"]), actor=MAKER)
    client = as_role("official")

    page = client.get(NEWS).content.decode()
    file = b"".join(client.get(f"{NEWS}export.csv").streaming_content).decode()

    assert "Odile" in page
    assert "Odile" in file
    assert "Ada" not in page + file


@pytest.mark.parametrize("address", [NEWS, f"{NEWS}?q=derby", f"{NEWS}export.csv", f"{NEWS}pick"])
def test_records_that_the_person_may_not_see_are_not_listed(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setitem(RIGHTS, "cms.news.view", Right(own=is_author))
    for title, author in [("Derby won", CAST["official"].sub), ("Derby lost", "somebody-else")]:
        news.create(News(title=title, slug=title, author_ids=[author]), actor=MAKER)

    answer = as_role("official").get(address)

    text = b"".join(answer.streaming_content if answer.streaming else [answer.content])
    assert b"Derby won" in text
    assert b"Derby lost" not in text


def test_what_is_typed_into_records_is_never_markup(as_role: AsRole) -> None:
    make("<script>alert(1)</script>")

    assert "<script>alert" not in as_role("moderator").get(LIST).content.decode()


@pytest.mark.usefixtures("own_engine")
def test_a_page_costs_the_same_first_and_fortieth_and_with_500_and_5000_records(client: Client) -> None:
    stop_streams()
    sign_in(client, "moderator")

    def costs() -> list[tuple[list[str], int, float]]:
        found = []
        address = LIST + "?limit=10"
        for page in range(1, 41):
            with metering.metered() as meter:
                response = client.get(address)
            address = LIST + next_page(response)
            if page in (1, 40):
                found.append((meter.operations, meter.items, meter.units))
        return found

    fill(0, 500)
    with_500 = costs()
    fill(500, 5000)
    with_5000 = costs()

    assert with_500[0] == with_500[1] == with_5000[0] == with_5000[1]
    assert with_500[0][0] == ["GetItem", "Query"]


# --- Names ----------------------------------------------------------------------------------------------


def test_a_name_of_which_nothing_is_left_to_sort_by_is_sorted_as_it_is(as_role: AsRole) -> None:
    make("\u0301")

    assert shown(as_role("member")) == ["\u0301"]
    with pytest.raises(AlreadyExists):
        make("\u0301")
