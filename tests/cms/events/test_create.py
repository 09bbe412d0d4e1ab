"""Writing an event: a draft needs a title only; to publish it needs a beginning."""

import pytest

from cms.events.models import Event
from tests.cms.occasions import NEW_EVENT, filled, of_form
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")


def test_a_draft_needs_a_title_only(as_role) -> None:
    form = open_form(as_role("official"), NEW_EVENT).fill(title="Sommerfest für alle")

    assert form.send().status_code == 302

    saved = of_form(form)
    assert (saved.title, saved.status, saved.slug) == ("Sommerfest für alle", "draft", "sommerfest-fuer-alle")
    assert (saved.start_date, saved.end_date, saved.address, saved.description) == (None, None, None, None)
    assert saved.author_ids == ["official-sub"]


def test_publishing_needs_a_beginning(as_role) -> None:
    answer = filled(as_role("official"), start_date="").send("publish")

    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    form = filled(
        as_role("official"),
        end_date="2027-07-04T22:15",
        variant="Party",
        description="Bring cake.",
        address__name="Mühlenhalle",
        address__street="Am Bach 3",
        address__postalCode="79379",
        address__city="Müllheim",
    )
    form.send("publish")

    stored = of_form(form).stored
    created = stored["createdAt"]
    paragraph = {"type": {"S": "text"}, "text": {"S": "Bring cake."}}
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "event"},
        "title": {"S": "Summer party"},
        "slug": {"S": "summer-party"},
        "oldSlugs": {"L": []},
        "description": {
            "M": {
                "type": {"S": "doc"},
                "content": {"L": [{"M": {"type": {"S": "paragraph"}, "content": {"L": [{"M": paragraph}]}}}]},
            }
        },
        "startDate": {"S": "2027-07-04T13:00:00.000Z"},
        "endDate": {"S": "2027-07-04T20:15:00.000Z"},
        "address": {
            "M": {
                "name": {"S": "Mühlenhalle"},
                "street": {"S": "Am Bach 3"},
                "postalCode": {"N": "79379"},
                "city": {"S": "Müllheim"},
            }
        },
        "variant": {"S": "Party"},
        "status": {"S": "published"},
        "authorIds": {"L": [{"S": "official-sub"}]},
        "imageIds": {"L": []},
        "textImageIds": {"L": []},
        "teamIds": {"L": []},
        "firstPublishedAt": created,
        "createdAt": created,
        "updatedAt": created,
        "version": {"N": "1"},
    }


@pytest.mark.parametrize(
    ("field", "value", "refusal"),
    [
        ("title", "", "This field is required."),
        ("title", "x" * 201, "Ensure this value has at most 200 characters"),
        ("variant", "x" * 51, "Ensure this value has at most 50 characters"),
        ("start_date", "31 February", "Enter a date and a time."),
        ("end_date", "2027-07-04T14:59", "The end must be after the start."),
        ("end_date", "2027-08-04T15:01", "An event can last up to 31 days."),
        ("address__postalCode", "99", "Enter a postal code, such as 79379 or SW1A 1AA."),
        ("address__postalCode", "79379!", "Enter a postal code, such as 79379 or SW1A 1AA."),
        ("address__postalCode", "12345678901", "Ensure this value has at most 10 characters"),
        ("address__name", "x" * 201, "Ensure this value has at most 200 characters"),
        ("address__street", "x" * 201, "Ensure this value has at most 200 characters"),
        ("address__city", "x" * 101, "Ensure this value has at most 100 characters"),
        ("slug", "Not / a slug", "Use lowercase letters"),
        ("author_ids", ["nobody"], "Something you chose no longer exists."),
    ],
)
def test_what_is_beyond_the_limits_is_refused_at_its_field(as_role, field: str, value, refusal: str) -> None:
    answer = filled(as_role("official"), **{field: value}).send()

    assert answer.status_code == 422
    assert refusal in answer.content.decode()


@pytest.mark.parametrize("end", ["2027-07-04T15:00", "2027-08-04T15:00"])
def test_it_may_end_when_it_begins_and_after_31_days(as_role, end: str) -> None:
    assert filled(as_role("official"), end_date=end).send().status_code == 302


def test_an_end_needs_a_beginning(as_role) -> None:
    answer = filled(as_role("official"), start_date="", end_date="2027-07-04T15:00").send()

    assert answer.status_code == 422
    assert "Enter a start date too." in answer.content.decode()


def test_only_the_parts_of_an_address_that_are_known_are_kept_and_it_can_be_taken_away(as_role) -> None:
    client = as_role("official")
    form = filled(client, address__city="Müllheim", address__postalCode="01067")
    form.send()
    assert of_form(form).address == {"city": "Müllheim", "postalCode": "01067"}
    assert of_form(form).place == "01067 Müllheim"

    again = open_form(client, form.action)
    assert (again["address-city"], again["address-postalCode"]) == ("Müllheim", "01067")
    again.fill(address__city="", address__postalCode="").send()

    assert of_form(form).address is None


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("79379", 79379),
        ("01067", "01067"),
        ("4051", "4051"),
        ("SW1A 1AA", "SW1A 1AA"),
        ("1012 AB", "1012 AB"),
    ],
)
def test_a_postal_code_is_kept_and_shown_as_it_was_typed(as_role, typed: str, kept: str | int) -> None:
    form = filled(as_role("official"), address__city="Basel", address__postalCode=typed)
    form.send()

    assert of_form(form).address == {"city": "Basel", "postalCode": kept}
    assert of_form(form).place == f"{typed} Basel"
    assert open_form(as_role("official"), form.action)["address-postalCode"] == typed


def test_a_number_of_another_program_is_a_german_postal_code() -> None:
    assert Event(address={"postalCode": 1067, "city": "Dresden"}).place == "01067 Dresden"


def test_a_wrong_part_of_the_address_has_the_focus_and_everything_typed_stays(as_role) -> None:
    page = filled(as_role("official"), address__name="Halle", address__postalCode="5").send().content.decode()

    code = page.partition('name="address-postalCode"')[2].partition(">")[0]
    assert 'aria-invalid="true"' in code
    assert "autofocus" in code
    assert 'value="Halle"' in page


def test_the_pickers_of_times_go_in_steps_of_15_minutes_and_kinds_are_suggested(as_role) -> None:
    page = as_role("official").get(NEW_EVENT).content.decode()

    assert page.count('step="900"') == 2
    assert 'list="id_variant_suggestions"' in page
    assert '<option value="Tournament"></option>' in page


def test_a_duplicate_is_a_draft_at_another_time_of_the_person_who_made_it(as_role) -> None:
    form = filled(as_role("official"), end_date="2027-07-04T16:00", address__city="Müllheim")
    form.send("publish")
    moderator = as_role("moderator")

    copy = OpenForm(moderator, moderator.get(form.action + "duplicate"))
    assert (copy["title"], copy["start_date"], copy["end_date"], copy["slug"]) == (
        "Summer party (copy)",
        "",
        "",
        "",
    )
    copy.fill(title="Summer party").send()

    saved = of_form(copy)
    assert (saved.status, saved.slug, saved.author_ids) == ("draft", "summer-party-2", ["moderator-sub"])
    assert saved.address == {"city": "Müllheim"}
