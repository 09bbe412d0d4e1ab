"""A profile is its person's: names and a phone number, nothing else, and for nobody else."""

import pytest

from core.accounts.hooks import with_own_name
from core.accounts.repository import people as directory
from core.accounts.user import User
from core.dynamo.errors import Invalid
from core.dynamo.metering import metered
from tests.tracker.club import browser_of, person, team_of
from tracker import repository
from tracker.people import services as people

pytestmark = pytest.mark.usefixtures("db")
OWN = "/tracker/profile/"


def sent(user, **fields):
    version = repository.profiles.of(user.sub).version
    return {"first_name": "Lena", "last_name": "Okoye", "phone_number": "", "version": version} | fields


def test_people_change_their_own(lena):
    answer = browser_of(lena).post(OWN, sent(lena, phone_number="+49 7631 12345"))
    assert (answer.status_code, answer["Location"]) == (302, OWN)
    stored = repository.profiles.of(lena.sub)
    assert (stored.name, stored.phone_number) == ("Lena Okoye", "+49 7631 12345")
    browser_of(lena).post(OWN, sent(lena))
    assert repository.profiles.of(lena.sub).phone_number is None


@pytest.mark.parametrize(
    "typed", [{"first_name": ""}, {"last_name": "x" * 51}, {"first_name": "<b>"}, {"phone_number": "call me"}]
)
def test_what_is_wrong_is_told_at_its_field(typed, lena):
    answer = browser_of(lena).post(OWN, sent(lena, **typed))
    assert answer.status_code == 422
    assert answer.text.count('aria-invalid="true"') == 1
    assert repository.profiles.of(lena.sub).name == "Lena Example"


@pytest.mark.parametrize("name", ["email", "userId", "id", "GSI1PK", "deleted_at"])
def test_nothing_else_can_be_changed(name, lena):
    answer = browser_of(lena).post(OWN, sent(lena, **{name: "other@club.example"}))
    assert answer.status_code == 422
    assert name in answer.text
    assert repository.profiles.of(lena.sub).name == "Lena Example"
    with pytest.raises(Invalid):
        people.edit_profile(lena, lena.sub, {name: "x"}, seen_version=0)


def test_for_others_there_is_no_such_profile(lena):
    noor = person("Noor")
    browser = browser_of(noor)
    assert browser.get(f"/tracker/people/{lena.sub}/").status_code == 404
    assert browser.post(f"/tracker/people/{lena.sub}/", sent(lena)).status_code == 404
    assert browser.post(f"/tracker/people/{lena.sub}/delete/", {"version": 0}).status_code == 404
    assert browser.post(f"/tracker/people/{lena.sub}/keep/").status_code == 404
    assert repository.profiles.of(lena.sub).name == "Lena Example"


def test_administrators_change_everybodys(lena):
    admin = person("Amara", groups=["admin"])
    address = f"/tracker/people/{lena.sub}/"
    answer = browser_of(admin).post(address, sent(lena))
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert repository.profiles.of(lena.sub).name == "Lena Okoye"


def test_who_saves_second_sees_both_versions(lena):
    seen = sent(lena)
    browser_of(lena).post(OWN, seen)
    answer = browser_of(lena).post(OWN, seen | {"last_name": "Sato"})
    assert answer.status_code == 409
    assert "Okoye" in answer.text
    assert 'value="Sato"' in answer.text


def test_who_owns_a_team_hands_it_over_before_leaving(lena):
    team_of(lena, "Falcons")
    version = repository.profiles.of(lena.sub).version
    answer = browser_of(lena).post(f"/tracker/people/{lena.sub}/delete/", {"version": version})
    assert answer.status_code == 409
    assert "Falcons" in answer.text
    assert repository.profiles.of(lena.sub).deleted_at is None


def test_who_asks_to_be_deleted_may_change_their_mind(lena):
    browser = browser_of(lena)
    version = repository.profiles.of(lena.sub).version
    browser.post(f"/tracker/people/{lena.sub}/delete/", {"version": version})
    assert repository.profiles.of(lena.sub).deleted_at is not None
    assert f"/tracker/people/{lena.sub}/keep/" in browser.get(OWN).text
    browser.post(f"/tracker/people/{lena.sub}/keep/")
    assert repository.profiles.of(lena.sub).deleted_at is None


def test_the_new_name_is_on_every_page_at_once_and_in_the_directory(lena):
    browser = browser_of(lena)
    assert "Lena Example" in browser.get("/desk/").text
    browser.post(OWN, sent(lena))
    assert "Lena Okoye" in browser.get("/desk/").text
    assert directory.get(lena.sub).name == "Lena Okoye"


def test_the_next_sign_in_keeps_the_name(lena):
    browser_of(lena).post(OWN, sent(lena))
    assert with_own_name(lena).name == "Lena Okoye"
    nobody = User.of(sub="sub-nobody", name="No Body", email="no@club.example", groups=())
    assert with_own_name(nobody).name == "No Body"


def test_the_form_costs_two_requests_and_saving_three(lena):
    browser = browser_of(lena)
    # With the first saving the name becomes the person's own choice, of which the directory is told.
    browser.post(OWN, sent(lena, last_name="Example", phone_number="1234"))
    typed = sent(lena, last_name="Example", phone_number="12345")
    with metered() as form:
        browser.get(OWN)
    with metered() as save:
        browser.post(OWN, typed)
    assert (form.requests, save.requests) == (2, 3)
