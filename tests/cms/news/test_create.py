"""Writing an article: a draft needs a title only; what follows from others fills itself in."""

import json

import pytest

from cms.news.repository import news
from core.dynamo import working_copies
from tests.cast import CAST
from tests.cms.articles import NEW, filled, of_form
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")


def test_a_draft_needs_a_title_only(as_role) -> None:
    form = open_form(as_role("official"), NEW).fill(title="Neue Trikots für die Jugend")

    assert form.send().status_code == 302

    saved = of_form(form)
    assert (saved.title, saved.status, saved.content, saved.excerpt) == (
        "Neue Trikots für die Jugend",
        "draft",
        None,
        None,
    )
    assert saved.slug == "neue-trikots-fuer-die-jugend"


@pytest.mark.parametrize(
    ("title", "refusal"),
    [
        ("", "This field is required."),
        ("x" * 201, "Ensure this value has at most 200 characters"),
    ],
)
def test_a_title_is_needed_and_has_at_most_200_characters(as_role, title: str, refusal: str) -> None:
    answer = filled(as_role("official"), title=title).send()

    assert answer.status_code == 422
    assert refusal in answer.content.decode()


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    form = filled(as_role("official"), tags="Herren 1, Derby", publish_at="2026-12-24T18:00")
    form.send()

    stored = of_form(form).stored
    created = stored["createdAt"]
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "news"},
        "title": {"S": "Derby"},
        "slug": {"S": "derby"},
        "oldSlugs": {"L": []},
        "content": {
            "M": {
                "type": {"S": "doc"},
                "content": {
                    "L": [
                        {
                            "M": {
                                "type": {"S": "paragraph"},
                                "content": {
                                    "L": [{"M": {"type": {"S": "text"}, "text": {"S": "Five sets."}}}]
                                },
                            }
                        }
                    ]
                },
            }
        },
        "textImageIds": {"L": []},
        "excerpt": {"S": "Five sets."},
        "publishAt": {"S": "2026-12-24T17:00:00.000Z"},
        "publishedDate": {"S": "2026-12-24T17:00:00.000Z"},
        "status": {"S": "draft"},
        "authorIds": {"L": [{"S": "official-sub"}]},
        "imageIds": {"L": []},
        "tags": {"L": [{"S": "Herren 1"}, {"S": "Derby"}]},
        "sharedToMastodon": {"BOOL": False},
        "createdAt": created,
        "updatedAt": created,
        "version": {"N": "1"},
    }


def test_the_writer_is_the_author_unless_others_are_named(as_role) -> None:
    client = as_role("official")
    assert open_form(client, NEW)["author_ids"] == "official-sub"

    form = filled(client, author_ids=[])
    form.send()

    assert of_form(form).author_ids == ["official-sub"]


def test_an_author_who_is_in_no_directory_is_refused(as_role) -> None:
    answer = filled(as_role("official"), author_ids=["official-sub", "nobody"]).send()

    assert answer.status_code == 422
    assert "Something you chose no longer exists." in answer.content.decode()


def test_the_summary_is_the_beginning_of_the_text_and_follows_it(as_role) -> None:
    client = as_role("official")
    form = filled(client, content="Wort " * 200)
    form.send()
    assert of_form(form).excerpt == ("Wort " * 100).strip() + "…"

    again = open_form(client, form.action)
    assert again["excerpt"] == ""
    assert 'placeholder="Wort Wort' in client.get(form.action).content.decode()
    again.fill(content="Short now.").send()

    assert of_form(form).excerpt == "Short now."


def test_a_summary_that_was_written_stays(as_role) -> None:
    client = as_role("official")
    form = filled(client, excerpt="Won at last.")
    form.send()

    again = open_form(client, form.action)
    assert again["excerpt"] == "Won at last."
    again.fill(content="Another text.").send()

    assert of_form(form).excerpt == "Won at last."


def test_a_summary_has_at_most_500_characters(as_role) -> None:
    answer = filled(as_role("official"), excerpt="x" * 501).send()

    assert answer.status_code == 422
    assert "Ensure this value has at most 500 characters" in answer.content.decode()


def test_the_date_names_the_time_zone_of_the_club(as_role) -> None:
    assert "Time in Europe/Berlin." in as_role("official").get(NEW).content.decode()


def test_what_the_form_does_not_show_is_kept(as_role) -> None:
    client = as_role("official")
    form = filled(client)
    form.send()
    news.update(of_form(form), {"shared_to_mastodon": True}, actor=CAST["official"].actor)

    open_form(client, form.action).fill(title="Derby won").send()

    saved = of_form(form)
    assert (saved.title, saved.shared_to_mastodon) == ("Derby won", True)


def test_rich_text_is_kept_as_a_document(as_role) -> None:
    heading = {
        "type": "heading",
        "attrs": {"level": 2},
        "content": [{"type": "text", "text": "Sieg", "marks": [{"type": "bold"}]}],
    }
    form = filled(as_role("official"), content__document=json.dumps({"type": "doc", "content": [heading]}))
    del form.fields["content"]

    form.send()

    assert of_form(form).content == {"type": "doc", "content": [heading]}


def test_a_duplicate_begins_as_a_draft_of_the_person_who_made_it_with_an_address_of_its_own(as_role) -> None:
    form = filled(as_role("official"), publish_at="2026-01-05T10:00")
    form.send("publish")
    moderator = as_role("moderator")

    copy = OpenForm(moderator, moderator.get(form.action + "duplicate"))
    assert (copy["title"], copy["slug"], copy["publish_at"]) == ("Derby (copy)", "", "")
    copy.fill(title="Derby").send()

    saved = of_form(copy)
    assert (saved.status, saved.slug, saved.author_ids) == ("draft", "derby-2", ["moderator-sub"])
    assert working_copies.get("news", saved.id) is None
