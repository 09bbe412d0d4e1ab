"""Views that a URLconf names without importing them."""

import sys

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path

from core.accounts.rights import PUBLIC, rights_of
from core.common.lazy_views import LazyViews

MODULE = "tests.core.common.late_page"


@pytest.fixture(autouse=True)
def _not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, MODULE, raising=False)


def test_a_route_is_known_by_its_view_without_importing_it() -> None:
    route = path("page", LazyViews(MODULE).page)
    assert route.lookup_str == f"{MODULE}.page"
    assert MODULE not in sys.modules


def test_its_rights_are_those_of_the_view() -> None:
    assert rights_of(LazyViews(MODULE).page) == (PUBLIC,)
    assert MODULE in sys.modules


def test_it_answers_as_the_view_does() -> None:
    answer = LazyViews(MODULE).page(HttpRequest(), key="one")
    assert isinstance(answer, HttpResponse)
    assert answer.content.decode() == f"{PUBLIC} one"


def test_a_view_that_does_not_exist_is_an_error_and_not_one_without_rights() -> None:
    with pytest.raises(ImportError, match='does not define a "pages"'):
        rights_of(LazyViews(MODULE).pages)
