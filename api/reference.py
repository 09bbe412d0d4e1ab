"""The description of the API: openapi.json for programs, and a page for people."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from api import examples
from api.fields import NOT_BLANK, TEXT
from api.operations import PREFIX
from api.v1 import api
from core.accounts.rights import public
from core.club import queries as club
from core.club.models import ClubSettings, domain_of

Json = dict[str, Any]
# What a schema says of a value besides its kind, in words.
LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "maxItems": "at most {} items",
    "default": "{} if it is left out",
}
FORMATS = {"date-time": "time in ISO 8601", "date": "day in ISO 8601"}
# Patterns of texts in words.
PATTERNS = {None: "", TEXT: "", NOT_BLANK: "not blank"}


@public
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_document(club.current()), content_type="application/json")


@public
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters, the fields of its body and its answers."""
    about = [_with_code(text) for text in api.description.split("\n\n")]
    return render(request, "api/reference.html", {"parts": _parts(club.current()), "about": about})


# The same object is the key as long as nobody changes the settings.
@lru_cache(maxsize=2)
def _document(of: ClubSettings) -> bytes:
    """With the club's name, and without the operations of domains that it does not use."""
    # In English, as programmers read it, whoever asks first: labels of forms are in it.
    with translation.override(settings.LANGUAGE_CODE):
        document: Json = api.get_openapi_schema()
    document["info"]["title"] = f"{of.name} API"
    document["paths"] = {
        path: operations for path, operations in document["paths"].items() if of.is_on(_domain_of(path))
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _domain_of(path: str) -> str:
    return domain_of(path.removeprefix(f"{PREFIX}/").partition("/")[0])


@lru_cache(maxsize=2)
def _parts(of: ClubSettings) -> dict[str, list[Json]]:
    """The operations by part, in the order in which they are declared."""
    document: Json = json.loads(_document(of))
    schemas = document["components"]["schemas"]
    parts: dict[str, list[Json]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.setdefault(operation["tags"][0], []).append(
                operation
                | {
                    "path": path,
                    "method": method.upper(),
                    "description": _with_code(operation.get("description", "")),
                    "parameters": [
                        each | {"what": _what(each["schema"], each)} for each in operation["parameters"]
                    ],
                    "fields": list(_fields(schemas, operation)),
                    "answers_with": list(_answered(schemas, operation)),
                    "example": examples.command(path, method.upper(), operation, schemas),
                }
            )
    return parts


def _fields(schemas: Json, operation: Json) -> Iterator[Json]:
    """The fields of the body."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    # A body that may be left out has a default, and then its schema within.
    (referred,) = schema.get("allOf", (schema,))
    body: Json = schemas.get(referred.get("$ref", "").rpartition("/")[2], {})
    needed = body.get("required", ())
    for name, schema in body.get("properties", {}).items():
        yield {"name": name, "what": _what(schema, {"required": name in needed})}
    if body.get("additionalProperties"):
        yield {"name": "…", "what": "The answers to the questions of the game, by their keys"}


def _answered(schemas: Json, operation: Json) -> Iterator[str]:
    """The fields of the answer, or of each item of a list."""
    good = next(about for status, about in operation["responses"].items() if status < "300")
    schema = good.get("content", {}).get("application/json", {}).get("schema", {})
    # A list is a bare array or a page; either has the same items.
    schema = schema.get("anyOf", [schema])[0]
    schema = schema.get("items", schema)
    yield from schemas.get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {})


def _what(schema: Json, about: Mapping[str, Any]) -> str:
    """A parameter or field in words."""
    words = [
        about.get("description") or schema.get("description") or "",
        _kind(schema),
        *(text.format(schema[name]) for name, text in LIMITS.items() if schema.get(name) not in (None, "")),
        PATTERNS.get(schema.get("pattern"), f"matches {schema.get('pattern')}"),
        "required" if about.get("required") else "",
    ]
    return "; ".join(word.rstrip(".") for word in words if word)


def _with_code(text: str) -> SafeString:
    """As HTML: what stands between backticks is code."""
    parts = enumerate(map(escape, text.split("`")))
    return SafeString("".join(f"<code>{part}</code>" if number % 2 else part for number, part in parts))


def _kind(schema: Json) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if schema.get("format") in FORMATS:
        return FORMATS[schema["format"]]
    return str(schema.get("const") or schema.get("type") or schema.get("$ref", "").rpartition("/")[2])
