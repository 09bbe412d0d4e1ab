"""openapi.json says exactly what there is; the page of it is our own."""

import re
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver
from pydantic import BaseModel

from api.operations import PREFIX
from api.reference import _document

DOCUMENT = "/api/v1/openapi.json"


@pytest.fixture
def document(db) -> dict[str, Any]:
    return Client().get(DOCUMENT).json()


@pytest.mark.usefixtures("db", "marked_german")
def test_it_is_in_english_whoever_asks_first():
    _document.cache_clear()
    documents = [Client().get(DOCUMENT, headers={"Accept-Language": each}).content for each in ("de", "en")]
    _document.cache_clear()

    assert "«" not in documents[0].decode()
    assert documents[0] == documents[1]


def in_openapi(pattern):
    return re.sub(r"<(?:int:)?([^>]+)>", r"{\1}", str(pattern.pattern))


def operations(document):
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_it_has_every_operation_that_there_is_and_no_other(document):
    (root,) = [each for each in get_resolver().url_patterns if getattr(each, "namespace", "") == "api"]
    routes = {
        (f"{PREFIX}/{in_openapi(pattern)}", method.lower())
        for pattern in root.url_patterns
        for method in getattr(pattern.callback, "rights_by_method", {})
        if method != "HEAD"
    }
    assert {(path, method) for path, method, _operation in operations(document)} == routes


def test_each_operation_has_a_name_of_its_own_and_says_what_it_does(document):
    names = [operation["operationId"] for _path, _method, operation in operations(document)]
    assert len(set(names)) == len(names)
    assert [
        name for name, each in zip(names, operations(document), strict=True) if not each[2]["summary"]
    ] == []


def test_no_two_schemas_have_the_same_name(document):
    """Ninja keeps one of each name: the other operation would promise what it does not answer."""
    modules = defaultdict(set)
    for model in subclasses(BaseModel):
        if model.__module__.startswith("api."):
            modules[model.__name__].add(model.__module__)
    assert len(modules) > 100
    assert {name: where for name, where in modules.items() if len(where) > 1} == {}


def subclasses(model: type) -> Iterator[type]:
    for each in model.__subclasses__():
        yield each
        yield from subclasses(each)


def test_each_error_is_a_problem(document):
    for _path, _method, operation in operations(document):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                content = answer["content"]["application/problem+json"]
                assert content == {"schema": {"$ref": "#/components/schemas/Problem"}}


def test_each_change_of_a_version_needs_its_etag_and_may_be_repeated(document):
    changes = [each[2] for each in operations(document) if "412" in each[2]["responses"]]
    assert len(changes) == 55
    for operation in changes:
        headers = {
            each["name"]: each["required"] for each in operation["parameters"] if each["in"] == "header"
        }
        assert headers.get("If-Match") is ("428" in operation["responses"])


def test_each_operation_says_how_to_be_authenticated(document):
    needed = {
        (path.startswith(f"{PREFIX}/website/"), str(each.get("security")))
        for path, _method, each in operations(document)
    }
    assert needed == {(True, "None"), (False, "[{'Bearer': []}, {'Session': []}]")}
    assert document["components"]["securitySchemes"]["Bearer"] == {"type": "http", "scheme": "bearer"}


def test_no_parameter_may_be_null(document):
    assert "null" not in str([each[2]["parameters"] for each in operations(document)])


def test_programs_may_keep_it(client, db):
    answer = client.get(DOCUMENT)
    assert client.get(DOCUMENT, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def fields_of(document, operation):
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    found = re.findall(r"#/components/schemas/(\w+)", str(schema))
    return {name for each in found for name in document["components"]["schemas"][each]["properties"]}


def fields_on(page, operation):
    part = page.partition(f'<details class="panel" id="{operation}"')[2].partition("</details>")[0]
    return set(re.findall(r"<code>(\w+)</code>", part))


def test_the_page_has_every_operation_and_needs_nobody(client, db, document):
    page = client.get("/api/v1/").content.decode()
    for path, method, operation in operations(document):
        assert f'id="{operation["operationId"]}"' in page
        assert f"<code>{method.upper()} {path}</code>" in page
        assert fields_on(page, operation["operationId"]) >= fields_of(document, operation)
    assert "<script>" not in page
    assert " style=" not in page


def test_each_operation_has_an_example_and_says_what_it_answers(client, db, document):
    parts = client.get("/api/v1/").content.decode().split('<details class="panel" id="')[1:]
    assert len(parts) == len(operations(document))
    lacking = [
        each.partition('"')[0]
        for each in parts
        if '<pre class="api-example" tabindex="0"><code>curl ' not in each
    ]
    assert lacking == []
    (article,) = (each for each in parts if each.startswith('create_article"'))
    assert unescape(article.partition("<code>curl")[2].partition("</code>")[0]) == (
        ' -H "Authorization: Bearer $TOKEN" \\\n  --json @- "$SITE/api/v1/cms/news" <<JSON\n'
        '{\n  "title": "Derby on Saturday"\n}\nJSON'
    )
    (listing,) = (each for each in parts if each.startswith('list_articles"'))
    assert "<code>publishedDate</code>" in listing.partition("Fields of the answer:")[2]


def test_no_operation_says_the_same_twice(document):
    twice = [
        name["operationId"]
        for *_place, name in operations(document)
        if name.get("description", "").rstrip(".") == name["summary"]
    ]
    assert twice == []


def test_the_page_shows_names_as_code_and_escapes_the_rest(db):
    page = Client().get("/api/v1/").content.decode()
    assert "<code>X-CSRFToken</code>" in page
    assert "`" not in page
