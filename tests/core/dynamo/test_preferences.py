"""What a person has set for themselves."""

import pytest

from core.dynamo import metering, preferences
from core.dynamo.errors import Invalid, TooLarge

pytestmark = pytest.mark.usefixtures("db")


def test_preferences_are_a_persons_own() -> None:
    preferences.save("alice", "theme", "dark")
    preferences.save("alice", "news filters", [{"status": "draft"}])
    preferences.save("bob", "theme", "light")
    preferences.save("alice", "theme", "light")
    preferences.forget("bob", "theme")

    with metering.metered() as meter:
        assert preferences.all_of("alice") == {"theme": "light", "news filters": [{"status": "draft"}]}
    assert preferences.all_of("bob") == {}
    assert meter.requests == 1


def test_they_are_read_strongly_because_people_look_at_what_they_have_just_set() -> None:
    preferences.save("alice", "theme", "dark")

    with metering.metered() as meter:
        preferences.all_of("alice")

    assert meter.units == 1.0


def test_more_than_a_hundred_are_all_read() -> None:
    for number in range(110):
        preferences.save("alice", f"filter {number}", number)

    with metering.metered() as meter:
        assert preferences.all_of("alice") == {f"filter {number}": number for number in range(110)}
    assert meter.operations == ["Query", "Query"]


@pytest.mark.parametrize(("name", "error"), [("", Invalid), ("x" * 2000, TooLarge), ("\ud800", Invalid)])
def test_a_name_that_cannot_be_a_key_is_refused(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        preferences.save("alice", name, 1)
