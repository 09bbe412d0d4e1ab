"""Kept addresses of routes: as Django makes them, in every URLconf and below every prefix."""

import pytest
from django.urls import NoReverseMatch, reverse, set_script_prefix

from core.crud.cached_urls import _address_of, address_of, address_of_record


def test_it_is_what_django_makes():
    for name, args in (("home", ()), ("cms:news-record", ("a b|ü",)), ("public:team", ("herren1",))):
        assert address_of(name, *args) == address_of(name, *args) == reverse(name, args=args)


def test_it_follows_the_prefix_of_the_site():
    assert address_of("home") == "/desk/"
    set_script_prefix("/club/")
    try:
        assert address_of("home") == "/club/desk/"
    finally:
        set_script_prefix("/")


def test_it_follows_the_urlconf(settings):
    assert address_of("cms:calendar") == "/cms/calendar/"
    settings.ROOT_URLCONF = "cms.site.urls"
    with pytest.raises(NoReverseMatch):
        address_of("cms:calendar")


@pytest.mark.parametrize(
    "key", ["0190-a", "a b", "ä%2Fö?#", "~key~", "a|b:c@d!$&'()*+,;=", "<script>", "..", "\n", "%7Ekey%7E"]
)
def test_of_a_record_it_is_what_django_makes_whatever_its_key(key: str):
    assert address_of_record("cms:news-history", key) == reverse("cms:news-history", args=[key])


@pytest.mark.parametrize("key", ["", "a/b", "/"])
def test_there_is_none_for_a_key_that_no_route_takes(key: str):
    with pytest.raises(NoReverseMatch):
        address_of_record("cms:news-record", key)


def test_of_many_records_one_is_kept():
    address_of_record("cms:news-record", "first")
    kept = _address_of.cache_info().currsize

    assert [address_of_record("cms:news-record", str(number)) for number in range(3)] == [
        f"/cms/news/{number}/" for number in range(3)
    ]
    assert _address_of.cache_info().currsize == kept
