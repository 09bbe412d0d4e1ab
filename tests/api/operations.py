"""Every operation that openapi.json describes, and how tests ask it."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.test import Client
from pynamodb.expressions.update import Action

from core.accounts.personal_tokens import services as personal_tokens
from core.accounts.personal_tokens.models import DIGEST, PersonalToken
from core.accounts.rights import PUBLIC, SAFE_METHODS, rights_of
from core.accounts.user import User
from core.dynamo import maintenance, transactions
from core.dynamo.attributes import now
from core.dynamo.items import all_models
from tests.cast import CAST

PREFIX = "/api/v1"


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    right: str
    # Its address for a record that is not there.
    nobodys: str
    # The object that it takes, without references; None if it takes nothing.
    body: Mapping[str, Any] | None = field(compare=False)

    @property
    def name(self) -> str:
        return f"{self.method} {self.path.removeprefix(PREFIX)}"

    @property
    def domain(self) -> str:
        return self.right.partition(".")[0]

    @property
    def is_public(self) -> bool:
        return self.right == PUBLIC

    @property
    def scope(self) -> str:
        return f"{self.domain}:{'read' if self.method in SAFE_METHODS else 'write'}"

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)

    @property
    def takes_other_fields(self) -> bool:
        """Whether what it does not name may be sent as well, such as answers to a game's questions."""
        return self.body is not None and self.body.get("additionalProperties") is not False

    def address(self, ids: Mapping[str, str]) -> str:
        return self.path.format(**ids)


@cache
def operations() -> list[Operation]:
    from api.v1 import api
    from tests.security.test_routes import ROUTES

    document = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    routes = {re.sub(r"no-such-record|1900", "{}", address): address for address in ROUTES}

    def found() -> Iterator[Operation]:
        for path, methods in document["paths"].items():
            for method, described in methods.items():
                address = routes[re.sub(r"{\w+}", "{}", path)]
                (right,) = rights_of(ROUTES[address], method.upper())
                yield Operation(method.upper(), path, right, address, _body_of(described, document))

    return list(found())


def _body_of(described: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if "requestBody" not in described:
        return None
    schema = _resolved(described["requestBody"]["content"]["application/json"]["schema"], document)
    return next((each for each in schema.get("anyOf", [schema]) if each.get("type") == "object"), schema)


def _resolved(schema: Any, document: Mapping[str, Any]) -> Any:
    """The schema with what it refers to in its place."""
    if isinstance(schema, list):
        return [_resolved(each, document) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _resolved(document["components"]["schemas"][name], document)
    return {key: _resolved(value, document) for key, value in schema.items()}


def sample(schema: Mapping[str, Any]) -> Any:
    """A small value that the schema allows, or nearly so."""
    for kinds in ("anyOf", "oneOf", "allOf"):
        if kinds in schema:
            return sample(next(each for each in schema[kinds] if each.get("type") != "null"))
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: sample(properties[name]) for name in schema.get("required", properties)}
        case "array":
            return []
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    known = {"date": "2027-01-05", "date-time": "2027-01-05T10:00:00.000Z"}
    return known.get(schema.get("format", ""), "x" * max(4, schema.get("minLength", 0)))


def sent(
    operation: Operation, ids: Mapping[str, str], token: str = "", body: Any = None, **headers: str
) -> HttpResponse:
    if operation.method == "GET":
        # Django would answer 412 in place of a record of another version.
        headers.pop("If-Match", None)
    if token:
        headers["Authorization"] = f"Bearer {token}"
    content = b"" if body is None else json.dumps(body).encode()
    answer: HttpResponse = Client().generic(
        operation.method, operation.address(ids), content, "application/json", headers=headers
    )
    return answer


def no_ids(operation: Operation) -> dict[str, str]:
    """For an address that no record has."""
    values = re.findall(r"no-such-record|1900", operation.nobodys)
    return dict(zip(operation.parameters, values, strict=True))


def body_for(operation: Operation) -> Any:
    return None if operation.body is None else sample(operation.body)


def personal(*scopes: str, user: User = CAST["admin"]) -> str:
    """A token of somebody whose groups need not be asked for soon."""
    text = personal_tokens.make(user, "Program", scopes or personal_tokens.SCOPES, 30).text
    change(text, PersonalToken.renew_at.set(now() + timedelta(hours=1)))
    return text


def change(token: str, *actions: Action) -> None:
    key = {"PK": {"S": DIGEST + digest_of(token)}, "SK": {"S": "TOKEN"}}
    is_there = transactions.exists(PersonalToken)
    transactions.send(transactions.update(PersonalToken, key, actions, condition=is_there))


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def items() -> dict[str, str]:
    """Everything that is stored, by table and key."""
    found = {}
    for model in {each.Meta.table_name: each for each in all_models()}.values():
        for item in maintenance.scan_items(TableName=model.Meta.table_name):
            key = [item[name] for name in model.key_names()]
            found[f"{model.Meta.table_name} {key}"] = json.dumps(item, sort_keys=True, default=str)
    return found
