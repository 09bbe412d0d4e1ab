"""Every operation of the API, also one that is added, against false tokens: each test walks openapi.json."""

import base64
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from core.accounts.personal_tokens import services as personal_tokens
from core.accounts.personal_tokens.models import PersonalToken
from core.accounts.rights import may_to_some
from core.dynamo import metering
from core.dynamo.attributes import now
from tests.api.operations import body_for, change, digest_of, no_ids, operations, personal, sent
from tests.cast import CAST
from tests.core.accounts.issuer import Issuer, Lies, new_key

pytestmark = pytest.mark.usefixtures("db", "unlimited")
OPERATIONS = operations()
ADMIN = CAST["admin"]


def test_the_walk_finds_every_operation() -> None:
    domains = Counter(operation.domain for operation in OPERATIONS)
    assert domains.keys() >= {"public", *personal_tokens.DOMAINS}
    assert domains["public"] >= 10
    assert domains["cms"] >= 15
    assert domains["quests"] >= 27
    assert domains["scouting"] >= 37
    assert sum(domains.values()) == len(OPERATIONS) >= 89
    assert len([each for each in OPERATIONS if each.method != "GET"]) >= 42
    assert len([each for each in OPERATIONS if each.body]) >= 26
    assert len([each for each in OPERATIONS if each.parameters]) >= 64


def false_tokens(issuer: Issuer) -> dict[str, str]:
    """Each is all but a token of an administrator for everything."""
    good = personal()
    revoked, expired = personal(), personal()
    personal_tokens.revoke(ADMIN, digest_of(revoked))
    change(expired, PersonalToken.expires_at.set(now() - timedelta(seconds=1)))
    claims = {"sub": ADMIN.sub, "username": ADMIN.sub, "cognito:groups": ["admin"]}

    def cognito(**lies: Any) -> str:
        issuer.lies = Lies(**{"access_claims": claims, **lies})
        return issuer.access_token()

    head, payload, signature = cognito(access_claims=claims | {"cognito:groups": []}).split(".")
    raised = base64.urlsafe_b64encode(
        base64.urlsafe_b64decode(payload + "==").replace(
            b'"cognito:groups":[]', b'"cognito:groups":["admin"]'
        )
    )
    assert b"admin" in base64.urlsafe_b64decode(raised)
    minute_ago = int(now().timestamp()) - 60
    return {
        "tampered": good[:-1] + ("A" if good[-1] != "A" else "B"),
        "cut": good[:-1],
        "longer": good + "A",
        "revoked": revoked,
        "expired": expired,
        "digest": f"fhp_{digest_of(good)}",
        "raised groups": f"{head}.{base64.urlsafe_b64encode(raised).rstrip(b'=').decode()}.{signature}",
        "without signature": f"{head}.{payload}.",
        "alg none": cognito(algorithm="none"),
        "signed with the public key": cognito(algorithm="HS256"),
        "forged": cognito(key=new_key()),
        "over": cognito(access_claims=claims | {"exp": minute_ago}),
        "another pool": cognito(access_claims=claims | {"iss": f"{issuer.issuer}-other"}),
        "another client": cognito(access_claims=claims | {"client_id": "another"}),
        "an ID token": cognito(access_claims=claims | {"token_use": "id"}),
    }


def test_a_false_token_is_refused_by_every_operation(issuer: Issuer) -> None:
    tokens = false_tokens(issuer)
    with metering.metered() as meter:
        let_in = {
            (name, operation.name): answer.status_code
            for operation in OPERATIONS
            for name, token in tokens.items()
            if (answer := sent(operation, no_ids(operation), token, body_for(operation))).status_code != 401
        }
    assert let_in == {}
    assert len(tokens) == 15
    # Nothing is written, and nothing read but the tokens that look like personal ones.
    assert set(meter.operations) == {"GetItem"}
    assert meter.requests == 6 * len(OPERATIONS)


def test_a_token_of_other_scopes_is_refused_by_every_operation_but_the_public_ones() -> None:
    """All scopes but the one that the operation needs."""
    tokens = {scope: personal(*personal_tokens.SCOPES - {scope}) for scope in personal_tokens.SCOPES}
    statuses = {
        operation.name: sent(
            operation, no_ids(operation), tokens[operation.scope], body_for(operation)
        ).status_code
        for operation in OPERATIONS
        if operation.domain in personal_tokens.DOMAINS
    }
    assert set(statuses.values()) == {403}
    assert len(statuses) >= 79


def test_a_token_of_somebody_who_became_a_guest_opens_what_guests_may_open_only() -> None:
    token = personal(user=CAST["member"])
    change(token, PersonalToken.user.set(CAST["guest"].for_session()))
    statuses = {
        sent(operation, no_ids(operation), token, body_for(operation)).status_code
        for operation in OPERATIONS
        if not operation.is_public and not may_to_some(CAST["guest"], operation.right)
    }
    assert statuses == {403}
