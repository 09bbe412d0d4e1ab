"""Places: entered with an address, and kept as long as a team trains there."""

import pytest

from cms.locations.repository import locations
from cms.teams.repository import teams
from tests.cms.club import MAKER, make_location, make_team, training
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    form = open_form(as_role("moderator"), "/cms/locations/new").fill(
        name="Ärzte-Halle",
        street="Am Mühlbach 4",
        postal="01067",
        city="Auenfeld",
        description="Hintereingang.",
    )
    assert form.send().status_code == 302

    stored = locations.get(form.action.split("/")[-2]).stored
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "location"},
        "name": {"S": "Ärzte-Halle"},
        "sortName": {"S": "arzte-halle"},
        "street": {"S": "Am Mühlbach 4"},
        "postal": {"S": "01067"},
        "city": {"S": "Auenfeld"},
        "description": {"S": "Hintereingang."},
        "createdAt": stored["createdAt"],
        "updatedAt": stored["createdAt"],
        "version": {"N": "1"},
    }


@pytest.mark.parametrize(
    ("field", "longest"), [("name", 200), ("street", 200), ("postal", 20), ("city", 100)]
)
def test_each_part_has_its_length(as_role, field: str, longest: int) -> None:
    client = as_role("moderator")
    form = open_form(client, "/cms/locations/new").fill(**{"name": "Halle", field: "x" * (longest + 1)})

    answer = form.send()

    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {field}
    assert form.fill(**{field: "x" * longest}).send().status_code == 302


def test_deleting_is_refused_while_teams_train_there_and_names_them(as_role) -> None:
    hall = make_location()
    first = make_team("Herren 1", schedules=[training(hall, "montags"), training(hall, "freitags")])
    make_team("Damen 1", status="published", schedules=[training(hall, "montags")])
    client = as_role("moderator")

    for answer in (
        client.get(f"/cms/locations/{hall.id}/delete"),
        client.post(f"/cms/locations/{hall.id}/delete", {"version": "1"}),
    ):
        assert sorted(use.label for use in answer.context["uses"]) == ["Damen 1", "Herren 1"]
    assert answer.status_code == 409
    locations.get(hall.id)

    teams.update(first, {"schedules": []}, actor=MAKER)
    answer = client.post(f"/cms/locations/{hall.id}/delete", {"version": "1"})
    assert [use.label for use in answer.context["uses"]] == ["Damen 1"]


def test_it_goes_when_nobody_trains_there_any_more_and_a_team_cannot_come_back_to_it(as_role) -> None:
    hall = make_location()
    team = make_team(schedules=[training(hall, "montags")])
    client = as_role("moderator")
    form = open_form(client, f"/cms/teams/{team.id}/")
    teams.update(team, {"schedules": []}, actor=MAKER)

    assert client.post(f"/cms/locations/{hall.id}/delete", {"version": "1"}).status_code == 302
    answer = form.fill(version="2").send()

    assert answer.status_code == 422
    assert teams.get(team.id).schedules == []
