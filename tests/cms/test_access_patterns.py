"""The table in docs/access-patterns.md is true and complete: each read costs what it says, and none scans."""

import inspect
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from typing import Any, NamedTuple

import pytest
from django.utils.timezone import localdate

from cms.events.models import Event
from cms.news.models import News
from cms.pages.models import Page
from cms.teams.models import Team
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from tests.cms import rooms
from tests.cms.club import MAKER
from tests.pattern_tables import table_in

EVERY = "every table"
REPOSITORIES = rooms.repositories()
ADDRESSED = {"news": News, "events": Event, "teams": Team, "pages": Page}
# What a repository does beside reading; `page` and `reread` are what the patterns are made of.
NO_PATTERNS = {
    *("key_of", "raw_key", "scope_of", "word_scope_of", "owns", "label_of", "words_of", "page", "reread"),
    *("uses_of", "tells_creation", "adopted_with", "differences"),
    *("create", "update", "save", "delete", "restore", "history_entry"),
    *("unchanged_condition", "check_unchanged", "check_as_read", "check_version"),
    *("store", "remove", "begin", "note"),
}


class Line(NamedTuple):
    table: str
    pattern: str
    request: str
    index: str
    method: str

    @property
    def repositories(self) -> list[str]:
        """The names of those that it is about."""
        return list(REPOSITORIES) if self.table == EVERY else [self.method.partition(".")[0]]

    @property
    def method_name(self) -> str:
        return self.method.rpartition(".")[2]


LINES = table_in("access-patterns.md", Line)
READS = [(line, name) for line in LINES for name in line.repositories]


def methods_of(name: str) -> set[str]:
    members = inspect.getmembers(type(REPOSITORIES[name]), inspect.isfunction)
    return {method for method, _function in members if not method.startswith("_")} - NO_PATTERNS


def arguments_of(read: Callable[..., Any]) -> dict[str, Any]:
    """Something for all that it must be told."""
    some = {
        "key": "some-id",
        "keys": ["some-id", "other-id"],
        "slug": "former",
        "name_slug": "vc-auenfeld",
        "status": "published",
        "email": "maya@verein.example",
        "sbvv_team_id": "some-uuid",
        "content_hash": "some-hash",
        "limit": 5,
    }
    moments = {datetime: now(), date: localdate()}
    return {
        name: some[name] if name in some else moments[parameter.annotation]
        for name, parameter in inspect.signature(read).parameters.items()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    }


def record_at_a_former_address(name: str) -> None:
    make = ADDRESSED[name]
    title = {"name": "Herren 1"} if name == "teams" else {"title": "Derby"}
    REPOSITORIES[name].create(make(**title, slug="present", old_slugs=["former"]), actor=MAKER)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("line", "name"), READS, ids=[f"{name}.{line.method_name}" for line, name in READS])
def test_a_read_costs_what_the_table_says(line: Line, name: str) -> None:
    read = getattr(REPOSITORIES[name], line.method_name)
    if line.method_name == "formerly_at_slug":
        record_at_a_former_address(name)

    with metering.metered() as meter, suppress(NotFound):
        read(**arguments_of(read))

    assert meter.operations == line.request.split(", ")
    assert {call.index or "" for call in meter.calls} == {line.index}


def test_every_pattern_of_the_design_document_is_one_request() -> None:
    requests = {line.request for line in LINES if line.pattern.startswith("**")}

    assert requests == {"GetItem", "BatchGetItem", "Query"}


@pytest.mark.parametrize("name", REPOSITORIES)
def test_the_table_names_every_read_and_every_index_of_a_repository(name: str) -> None:
    model = REPOSITORIES[name].model
    lines = [line for line in LINES if name in line.repositories]

    assert {line.method_name for line in lines} == methods_of(name)
    assert {line.index for line in lines if line.index} == set(model._indexes)
    assert {line.table for line in lines} <= {EVERY, model.Meta.table_name}
