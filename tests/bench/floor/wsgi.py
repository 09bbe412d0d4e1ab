"""A WSGI application without a framework: botocore answers, Django's template engine prints."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from botocore.config import Config
from botocore.session import Session
from django.template import Context, Engine

TABLE = os.environ["BENCH_TABLE"]
# Its own writes stay out of the lists of news.
ENTITY = {"S": "floor"}
CLIENT = Session().create_client(
    "dynamodb",
    region_name=os.environ["AWS_REGION"],
    endpoint_url=os.environ["DYNAMODB_ENDPOINT"],
    config=Config(retries={"total_max_attempts": 1}, max_pool_connections=50, parameter_validation=False),
)
ENGINE = Engine(dirs=[str(Path(__file__).parent / "templates")])
LIST, FORM = ENGINE.get_template("list.html"), ENGINE.get_template("form.html")

Start = Callable[[str, list[tuple[str, str]]], Any]


def application(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] == "POST":
        posted = dict(parse_qsl(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()))
        key = _put(posted)
        start("302 Found", [("Location", f"/edit?key={key}"), ("Content-Length", "0")])
        return [b""]
    asked = dict(parse_qsl(environ["QUERY_STRING"]))
    body = {"/healthz": _ok, "/list": _list, "/edit": _edit, "/new": _new, "/query": _query}[path](
        asked
    ).encode()
    start("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))])
    return [body]


def _ok(_asked: dict[str, str]) -> str:
    return "ok"


def _list(asked: dict[str, str]) -> str:
    request = _newest(25)
    if "after" in asked:
        request["ExclusiveStartKey"] = {
            "id": {"S": asked["after"]},
            "entity": {"S": "news"},
            "publishedDate": {"S": asked["published"]},
        }
    return str(LIST.render(Context({"rows": CLIENT.query(**request)["Items"]})))


def _query(_asked: dict[str, str]) -> str:
    return json.dumps(CLIENT.query(**_newest(100))["Items"])


def _newest(count: int) -> dict[str, Any]:
    return {
        "TableName": TABLE,
        "IndexName": "GSI-Date",
        "KeyConditionExpression": "entity = :entity",
        "ExpressionAttributeValues": {":entity": {"S": "news"}},
        "ScanIndexForward": False,
        "Limit": count,
    }


def _edit(asked: dict[str, str]) -> str:
    item = CLIENT.get_item(TableName=TABLE, Key={"id": {"S": asked["key"]}}, ConsistentRead=True)["Item"]
    paragraphs = item["content"]["M"]["content"]["L"]
    text = "\n\n".join(part["M"]["content"]["L"][0]["M"]["text"]["S"] for part in paragraphs)
    return str(FORM.render(Context({"item": item, "text": text})))


def _new(_asked: dict[str, str]) -> str:
    return str(FORM.render(Context({"item": {}, "text": ""})))


def _put(posted: dict[str, str]) -> str:
    key = posted.get("key") or str(uuid4())
    text = {"type": {"S": "text"}, "text": {"S": posted["text"]}}
    paragraph = {"type": {"S": "paragraph"}, "content": {"L": [{"M": text}]}}
    moment = {"S": posted["publishAt"]}
    CLIENT.put_item(
        TableName=TABLE,
        Item={
            "id": {"S": key},
            "entity": ENTITY,
            "status": ENTITY,
            "title": {"S": posted["title"]},
            "slug": {"S": posted["slug"]},
            "excerpt": {"S": posted["excerpt"]},
            "authorIds": {"L": [{"S": "official-sub"}]},
            "content": {"M": {"type": {"S": "doc"}, "content": {"L": [{"M": paragraph}]}}},
        }
        | dict.fromkeys(("createdAt", "updatedAt", "publishAt", "publishedDate"), moment),
    )
    return key
