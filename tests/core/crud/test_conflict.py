"""Two people save the same record: the second sees both versions, and nothing that was typed is lost."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from cms.news.repository import news
from cms.news.resource import news as resource
from core.content.richtext import plain_text
from core.crud import services
from core.crud.publication import change_status
from core.dynamo import history, trash, working_copies
from tests.cast import CAST, sign_in
from tests.cms.articles import address_of, article
from tests.core.crud.conflicts import choices, conflict, stored, two_open
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")

LONG = "We played for two hours in a full hall. It took five sets until the last point was made. Thanks."


# --- Both versions are shown -----------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "htmx"])
def test_the_second_to_save_sees_both_versions_and_loses_nothing(
    odile: Client, moritz: Client, htmx: bool
) -> None:
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won").send()

    answer = mine.fill(title="Derby lost", content="Six sets.").send(htmx=htmx)

    page = conflict(answer)
    assert ("<html" in page) is not htmx
    assert "Derby lost" in page
    assert "Derby won" in page
    assert "The other version is by Moritz Feldkamp" in page
    assert 'id="conflict-heading" tabindex="-1" autofocus' in page
    # Buttons that belong to the form it took the place of are gone.
    assert 'form="record-form"' not in page
    assert ('id="record-head" hx-swap-oob="true"' in page) is htmx
    kept = OpenForm(odile, answer)
    assert (kept["title"], kept["content"]) == ("Derby lost", "Six sets.")
    assert stored(item).title == "Derby won"


def test_only_what_differs_is_shown(odile: Client, moritz: Client) -> None:
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won").send()

    assert choices(mine.fill(title="Derby lost").send()) == {"title": "mine"}


def test_a_field_that_one_side_changed_is_chosen_from_that_side(odile: Client, moritz: Client) -> None:
    item = article("Derby", text="Five sets.")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won", tags="cup").send()
    open_form(moritz, address_of(item)).fill(excerpt="By Moritz").send()

    answer = mine.fill(title="Derby lost", content="Six sets.").send()

    assert choices(answer) == {"title": "mine", "content": "mine", "excerpt": "theirs", "tags": "theirs"}
    page = conflict(answer)
    title = page.split('id="contested-title"')[1].split('id="contested-content"')[0]
    assert "Both changed" in title
    assert "Before: Derby" in title
    assert page.count("Both changed") == 1


def test_long_texts_show_what_each_changed(odile: Client, moritz: Client) -> None:
    item = article(text=LONG)
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(content=LONG.replace("two hours", "three hours")).send()

    page = conflict(mine.fill(content=LONG.replace("five sets", "six sets")).send())

    removed = '<del><span class="visually-hidden">removed: </span>{}</del>'
    assert removed.format("five ") in page.split('id="mine-content"')[1].split('id="theirs-content"')[0]
    assert removed.format("two ") in page.split('id="theirs-content"')[1]


def test_after_a_restore_from_the_trash_what_both_began_with_is_not_guessed(
    odile: Client, moritz: Client
) -> None:
    item = article("Derby", text="Five sets.")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won").send()
    news.delete(stored(item), actor=CAST["moderator"].actor)
    (trashed,) = trash.page("news").items
    news.restore(trashed.trash_id, actor=CAST["moderator"].actor)

    answer = mine.fill(content="Six sets.").send()

    assert choices(answer) == {"title": "mine", "content": "mine"}
    assert "Both changed" not in conflict(answer)


def test_what_was_typed_is_inert(odile: Client, moritz: Client) -> None:
    hostile = '"><script>alert(1)</script>'
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title=f"Theirs {hostile}", content=f"Theirs {hostile}" * 9).send()

    answer = mine.fill(title=f"Mine {hostile}", content=f"Mine {hostile}" * 9, **{hostile: hostile}).send()

    assert "<script>alert" not in conflict(answer)
    assert OpenForm(odile, answer)["title"] == f"Mine {hostile}"


# --- What can be done about it ---------------------------------------------------------------------------


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "htmx"])
def test_the_chosen_versions_are_merged(odile: Client, moritz: Client, htmx: bool) -> None:
    item = article("Derby", text="Five sets.")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won", content="Four sets.", tags="cup").send()
    answer = mine.fill(title="Derby lost", content="Six sets.", excerpt="Short").send(htmx=htmx)

    merged = OpenForm(odile, answer).fill(**{"take-title": "mine", "take-content": "theirs"}).send(htmx=htmx)

    # The page of the conflict is left: it holds nothing any more that could be saved.
    assert merged["HX-Redirect" if htmx else "Location"] == address_of(item)
    now = stored(item)
    assert (now.title, plain_text(now.content), now.excerpt) == ("Derby lost", "Four sets.", "Short")
    assert (now.tags, now.version) == (["cup"], 3)


def test_mine_can_overwrite_everything(odile: Client, moritz: Client) -> None:
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won", tags="cup").send()
    answer = mine.fill(content="Six sets.").send()
    assert choices(answer)["title"] == "theirs"

    OpenForm(odile, answer).fill(**{"take-all-fields": "mine"}).send()

    now = stored(item)
    assert (now.title, now.tags, plain_text(now.content)) == ("Derby", [], "Six sets.")


def test_mine_can_be_discarded(odile: Client) -> None:
    item = article("Derby")
    mine = open_form(odile, address_of(item))
    mine.fill(title="Derby lost").send(to="autosave", htmx=True)
    news.update(stored(item), {"title": "Derby won"}, actor=CAST["moderator"].actor)
    answer = mine.send()
    page = conflict(answer)
    assert f'formaction="{address_of(item, "discard")}"' in page

    OpenForm(odile, answer).send(to="discard")

    assert open_form(odile, address_of(item))["title"] == "Derby won"
    assert working_copies.get("news", item.id) is None


def test_a_further_change_is_met_again_with_what_was_chosen(odile: Client, moritz: Client) -> None:
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won", content="Four sets.").send()
    first = mine.fill(title="Derby lost", content="Six sets.").send()
    open_form(moritz, address_of(item)).fill(content="Three sets.").send()

    second = OpenForm(odile, first).fill(**{"take-title": "theirs"}).send()

    assert "Three sets." in conflict(second)
    assert choices(second) == {"title": "theirs", "content": "mine"}
    assert OpenForm(odile, second)["title"] == "Derby lost"
    assert OpenForm(odile, second).send().status_code == 302
    assert (stored(item).title, plain_text(stored(item).content)) == ("Derby won", "Six sets.")


def test_what_the_other_version_makes_invalid_is_corrected_in_the_form(odile: Client, moritz: Client) -> None:
    item = article("Derby", published=True)
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="By Moritz", slug="Not / a slug").send(to="autosave", htmx=True)
    answer = mine.fill(title="By Odile").send("publish")
    assert choices(answer) == {"title": "mine", "slug": "theirs"}

    refused = OpenForm(odile, answer).send("publish")

    assert refused.status_code == 422
    form = OpenForm(odile, refused)
    assert (form["title"], form["slug"]) == ("By Odile", "Not / a slug")
    assert form.fill(slug="derby").send("publish").status_code == 302


def test_a_choice_is_never_applied_to_a_version_that_was_not_shown(odile: Client, moritz: Client) -> None:
    item = article("Derby", published=True)
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(slug="Not / a slug").send(to="autosave", htmx=True)
    first = mine.fill(title="By Odile").send("publish")
    theirs.fill(slug="Still / not").send(to="autosave", htmx=True)

    second = OpenForm(odile, first).send("publish")

    assert "Still / not" in conflict(second)
    assert choices(second) == {"title": "mine", "slug": "theirs"}


@pytest.mark.parametrize(
    "taken",
    [
        {"take-status": "theirs"},
        {"take-version": "theirs"},
        {"take-title": "<script>"},
        {"take-title": "theirs", "take-theirs-from": "elsewhere"},
        {"take-": "theirs"},
        {"take-content-document": "theirs"},
        {"take-__class__": "theirs"},
    ],
    ids=str,
)
def test_choices_that_nobody_was_offered_do_nothing(odile: Client, taken: dict[str, str]) -> None:
    item = article("Derby", text="Five sets.")
    form = open_form(odile, address_of(item)).fill(content="Six sets.")

    answer = form.fill(**taken).send()

    assert answer.status_code == 302
    now = stored(item)
    assert (now.title, plain_text(now.content), now.status) == ("Derby", "Six sets.", "draft")


# --- What is no conflict ---------------------------------------------------------------------------------


def test_a_change_that_is_in_no_form_is_no_conflict(odile: Client) -> None:
    item = article("Derby", published=True)
    form = open_form(odile, address_of(item))
    change_status(CAST["moderator"], resource, stored(item), "archived", seen_version=1)

    assert form.fill(title="Derby lost").send().status_code == 302

    now = stored(item)
    assert (now.title, now.status, now.version) == ("Derby lost", "archived", 3)


def test_publishing_in_another_tab_is_no_conflict(odile: Client) -> None:
    """It sets the date and fixes the address, which are fields of the form."""
    item = article("Derby")
    form = open_form(odile, address_of(item))
    open_form(odile, address_of(item)).send("publish")
    published = stored(item)

    assert form.fill(title="Derby lost").send().status_code == 302

    copy = working_copies.get("news", item.id)
    assert copy is not None
    assert (copy.values["typed"]["title"], copy.based_on) == (["Derby lost"], 2)
    open_form(odile, address_of(item)).send("publish")
    now = stored(item)
    assert (now.title, now.slug, now.publish_at) == ("Derby lost", "derby", published.publish_at)


def test_the_same_change_by_both_is_no_conflict(odile: Client, moritz: Client) -> None:
    item = article("Derby")
    mine, theirs = two_open(item, odile, moritz)
    theirs.fill(title="Derby won").send()

    assert mine.fill(title="Derby won", tags="cup").send().status_code == 302
    assert (stored(item).title, stored(item).tags) == ("Derby won", ["cup"])


def test_who_meets_yet_another_change_while_saving_again_is_asked(
    odile: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = article("Derby")
    form = open_form(odile, address_of(item)).fill(title="Derby lost")
    write = services.write
    quicker = [True, False, True]

    def write_after_another(*args: Any, **options: Any) -> Any:
        if quicker:
            change = {"shared_to_mastodon": quicker.pop()}
            news.update(stored(item), change, actor=CAST["moderator"].actor)
        return write(*args, **options)

    monkeypatch.setattr(services, "write", write_after_another)

    answer = form.send()

    assert choices(answer) == {"title": "mine"}
    assert OpenForm(odile, answer)["title"] == "Derby lost"
    assert (stored(item).title, stored(item).version) == ("Derby", 3)


# --- Many at once ----------------------------------------------------------------------------------------


def test_of_ten_who_save_at_once_one_wins_each_version_and_nothing_is_lost(db: Any) -> None:
    item = article("Derby", text="Five sets.", by="moderator")
    forms = [
        open_form(sign_in(Client(), "moderator"), address_of(item)).fill(title=f"By {number}")
        for number in range(10)
    ]
    waiting = dict(enumerate(forms))
    saved: list[int] = []
    with ThreadPoolExecutor(max_workers=10) as pool:
        for version in range(2, 12):
            answers = dict(zip(waiting, pool.map(OpenForm.send, waiting.values()), strict=True))
            winners = [number for number, answer in answers.items() if answer.status_code == 302]
            assert len(winners) == 1
            assert stored(item).version == version
            assert stored(item).title == f"By {winners[0]}"
            saved += winners
            del waiting[winners[0]]
            for number in waiting:
                conflict(answers[number])
                waiting[number] = OpenForm(forms[number].client, answers[number])
                assert waiting[number]["title"] == f"By {number}"

    assert sorted(saved) == list(range(10))
    told = [entry.verb for entry in history.entries("news", item.id).items]
    assert told == ["update"] * 10 + ["create"]
