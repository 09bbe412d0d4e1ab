"""What became of a team: told in the names of places and people, never in keys."""

import re

import pytest

from cms.teams.repository import teams
from tests.cms.club import MAKER, make_location, make_member, make_team, training
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")

KEY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-")


def words_of(page: str) -> str:
    main = page.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def test_a_changed_training_is_told_with_its_days_and_place(as_role) -> None:
    hall, gym = make_location("Mühlenhalle"), make_location("Rebberghalle")
    team = make_team(schedules=[training(hall, "montags")], coach_ids=[make_member().id])
    changed = {"schedules": [training(gym, "montags", "freitags", start="19:30", end="21:30")]}
    teams.update(team, changed, actor=MAKER)
    client = as_role("moderator")
    history = client.get(f"/cms/teams/{team.id}/history").content.decode()
    newest = re.search(r'href="([^"]*/version\?[^"]*)"', history)

    told = words_of(client.get(newest[1].replace("&amp;", "&")).content.decode())

    assert "Mondays · 18:00 · 20:00 · Mühlenhalle" in told
    assert "Mondays, Fridays · 19:30 · 21:30 · Rebberghalle" in told
    assert not KEY.search(told)


def test_what_was_typed_and_cannot_be_saved_yet_is_told_in_names_as_well(as_role) -> None:
    hall = make_location("Mühlenhalle")
    team = make_team(status="published", schedules=[training(hall, "montags")])
    client = as_role("moderator")
    form = open_form(client, f"/cms/teams/{team.id}/")
    form.fields["schedules-0-endTime"] = "17:00"
    assert form.send(to="autosave", htmx=True).status_code == 200

    told = words_of(client.get(f"/cms/teams/{team.id}/changes").content.decode())

    assert "Mondays · 18:00 · 17:00 · Mühlenhalle" in told
    assert not KEY.search(told)


def test_an_earlier_training_comes_back(as_role) -> None:
    hall = make_location("Mühlenhalle")
    team = make_team(schedules=[training(hall, "montags")])
    teams.update(team, {"schedules": []}, actor=MAKER)
    client = as_role("moderator")
    history = client.get(f"/cms/teams/{team.id}/history").content.decode()
    (address,) = re.findall(r'href="([^"]*/restore-version\?[^"]*)"', history)
    address = address.replace("&amp;", "&")

    assert client.post(address, {"version": "2"}).status_code == 302

    assert teams.get(team.id).schedules == [training(hall, "montags")]
