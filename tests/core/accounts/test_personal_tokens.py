"""Personal access tokens: what they open, for how long, and never more than their owner."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from core.accounts import cognito
from core.accounts.cognito import Account, AccountsUnavailable
from core.accounts.personal_tokens import repository, services
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound, Replayed, TooManyRequests
from core.dynamo.idempotency import IdempotencyKey
from core.people import services as people
from tests.cast import CAST, sign_in
from tests.racing import let_go
from tests.scouting import field
from tests.scouting.field import KEY

pytestmark = pytest.mark.usefixtures("db")
LISTING, SENDING = "/api/v1/scouting/comment-forms?scout=me", "/api/v1/scouting/comment-forms"
SENT = {"event": KEY, "teamNumber": "20", "comments": "Fast"}
READING, WRITING = ["scouting:read"], ["scouting:write"]
BOTH = READING + WRITING


class Pool:
    """What Cognito says of the people."""

    def __init__(self):
        self.asked = 0
        self.accounts = {}
        self.is_down = False

    def get(self, sub):
        self.asked += 1
        if self.is_down:
            raise AccountsUnavailable
        if sub not in self.accounts:
            raise NotFound
        return self.accounts[sub]

    def has(self, role, *, groups=None, enabled=True):
        person = CAST[role]
        groups = tuple(sorted(person.groups if groups is None else groups))
        self.accounts[person.sub] = Account(
            person.sub, person.name, person.email, enabled, "CONFIRMED", now(), now(), groups
        )


@pytest.fixture
def pool(monkeypatch):
    pool = Pool()
    for role in CAST:
        pool.has(role)
    monkeypatch.setattr(cognito, "get", pool.get)
    return pool


@pytest.fixture(autouse=True)
def _event(db, pool):
    field.event()


def make(role="scout", scopes=BOTH, days=30):
    return services.make(CAST[role], "Sheet", scopes, days).text


def ask(token, address=LISTING, sent=None):
    headers = {"Authorization": f"Bearer {token}"}
    client = Client(enforce_csrf_checks=True)
    if sent is None:
        return client.get(address, headers=headers)
    return client.post(address, json.dumps(sent), content_type="application/json", headers=headers)


def stored(token):
    return repository.get(services._digest(token))


def renew_next_time(token, **fields):
    row = stored(token)
    row.renew_at = now() - timedelta(seconds=1)
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()


def test_a_token_does_what_its_owner_may_do():
    token = make()
    assert ask(token).json() == []
    sent = ask(token, SENDING, SENT)
    assert (sent.status_code, sent.json()["usersName"]) == (201, CAST["scout"].name)
    assert [form["id"] for form in ask(token).json()] == [sent.json()["id"]]


def test_the_token_itself_is_stored_nowhere():
    token = make()
    assert token.startswith("fhp_")
    assert len(token) == 47
    assert token not in repr(stored(token).stored)
    assert token.removeprefix("fhp_") not in repr(stored(token).stored)


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"), [(READING, 200, 403), (WRITING, 403, 201), (BOTH, 200, 201)]
)
def test_a_token_does_only_what_it_was_made_for(scopes, reads, writes):
    token = make(scopes=scopes)
    assert ask(token).status_code == reads
    assert ask(token, SENDING, SENT).status_code == writes


def test_a_token_never_does_more_than_its_owner():
    assert ask(make("member")).status_code == 403
    assert ask(make("scout"), f"{SENDING}?event={KEY}").status_code == 403
    assert ask(make("scout-lead"), f"{SENDING}?event={KEY}").status_code == 200


@pytest.mark.parametrize("wrong", ["fhp_", "fhp_" + "a" * 43, "fhp_\x00", "fhp_ü" + "a" * 4000])
def test_a_token_that_nobody_made_is_refused(wrong):
    answer = ask(wrong.encode().decode("latin-1") if not wrong.isascii() else wrong)
    assert (answer.status_code, "invalid_token" in answer["WWW-Authenticate"]) == (401, True)


def test_a_changed_token_is_refused():
    token = make()
    for changed in (token[:-1], token + "a", token.upper(), "fhp_" + token, token[:-1] + "!"):
        assert ask(changed).status_code == 401


def test_a_token_ends_with_its_time():
    token = make()
    renew_next_time(token, expires_at=now() - timedelta(milliseconds=1))
    assert ask(token).status_code == 401
    assert services.listed(CAST["scout"]) == []


@pytest.mark.parametrize("days", [30, 90, 365])
def test_a_token_is_cleaned_up_after_its_time(days):
    row = stored(make(days=days))
    assert row.expires_at - row.created_at == timedelta(days=days)
    assert abs(row.ttl - row.expires_at) < timedelta(seconds=1)


def test_groups_that_were_taken_count_with_the_next_renewal(pool):
    token = make("scout-lead")
    assert ask(token, f"{SENDING}?event={KEY}").status_code == 200
    pool.has("scout-lead", groups=["scout"])
    renew_next_time(token)
    assert ask(token, f"{SENDING}?event={KEY}").status_code == 403
    assert ask(token).status_code == 200


def test_groups_that_were_taken_before_its_first_use_do_not_count(pool):
    token = make("scout-lead")
    pool.has("scout-lead", groups=[])
    assert ask(token, f"{SENDING}?event={KEY}").status_code == 403


def test_groups_that_an_administrator_takes_do_not_count_any_more_at_once(pool):
    token = make("scout-lead")
    assert ask(token, f"{SENDING}?event={KEY}").status_code == 200
    pool.has("scout-lead", groups=["scout"])
    assert people._end_sessions(CAST["scout-lead"].sub) == []
    assert ask(token, f"{SENDING}?event={KEY}").status_code == 403
    assert ask(token).status_code == 200


def test_the_token_of_a_disabled_account_is_refused_at_once(pool):
    token = make()
    assert ask(token).status_code == 200
    pool.has("scout", enabled=False)
    assert people._end_sessions(CAST["scout"].sub) == []
    assert ask(token).status_code == 401


def test_a_token_that_is_to_be_renewed_again_while_it_is_renewed_is_renewed_again(pool, monkeypatch):
    token, get = make(), pool.get

    def slowly(sub):
        found = get(sub)
        services.renew_all_of(sub)
        return found

    monkeypatch.setattr(cognito, "get", slowly)
    assert ask(token).status_code == 200
    assert stored(token).renew_at <= now()


@pytest.mark.parametrize("gone", ["disabled", "deleted"])
def test_the_token_of_an_account_that_is_gone_is_gone(pool, gone):
    token = make()
    if gone == "deleted":
        del pool.accounts[CAST["scout"].sub]
    else:
        pool.has("scout", enabled=False)
    assert ask(token).status_code == 401
    assert stored(token) is None


def test_an_outage_of_cognito_takes_no_rights_away(pool):
    token = make()
    pool.is_down = True
    assert ask(token).status_code == 200
    pool.is_down = False
    renew_next_time(token)
    assert ask(token).status_code == 200
    assert stored(token).last_used_at is not None


def test_cognito_is_asked_once_in_a_quarter_of_an_hour(pool):
    token = make()
    for _time in range(3):
        ask(token)
    assert pool.asked == 1
    assert timedelta(minutes=14) < stored(token).renew_at - now() <= timedelta(minutes=15)


def test_of_many_requests_at_the_same_moment_one_asks_cognito(pool):
    token = make()
    assert let_go(lambda _number: ask(token).status_code, 6) == [200] * 6
    assert pool.asked == 1


def test_a_list_costs_two_requests():
    token = make()
    ask(token)
    with metering.metered() as meter:
        assert ask(token, SENDING + "?scout=me&limit=100").status_code == 200
    assert meter.operations == ["GetItem", "Query"]


def test_a_revoked_token_is_refused_at_once():
    token, other = make(), make()
    services.revoke(CAST["scout"], stored(token).digest)
    assert (ask(token).status_code, ask(other).status_code) == (401, 200)


def test_nobody_revokes_or_sees_the_tokens_of_others():
    token = make()
    with pytest.raises(NotFound):
        services.revoke(CAST["admin"], stored(token).digest)
    assert services.listed(CAST["admin"]) == []
    assert ask(token).status_code == 200


def test_a_token_opens_no_page_and_makes_no_token():
    token = make("admin")
    for address in ("/desk/", "/tokens/", "/people/"):
        assert ask(token, address).status_code == 302
    assert ask(token, "/tokens/", SENT).status_code in (401, 403)


def test_a_token_beside_a_session_has_its_own_rights():
    client = sign_in(Client(), "admin")
    answer = client.get(f"{SENDING}?event={KEY}", headers={"Authorization": f"Bearer {make('scout')}"})
    assert answer.status_code == 403


def test_what_is_sent_twice_makes_one_token():
    once = IdempotencyKey("scout-sub", "tokens", "key", {})
    services.make(CAST["scout"], "Sheet", BOTH, 30, once=once)
    with pytest.raises(Replayed):
        services.make(CAST["scout"], "Sheet", BOTH, 30, once=once)
    assert len(services.listed(CAST["scout"])) == 1


def test_nobody_makes_more_than_twenty_a_day():
    for _number in range(20):
        make()
    with pytest.raises(TooManyRequests):
        make()


@pytest.mark.parametrize("scopes", [[], ["payroll:read"], ["scouting"], ["scouting:read", "admin:write"]])
def test_a_token_has_no_scopes_that_there_are_not(scopes):
    with pytest.raises(ValueError):
        make(scopes=scopes)
