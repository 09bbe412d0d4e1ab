"""How the settings read one variable; the sentences of all of them are in test_settings.py."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from core.common import env


@pytest.fixture
def variable(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("FIRST", raising=False)
    monkeypatch.delenv("SECOND", raising=False)
    return monkeypatch


def test_a_text_is_that_of_the_first_variable_that_says_something(variable: pytest.MonkeyPatch) -> None:
    variable.setenv("FIRST", " ")
    variable.setenv("SECOND", " two ")

    assert env.text("FIRST", "SECOND", default="none") == "two"
    assert env.text("FIRST", default="none") == "none"


@pytest.mark.parametrize(("value", "found"), [("YES", True), (" on ", True), ("", False), ("0", False)])
def test_a_flag_has_several_words(variable: pytest.MonkeyPatch, value: str, found: bool) -> None:
    variable.setenv("FIRST", value)

    assert env.flag("FIRST", default=not found) is found
    assert env.flag("SECOND", default=True)


@pytest.mark.parametrize("value", ["0", "65", "-1", "1.5", "many"])
def test_a_number_lies_within_its_limits(variable: pytest.MonkeyPatch, value: str) -> None:
    assert env.number("FIRST", default=8, least=1, most=64) == 8
    variable.setenv("FIRST", "64")
    assert env.number("FIRST", default=8, least=1, most=64) == 64
    variable.setenv("FIRST", value)
    with pytest.raises(
        ImproperlyConfigured, match=f"FIRST must be a whole number from 1 to 64, not '{value}'"
    ):
        env.number("FIRST", default=8, least=1, most=64)


def test_an_address_loses_its_last_slash(variable: pytest.MonkeyPatch) -> None:
    assert env.address("FIRST", "SECOND") is None
    variable.setenv("SECOND", "https://club.example:8443/news/")
    assert env.address("FIRST", "SECOND") == "https://club.example:8443/news"
    assert env.origin("https://club.example:8443/news") == "https://club.example:8443"


@pytest.mark.parametrize(
    "value", ["club.example", "ftp://club.example", "http://:80", "http://club:0", "http://[a"]
)
def test_what_is_no_address_is_refused_by_name(variable: pytest.MonkeyPatch, value: str) -> None:
    variable.setenv("FIRST", value)
    with pytest.raises(ImproperlyConfigured, match="FIRST must be an http or https address"):
        env.address("FIRST")


def test_a_value_that_must_be_set_tells_why(variable: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured, match="FIRST must be set: it opens the door"):
        env.required("FIRST", why="it opens the door")
    variable.setenv("FIRST", "key")
    assert env.required("FIRST", why="it opens the door") == "key"


def test_a_value_has_a_shape(variable: pytest.MonkeyPatch) -> None:
    assert env.matching("FIRST", r"[a-z]+", default="abc", rule="letters") == "abc"
    variable.setenv("FIRST", "12")
    with pytest.raises(ImproperlyConfigured, match="FIRST must be letters, not '12'"):
        env.matching("FIRST", r"[a-z]+", default="abc", rule="letters")


def test_a_bucket_is_reached_at_its_own_host_or_below_the_local_one() -> None:
    assert env.bucket_address("", None, "eu-central-1") == ""
    assert env.bucket_address("club", "http://127.0.0.1:9000", "eu-central-1") == "http://127.0.0.1:9000/club"
    assert env.bucket_address("club", None, "eu-central-1") == "https://club.s3.eu-central-1.amazonaws.com"
