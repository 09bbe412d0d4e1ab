"""200 items as the document shows them: listed, found, edited, deleted, and still those of the original."""

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from core.crud.registry import resource_for
from core.crud.resource import Resource
from core.dynamo import search
from core.dynamo.search_index import words_in
from tests.cast import sign_in
from tests.cms.adopt.document import COUNTS, MAKERS, TABLES, Item, OtherProgram, everything, key_of, same_text
from tests.core.crud.pages import open_form
from tests.core.dynamo.library import everybody_may

ENTITIES = {
    "vcm-news": "news",
    "vcm-events": "event",
    "vcm-teams": "team",
    "vcm-members": "member",
    "vcm-media": "media",
    "vcm-sponsors": "sponsor",
    "vcm-roles": "role",
}
# The field that people change here, and its attribute.
NAMES = {"news": "title", "event": "title", "media": "alt"}
# What is ours beside what the document names: nothing of theirs may change with it.
OURS = {
    "news": {"entity", "firstPublishedAt", "textImageIds", "publishAt"},
    "event": {"entity", "firstPublishedAt", "textImageIds"},
    "team": {"entity", "firstPublishedAt", "sortName"},
    "member": {"entity", "sortName"},
    "media": {"entity", "originalName", "mimeType", "refs"},
    "sponsor": {"entity", "sortName"},
    "role": {"entity", "sortName"},
}
ALWAYS_OURS = {"version", "refs", "oldSlugs"}
tables = pytest.mark.parametrize("table", TABLES)
adopted = pytest.mark.parametrize("is_adopted", [True], ids=["adopted"])


@pytest.fixture
def admin(other: OtherProgram) -> Client:
    return sign_in(Client(), "admin")


def adopt() -> list[str]:
    out = StringIO()
    call_command("tables", "adopt", "--app", "cms", stdout=out)
    return out.getvalue().splitlines()


def resource_of(table: str) -> Resource:
    return resource_for(ENTITIES[table])


def listed(client: Client, address: str) -> Iterator[str]:
    """The keys of all pages of a list."""
    query = "?limit=100"
    while query:
        page = client.get(address + query)
        assert page.status_code == 200
        yield from (row.key for row in page.context["rows"])
        query = page.context["next_address"]


def keys_of(table: str) -> set[str]:
    return {key_of(table, number) for number in range(COUNTS[table])}


def theirs(table: str, stored: Item) -> Item:
    """What the other program knows of an item."""
    ours = OURS[ENTITIES[table]] | ALWAYS_OURS
    return {name: value for name, value in stored.items() if name not in ours}


def test_the_script_writes_two_hundred() -> None:
    assert sum(1 for _each in everything()) == 200


def test_an_adoption_adds_what_is_ours_and_touches_nothing_of_theirs(other: OtherProgram) -> None:
    before = {table: {same_text(item) for item in other.scan(table)} for table in TABLES}

    told = adopt()

    counted = {line.split(":")[0]: line for line in told if "seen" in line}
    for table, entity in ENTITIES.items():
        count = COUNTS[table]
        assert counted[entity].startswith(f"{entity}: {count} seen, {count} adopted, 0 already ours")
        after = other.scan(table)
        assert {same_text(theirs(table, item)) for item in after} == before[table]
        assert all(item["entity"] == {"S": entity} and item["version"] == {"N": "0"} for item in after)
    again = adopt()
    assert [line for line in again if " 0 adopted" not in line and "seen" in line] == []


@adopted
@tables
def test_every_one_is_in_its_list_once_it_is_adopted(admin: Client, table: str) -> None:
    assert sorted(listed(admin, resource_of(table).list_address)) == sorted(keys_of(table))


@adopted
@tables
def test_every_one_is_found_by_search(other: OtherProgram, table: str) -> None:
    entity, repository = ENTITIES[table], resource_of(table).repository

    for number in range(COUNTS[table]):
        record = repository.get(key_of(table, number))
        words = " ".join(words_in([repository.label_of(record)]))
        found = search.search(words, ["cms"], may_see=everybody_may, entities={entity})
        assert record.id in {hit.key for hit in found.hits}, words


@tables
@pytest.mark.parametrize("is_adopted", [True, False], ids=["adopted", "as it came"])
def test_every_one_is_edited_and_nothing_else_of_it_changes(
    admin: Client, other: OtherProgram, table: str, is_adopted: bool
) -> None:
    resource = resource_of(table)
    field = NAMES.get(resource.entity, "name")
    # All kinds of values come within ten.
    for number in range(COUNTS[table] if is_adopted else 10):
        key, stored = key_of(table, number), MAKERS[table](number)
        form = open_form(admin, resource.record_address(key)).fill(**{field: f"Neu {table} {number}"})
        answer = form.send("publish" if stored.get("status") == {"S": "published"} else "save")
        assert answer.status_code == 302, (
            number,
            answer.context["form"].errors if answer.context else answer,
        )

        after = theirs(table, other.get(table, key))
        assert after.pop("updatedAt") != stored.pop("updatedAt", None)
        assert after.pop(field) == {"S": f"Neu {table} {number}"}
        stored.pop(field, None)
        if stored.get("status") == {"S": "draft"} and table != "vcm-news":
            # The address of what was never public follows its title, if it was made from that.
            assert after.pop("slug") != stored.pop("slug")
        assert same_text(after) == same_text(stored), number


@adopted
@tables
def test_every_one_is_deleted_and_comes_back_as_it_was(
    admin: Client, other: OtherProgram, table: str
) -> None:
    resource = resource_of(table)
    unused = [key for key in sorted(keys_of(table)) if "refs" not in other.get(table, key)]
    assert unused or table in ("vcm-roles", "vcm-media")
    for key in unused:
        before = other.get(table, key)
        answer = admin.post(resource.address("delete", key), {"version": "0"})
        assert (answer.status_code, other.get(table, key)) == (302, {})
        answer = admin.post(resource.address("restore"), {"key": key})
        assert answer.status_code == 302
        assert same_text(other.get(table, key)) == same_text(before)


def read_by_document(other: OtherProgram) -> dict[str, Any]:
    """Every access pattern that the document lists, with what it answers; only the names it knows."""

    def told(table: str, items: list[Item]) -> list[str]:
        return [same_text(theirs(table, item)) for item in items]

    answers: dict[str, Any] = {}
    for table, item in everything():
        key = item["id"]["S"]
        answers[f"{table} by id {key}"] = told(table, [other.get(table, key)])
        if "GSI-Slug" in TABLES[table]:
            slug = item["slug"]["S"]
            answers[f"{table} by slug {slug}"] = told(table, other.query(table, "GSI-Slug", slug))
        if "sbvvTeamId" in item:
            sams = item["sbvvTeamId"]["S"]
            answers[f"{table} by sams {sams}"] = told(table, other.query(table, "GSI-SamsTeam", sams))
    for table, index, order in (
        ("vcm-news", "GSI-PublishedDate", {"ScanIndexForward": False}),
        ("vcm-events", "GSI-StartDate", {}),
        ("vcm-teams", "GSI-Status", {}),
    ):
        for status in ("published", "draft"):
            answers[f"{table} {status}"] = told(table, other.query(table, index, status, **order))
    for table in TABLES:
        answers[f"{table} scan"] = sorted(told(table, other.scan(table)))
    return answers


def test_the_other_program_reads_on_as_if_it_were_alone(admin: Client, other: OtherProgram) -> None:
    before = read_by_document(other)
    adopt()
    assert read_by_document(other) == before

    key = key_of("vcm-news", 1)
    open_form(admin, f"/cms/news/{key}/").fill(title="Neuer Titel").send("publish")

    (found,) = other.query("vcm-news", "GSI-Slug", MAKERS["vcm-news"](1)["slug"]["S"])
    assert (found["title"], found["content"]) == ({"S": "Neuer Titel"}, MAKERS["vcm-news"](1)["content"])
    after = read_by_document(other)
    changed = {name for name, answer in after.items() if answer != before[name]}
    slug = MAKERS["vcm-news"](1)["slug"]["S"]
    assert changed == {
        f"vcm-news by id {key}",
        f"vcm-news by slug {slug}",
        "vcm-news published",
        "vcm-news scan",
    }
