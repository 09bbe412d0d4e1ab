"""Every earlier version of the settings can be brought back, and the last change undone."""

import pytest

from core.club import queries as club
from core.dynamo.errors import Conflict
from desk.club import services
from tests.cast import CAST
from tests.desk.club.posted import PAGE, POSTED, seen, svg

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def admin(as_role):
    client = as_role("admin")
    client.post(PAGE, POSTED | {"logo": svg()})
    return client


def entries(client):
    return client.get(f"{PAGE}history/").context["entries"]


def test_without_a_save_there_is_no_history(as_role):
    client = as_role("admin")

    assert client.get(f"{PAGE}history/").status_code == 404
    assert 'id="history"' not in client.get(PAGE).content.decode()


def test_a_change_is_shown_field_by_field(admin):
    changed = {"name": "TV Neu", "domains": ["cms"], "version": seen(admin)}
    admin.post(PAGE, POSTED | changed | {"menu-0-target": "news"})
    newest, _first = entries(admin)

    told = {each.title: each for each in admin.get(newest.address).context["differences"]}
    assert {*told} == {"Name", "What the club uses", "Menu of the website"}
    assert (told["Name"].before, told["Name"].after) == ("TV Auenfeld", "TV Neu")
    assert told["What the club uses"].removed == ["Scouting", "Quests", "Softball"]
    assert newest.restore_address == ""


def test_an_earlier_version_comes_back_with_its_logo(admin):
    logo = club.current().logo
    admin.post(PAGE, POSTED | {"remove_logo": "on", "name": "TV Neu", "version": seen(admin)})
    first = entries(admin)[1]
    asked = admin.get(first.restore_address)
    assert [each.title for each in asked.context["differences"]] == ["Name", "Logo"]

    answer = admin.post(first.restore_address, {"version": asked.context["seen"].version})

    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert (club.current().name, club.current().logo) == ("TV Auenfeld", logo)
    assert admin.get(f"/brand/logo/{logo['name']}").status_code == 200
    assert entries(admin)[0].entry.verb == "restore_version"


def test_a_restore_of_what_somebody_changed_meanwhile_is_refused(admin):
    admin.post(PAGE, POSTED | {"name": "TV Neu", "version": seen(admin)})
    first, earlier = entries(admin)[1], seen(admin)
    admin.post(PAGE, POSTED | {"name": "TV Neuer", "version": earlier})

    assert admin.post(first.restore_address, {"version": earlier}).status_code == 409
    assert club.current().name == "TV Neuer"


def test_the_last_change_is_undone_from_its_toast(admin):
    admin.post(PAGE, POSTED | {"name": "TV Neu", "version": seen(admin)})
    page = admin.get(PAGE).content.decode()
    assert f'action="{PAGE}undo"' in page

    answer = admin.post(f"{PAGE}undo", {"version": str(club.current().seen_version)})

    assert (answer.status_code, club.current().name) == (302, "TV Auenfeld")


def test_the_first_save_is_undone_to_what_the_environment_says(admin):
    admin.post(f"{PAGE}undo", {"version": seen(admin)})

    now = club.current()
    assert (now.name, now.colour, now.logo, now.language) == ("Fieldhouse", None, None, "en")
    assert admin.get(PAGE).status_code == 200


def test_what_somebody_changed_meanwhile_is_not_undone(admin):
    earlier = club.current().seen_version
    admin.post(PAGE, POSTED | {"name": "TV Neu", "version": str(earlier)})

    with pytest.raises(Conflict):
        services.undo(CAST["admin"], seen_version=earlier)
    assert admin.post(f"{PAGE}undo", {"version": str(earlier)}).status_code == 409
    assert club.current().name == "TV Neu"


def test_a_save_that_changes_nothing_offers_no_undo(admin):
    admin.get(PAGE)
    admin.post(PAGE, POSTED | {"version": seen(admin)})

    assert "/undo" not in admin.get(PAGE).content.decode()


def test_home_tells_administrators_that_it_was_changed(admin):
    shown = admin.get("/desk/activity").content.decode()

    assert 'href="/desk/club/"' in shown.partition("<main")[2]
