"""Saved views of a list: kept for the person, copied into the session, shown as chips."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from core.dynamo import metering, preferences
from tests.cast import CAST
from tests.core.crud.roles import LIST, make

AsRole = Callable[[str], Client]
SAVE, REMOVE = f"{LIST}saved", f"{LIST}saved/remove"
BOARD = {"vorstand": "yes", "sort": "-name"}
SUB = CAST["member"].sub


def save(client: Client, name: str, **chosen: str) -> Any:
    return client.post(SAVE, {"name": name, **chosen}, follow=True)


def chips(response: Any) -> list[tuple[str, str, bool]]:
    return [(view.name, view.address, view.is_current) for view in response.context["saved_views"]]


def told(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def test_what_the_list_shows_is_kept_under_a_name(as_role: AsRole) -> None:
    response = save(as_role("member"), "The board", q="tr", **BOARD)

    assert response.redirect_chain == [(f"{LIST}?q=tr&vorstand=yes&sort=-name", 302)]
    assert told(response) == ["View saved as “The board”."]
    assert chips(response) == [("The board", "?q=tr&sort=-name&vorstand=yes", True)]
    assert preferences.all_of(SUB) == {"view:role:The board": {"q": "tr", **BOARD}}


def test_only_the_current_one_is_marked(as_role: AsRole) -> None:
    client = as_role("member")
    save(client, "The board", **BOARD)
    save(client, "All", sort="name")

    response = client.get(LIST)

    assert chips(response) == [
        ("All", "?sort=name", True),
        ("The board", "?sort=-name&vorstand=yes", False),
    ]
    page = response.content.decode()
    assert '<a class="chip" id="view-1" href="?sort=name" aria-current="true">' in page
    assert '<a class="chip" id="view-2" href="?sort=-name&amp;vorstand=yes">' in page


def test_the_same_name_replaces_the_view(as_role: AsRole) -> None:
    client = as_role("member")
    save(client, "Mine", vorstand="yes")

    response = save(client, "Mine", vorstand="no")

    assert chips(response) == [("Mine", "?sort=name&vorstand=no", True)]


def test_a_chip_can_be_removed(as_role: AsRole) -> None:
    client = as_role("member")
    save(client, "The board", **BOARD)

    response = client.post(REMOVE, {"name": "The board", **BOARD}, follow=True)

    assert response.redirect_chain == [(f"{LIST}?vorstand=yes&sort=-name", 302)]
    assert chips(response) == []
    assert preferences.all_of(SUB) == {}


def test_they_belong_to_one_person_and_one_list(as_role: AsRole) -> None:
    save(as_role("official"), "The board", **BOARD)

    assert chips(as_role("official").get("/cms/news/")) == []
    assert chips(as_role("other-member").get(LIST)) == []


def test_a_name_is_needed_and_has_at_most_60_characters(as_role: AsRole) -> None:
    client = as_role("member")

    assert told(save(client, " \t\u200b\n ", **BOARD)) == ["Give this view a name to save it."]
    response = save(client, "x" * 61, **BOARD)

    assert [name for name, _address, _current in chips(response)] == ["x" * 60]


def test_at_most_twenty_for_a_list(as_role: AsRole) -> None:
    client = as_role("member")
    for number in range(20):
        preferences.save(SUB, f"view:role:View {number}", BOARD)

    refused = save(client, "One more", **BOARD)
    assert refused.redirect_chain == [(f"{LIST}?vorstand=yes&sort=-name", 302)]
    assert [each.level_tag for each in refused.context["messages"]] == ["error"]
    replaced = save(client, "View 7", vorstand="no")

    assert told(refused) == ["You already have 20 saved views of this list. Remove one first."]
    assert told(replaced)[-1] == "View saved as “View 7”."
    assert len(preferences.all_of(SUB)) == 20


def test_what_is_no_filter_of_the_list_is_not_kept(as_role: AsRole) -> None:
    save(as_role("member"), "Odd", vorstand="perhaps", sort="password", after="x", admin="1")

    assert preferences.all_of(SUB) == {"view:role:Odd": {"sort": "name"}}


def test_a_name_is_shown_as_it_is_never_as_markup(as_role: AsRole) -> None:
    page = save(as_role("member"), "<b>x</b>\"'", **BOARD).content.decode()

    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;&quot;&#x27;" in page


def test_the_list_reads_them_from_the_session(as_role: AsRole) -> None:
    make("Treasurer")
    client = as_role("member")
    save(client, "The board", **BOARD)

    with metering.metered() as meter:
        response = client.get(LIST)

    assert len(chips(response)) == 1
    assert meter.operations == ["GetItem", "Query"]


def test_a_session_without_them_shows_none_and_loses_none(as_role: AsRole) -> None:
    preferences.save(SUB, "view:role:From the phone", BOARD)
    client = as_role("member")
    assert chips(client.get(LIST)) == []

    response = save(client, "From the desk", vorstand="no")

    assert [name for name, *_rest in chips(response)] == ["From the desk", "From the phone"]
