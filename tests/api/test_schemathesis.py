"""Generated requests to every operation: no crash, and no answer that openapi.json does not describe."""

import os
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.utils.timezone import localdate
from hypothesis import HealthCheck, settings
from schemathesis import Case, HookContext
from schemathesis.checks import not_a_server_error

from api.limits import READS, VISITORS, WRITES
from api.scouting import schemas
from core.accounts import tokens
from core.accounts.user import User
from core.dynamo import transactions
from core.dynamo.errors import NotFound
from core.media import storage, tickets
from core.media.storage import Post
from core.media.tickets import Ticket
from quests.limits import LIMITS, OTHERS
from quests.models import Account
from tests.api.tracker.generated import make_softball, of_softball
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.club import (
    make_location,
    make_member,
    make_page,
    make_post,
    make_role,
    make_sponsor,
    make_team,
)
from tests.cms.occasions import booking, day, event
from tests.cms.public import make_picture
from tests.quests.board import open_accounts
from tests.scouting import field
from tests.scouting.field import KEY
from tracker.scoring.limits import RECORDING
from tracker.teams.limits import INVITING

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("API_EXAMPLES", "20"))
TOKENS = {role: f"token-of-the-{role}-for-this-test" for role in ("admin", "member")}
# The answers depend on the game, and incidents are among those that it names.
SENT = schemas.StandFormBody.model_fields.keys() - {"criticals"}
# Fields of content that refer to no other records and need no others beside them.
TEXTS = {
    *("alt", "originalName", "title", "name", "caption", "variant"),
    *("driver", "comment", "street", "postal", "city", "phone"),
}
CONTENT = TEXTS | {"url", "timestamp", "type", "from", "to", "vorstand", "gender", "age"}
# An ETag that is none of ours does not match: 412, or 428 without any. Both are no answer to a valid request.
OF_VERSIONS = ("412", "428")


def schema_for(role: str) -> Any:
    handler = WSGIHandler()

    def application(environ: dict[str, Any], start_response: Any) -> Any:
        """Every server says who asks; schemathesis does not."""
        return handler({**environ, "REMOTE_ADDR": "127.0.0.1"}, start_response)

    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    checks = schema.config.checks
    for check in (
        checks.positive_data_acceptance,
        checks.negative_data_rejection,
        checks.missing_required_header,
    ):
        check.expected_statuses = [*check.expected_statuses, *OF_VERSIONS]

    @schema.auth()
    class Token:
        def get(self, case: Case, context: Any) -> str:
            return TOKENS[role]

        def set(self, case: Case, data: str, context: Any) -> None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}

    return schema


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: Any) -> None:
    """What a schema cannot say: tokens are opaque, and some fields belong together."""
    if case.operation.schema is anything:
        return
    query, body = case.query or {}, case.body
    for name in ("nextToken", "createdToken", "performedToken"):
        query.pop(name, None)
    if query.get("pictures") and "limit" not in query:
        case.query = query = query | {"limit": 5}
    if query.keys() & {"from", "to"}:
        query.pop("when", None)
    if query.keys() & {"event", "team"}:
        query.pop("scout", None)
    elif case.path.endswith("-forms") and case.method == "GET" and "scout" not in query:
        case.query = query | {"event": KEY}
    if case.headers and "Idempotency-Key" in case.headers and case.method == "POST":
        # A key belongs to what was sent with it first.
        case.headers["Idempotency-Key"] = str(uuid4())
    if "/quests" in case.path:
        of_quests(case)
    if "/tracker" in case.path:
        of_softball(case)
    if not isinstance(body, dict):
        return
    if "-forms" in case.path and "/photos" not in case.path:
        for name in body.keys() - SENT:
            del body[name]
    if "/uploads" in case.path and isinstance(body.get("size"), int):
        # More is a 413.
        body["size"] = min(body["size"], 1000)
    elif "/cms/" in case.path and "ticket" not in body:
        of_content(body)
    if "/config/" in case.path:
        case.path_parameters["year"] = 2026
        for name in body.keys() - {"event"}:
            del body[name]
    if "/events" in case.path:
        for name in body.keys() & {"endsOn", "timeZone", "isOwn"}:
            del body[name]


def of_content(body: dict[str, Any]) -> None:
    """Forms strip texts and know addresses, dates and other records."""
    for name, value in body.items():
        if name == "url" and isinstance(value, str) and value.strip():
            body[name] = "https://social.example/1"
        elif name in ("from", "to") and is_day(value):
            body[name] = localdate().isoformat()
        elif name == "timestamp" and is_moment(value):
            body[name] = "2026-03-05T17:04:12Z"
        elif name in TEXTS and isinstance(value, str):
            body[name] = plain(value)
    for name in body.keys() - CONTENT:
        del body[name]


def not_there(key: str) -> bytes:
    raise NotFound


def of_quests(case: Case) -> None:
    """Quests of a person have no category and no order of their own; forms strip texts and know the date."""
    query, body = case.query or {}, case.body
    if query.keys() & {"creator", "performer"}:
        case.query = {name: value for name, value in query.items() if name not in ("category", "sort")}
        if "creator" in case.query:
            case.query.pop("performer", None)
    if not isinstance(body, dict):
        return
    for name, value in body.items():
        if name == "openUntil" and is_day(value):
            body[name] = (localdate() + timedelta(days=7)).isoformat()
        elif name == "walletAddress" and isinstance(value, str):
            # In one case it carries no checksum.
            body[name] = value.lower()
        elif isinstance(value, str) and name != "submittedAt":
            body[name] = plain(value)


def plain(text: str) -> str:
    """Nothing that a form strips or finds invisible."""
    return "".join(letter if letter.isalnum() else "x" for letter in text)


def is_day(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None


def is_moment(value: object) -> bool:
    return isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d[Tt ]", value) is not None


@pytest.fixture(autouse=True)
def _quests(db) -> None:
    """As many points as there are examples."""
    people = [CAST[role] for role in TOKENS]
    open_accounts(*people)
    for person in people:
        key = {"userId": {"S": person.sub}}
        transactions.send(transactions.update(Account, key, [Account.points.set(1_000_000)]))


@pytest.fixture(autouse=True)
def _event(db, monkeypatch: pytest.MonkeyPatch) -> None:
    people = {f"Bearer {token}": CAST[role] for role, token in TOKENS.items()}

    def user_from_bearer(header: str) -> User:
        if header not in people:
            raise tokens.InvalidBearer
        return people[header]

    monkeypatch.setattr(tokens, "user_from_bearer", user_from_bearer)
    field.event()
    make_softball()
    article(published=True), event(), make_team(status="published"), make_sponsor(), make_location()
    make_member(), make_role(), make_post(), make_page(), booking(day(1)), make_picture()
    # There is no bucket: places are given, and nothing arrives there. Every ticket is good.
    monkeypatch.setattr(storage, "presigned_post", lambda key: Post("https://bucket.example", {"key": key}))
    monkeypatch.setattr(storage, "read", not_there)
    monkeypatch.setattr(tickets, "open_ticket", lambda user, _text: Ticket(user.sub, "a.jpg", "media"))


admin, member, anything = schema_for("admin"), schema_for("member"), schema_for("admin")
generated = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@admin.parametrize()
@generated
def test_an_administrator_is_answered_as_described(case: Case) -> None:
    unlimited()
    case.validate_response(case.call())


@member.parametrize()
@generated
def test_a_member_is_answered_as_described(case: Case) -> None:
    unlimited()
    case.validate_response(case.call())


@anything.parametrize()
@settings(generated, max_examples=max(1, EXAMPLES // 2))
def test_nothing_that_a_schema_allows_breaks_an_operation(case: Case) -> None:
    """Also texts, addresses and references that forms refuse, which are put right for the others."""
    unlimited()
    case.validate_response(case.call(), checks=[not_a_server_error])


def unlimited() -> None:
    VISITORS.reset("127.0.0.1")
    for limiter in (READS, WRITES, *LIMITS.values(), OTHERS, RECORDING, INVITING):
        for person in ("admin", "member"):
            limiter.reset(CAST[person].sub)
