"""Writing down a team: every field with its rule."""

import pytest

from cms.sams.models import SamsTeam
from cms.sams.repository import sams_teams
from cms.teams.repository import teams
from core.dynamo import metering
from tests.cms.club import MAKER, make_location, make_member, make_team, training
from tests.core.crud.pages import OpenForm, open_form

pytestmark = pytest.mark.usefixtures("db")

NEW = "/cms/teams/new"


def of_form(form: OpenForm):
    return teams.get(form.action.split("/")[-2], strong=True)


def with_training(form: OpenForm, location: str, *days: str, start: str, end: str) -> OpenForm:
    """Fill in the first row, as a page without JavaScript sends it."""
    row = {"rows": ["0"], "0-day": list(days), "0-startTime": start, "0-endTime": end}
    form.fields |= {f"schedules-{name}": value for name, value in row.items()}
    form.fields["schedules-0-locationId"] = location
    return form


def test_a_draft_needs_a_name_only_and_its_address_has_letters_and_digits_only(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(name="Herren 1 (Müllheim)")
    assert form.send().status_code == 302

    saved = of_form(form)
    assert (saved.name, saved.slug, saved.status) == ("Herren 1 (Müllheim)", "herren1muellheim", "draft")


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    coach, contact = make_member("Ruben Achterberg"), make_member("Svea Nordmann")
    hall = make_location()
    form = open_form(as_role("moderator"), NEW).fill(
        name="Herren 1",
        gender="men",
        age="16",
        league="Landesliga",
        description="Wir suchen eine Mitte.",
        coach_ids=[coach.id],
        contact_person_ids=[contact.id, coach.id],
        instagram="https://www.instagram.com/VC_Herren.1/?hl=de",
    )
    with_training(form, hall.id, "donnerstags", "montags", "montags", start="18:00", end="20:00")
    assert form.send("publish").status_code == 302

    stored = of_form(form).stored
    created = stored["createdAt"]
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "team"},
        "name": {"S": "Herren 1"},
        "sortName": {"S": "herren 1"},
        "slug": {"S": "herren1"},
        "oldSlugs": {"L": []},
        "firstPublishedAt": created,
        "status": {"S": "published"},
        "gender": {"S": "men"},
        "age": {"N": "16"},
        "league": {"S": "Landesliga"},
        "description": {"S": "Wir suchen eine Mitte."},
        "coachIds": {"L": [{"S": coach.id}]},
        "contactPersonIds": {"L": [{"S": contact.id}, {"S": coach.id}]},
        "schedules": {
            "L": [
                {
                    "M": {
                        "day": {"L": [{"S": "montags"}, {"S": "donnerstags"}]},
                        "startTime": {"S": "18:00"},
                        "endTime": {"S": "20:00"},
                        "locationId": {"S": hall.id},
                    }
                }
            ]
        },
        "imageIds": {"L": []},
        "instagram": {"S": "vc_herren.1"},
        "createdAt": created,
        "updatedAt": created,
        "version": {"N": "1"},
    }


@pytest.mark.parametrize(
    ("field", "typed", "refusal"),
    [
        ("name", "", "This field is required."),
        ("name", "x" * 101, "at most 100 characters"),
        ("gender", "men or woman", "Select a valid choice."),
        ("age", "0", "greater than or equal to 1"),
        ("age", "16.5", "Enter a whole number."),
        ("league", "Champions League", "Select a valid choice."),
        ("instagram", "javascript:alert(1)", "Enter the account name"),
        ("instagram", "<script>", "Enter the account name"),
        ("slug", "herren-1", "Use lowercase letters and digits only."),
        ("description", "x" * 5001, "at most 5000 characters"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_role, field: str, typed: str, refusal: str) -> None:
    form = open_form(as_role("moderator"), NEW).fill(**{"name": "Herren 1", field: typed})

    answer = form.send()

    assert answer.status_code == 422
    assert refusal in answer.content.decode()


@pytest.mark.parametrize(("league", "status"), [("Landesliga", 302), ("", 422)])
def test_only_a_team_in_a_league_has_a_team_in_sams(as_role, league: str, status: int) -> None:
    sams_teams.create(SamsTeam(uuid="sams-1", name="VC Auenfeld", league_name="Landesliga Süd"), actor=MAKER)
    form = open_form(as_role("moderator"), NEW).fill(name="Herren 1", league=league, sbvv_team_id="sams-1")

    answer = form.send()

    assert answer.status_code == status
    if league:
        assert of_form(form).stored["sbvvTeamId"] == {"S": "sams-1"}
        assert "VC Auenfeld (Landesliga Süd)" in form.client.get(form.action).content.decode()
    else:
        refusal = "Only teams in a league are in SAMS. Choose a league too."
        assert answer.context["form"].errors == {"sbvv_team_id": [refusal]}


def test_a_team_that_sams_does_not_know_is_refused(as_role) -> None:
    answer = (
        open_form(as_role("moderator"), NEW)
        .fill(name="Herren 1", league="Landesliga", sbvv_team_id="no-such-team")
        .send()
    )

    assert answer.context["form"].errors.keys() == {"sbvv_team_id"}


def test_to_publish_it_the_gender_is_needed(as_role) -> None:
    answer = open_form(as_role("moderator"), NEW).fill(name="Herren 1").send("publish")

    assert answer.status_code == 422
    assert answer.context["form"].errors.as_data().keys() == {"gender"}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("@VC_Herren", "vc_herren"), ("  instagram.com/vc.herren/ ", "vc.herren"), ("@", None), ("", None)],
)
def test_an_account_is_kept_without_at_sign_address_and_capitals(as_role, typed, kept) -> None:
    form = open_form(as_role("moderator"), NEW).fill(name="Herren 1", instagram=typed)
    form.send()

    assert of_form(form).instagram == kept
    assert ("instagram" in of_form(form).stored) is (kept is not None)


@pytest.mark.parametrize(
    ("days", "start", "end", "wrong", "refusal"),
    [
        (["montags"], "20:00", "20:00", "endTime", "The end must be after the start."),
        (["montags"], "20:00", "19:59", "endTime", "The end must be after the start."),
        (["montags"], "24:00", "25:00", "startTime", "Enter a valid time."),
        (["monday"], "18:00", "20:00", "day", "Select a valid choice."),
        ([], "18:00", "20:00", "day", "This field is required."),
        (["montags"], "18:00", "", "endTime", "This field is required."),
    ],
)
def test_a_training_has_days_and_ends_after_it_begins(as_role, days, start, end, wrong, refusal) -> None:
    hall = make_location()
    form = open_form(as_role("moderator"), NEW).fill(name="Herren 1")

    answer = with_training(form, hall.id, *days, start=start, end=end).send()

    assert answer.status_code == 422
    (row,) = answer.context["form"]["schedules"].parts.forms
    assert wrong in row.errors
    assert refusal in str(row.errors[wrong])


@pytest.mark.parametrize("place", ["", "no-such-place", "x" * 3000])
def test_a_training_is_somewhere_that_exists(as_role, place: str) -> None:
    form = open_form(as_role("moderator"), NEW).fill(name="Herren 1")

    answer = with_training(form, place, "montags", start="18:00", end="20:00").send()

    assert answer.status_code == 422
    (row,) = answer.context["form"]["schedules"].parts.forms
    assert row.errors.keys() == {"locationId"}


def test_at_most_14_trainings_are_kept(as_role) -> None:
    hall = make_location()
    form = open_form(as_role("moderator"), NEW).fill(name="Herren 1")
    form.fields["schedules-rows"] = [str(number) for number in range(15)]
    for number in range(15):
        form.fields |= {
            f"schedules-{number}-day": ["montags"],
            f"schedules-{number}-startTime": "18:00",
            f"schedules-{number}-endTime": "20:00",
            f"schedules-{number}-locationId": hall.id,
        }

    answer = form.send()

    assert answer.status_code == 422
    assert "You can add at most 14 rows." in answer.content.decode()


def test_a_name_is_taken_once_whatever_its_capitals(as_role) -> None:
    make_team("Herren 1")

    answer = open_form(as_role("moderator"), NEW).fill(name="HERREN 1").send()

    assert answer.status_code == 422
    assert answer.context["form"].errors == {"name": ["Another team already has this name."]}


def test_an_address_that_another_team_has_is_chosen_anew(as_role) -> None:
    make_team("Herren 1")
    client = as_role("moderator")

    form = open_form(client, NEW).fill(name="Herren-1")
    answer = form.send()

    assert answer.status_code == 422
    refusal = "Another team already uses this address. Choose another one."
    assert answer.context["form"].errors == {"slug": [refusal]}
    assert form.fill(slug="herreneins").send().status_code == 302
    assert of_form(form).slug == "herreneins"


def test_the_address_follows_the_name_until_readers_know_it(as_role) -> None:
    client = as_role("moderator")
    form = open_form(client, NEW).fill(name="Herren 1", gender="men")
    form.send()
    open_form(client, form.action).fill(name="Herren 2").send()
    assert of_form(form).slug == "herren2"

    open_form(client, form.action).send("publish")
    open_form(client, form.action).fill(name="Herren 3").send("publish")

    assert (of_form(form).name, of_form(form).slug) == ("Herren 3", "herren2")


def test_an_untouched_form_changes_nothing(as_role) -> None:
    schedules = [training(make_location(), "montags")]
    team = make_team(age=16, league="Landesliga", schedules=schedules, instagram="vc", description="Text")
    client = as_role("moderator")

    open_form(client, f"/cms/teams/{team.id}/").send()

    assert teams.get(team.id).stored == team.stored


def test_form_save_and_publishing_cost_no_more_than_any_form(as_role) -> None:
    coach, hall = make_member("Ruben Achterberg"), make_location()
    team = make_team(
        coach_ids=[coach.id], contact_person_ids=[coach.id], schedules=[training(hall, "montags")]
    )
    client, costs = as_role("moderator"), {}

    with metering.metered() as meter:
        form = open_form(client, f"/cms/teams/{team.id}/")
    costs["form"] = meter.operations
    for then in ("save", "publish"):
        with metering.metered() as meter:
            form.fill(age="16" if then == "save" else "17").send(then, htmx=True)
        costs[then] = meter.operations
        form = open_form(client, f"/cms/teams/{team.id}/")

    # All names in the form, those in its rows included, come by one read.
    assert costs["form"] == ["BatchGetItem", "BatchGetItem"]
    assert costs["save"] == costs["publish"] == ["BatchGetItem", "TransactWriteItems"]


@pytest.mark.parametrize("fields", [{"name": "All"}, {"name": "Herren 7", "slug": "all"}])
def test_no_team_takes_the_address_of_the_feed_of_all(as_role, fields: dict[str, str]) -> None:
    response = open_form(as_role("moderator"), NEW).fill(gender="men", **fields).send()

    assert response.status_code == 422
    assert "This address is reserved. Choose another one." in response.content.decode()
