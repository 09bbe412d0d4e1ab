"""The page of access tokens: a new one is shown once, and any can be revoked."""

import re

import pytest
from django.test import Client

from core.accounts import cognito
from core.accounts.personal_tokens import services
from core.people import services as people
from tests.cast import CAST, sign_in

ADDRESS = "/tokens/"
OTHERS = dict.fromkeys(services.DOMAINS, "none")
TYPED = {"name": "Sheet of the pit", **OTHERS, "scouting": "write", "days": "90", "once": "first"}


@pytest.fixture
def scout(db):
    return sign_in(Client(), "scout")


def token_in(answer):
    (token,) = re.findall(r'id="token" value="([^"]*)"', answer.content.decode())
    return token


def asks(token):
    return Client().get("/api/v1/scouting/config", headers={"Authorization": f"Bearer {token}"}).status_code


def test_a_new_token_is_shown_once_and_works(scout):
    made = scout.post(ADDRESS, TYPED)
    assert (made.status_code, asks(token_in(made))) == (200, 200)
    page = scout.get(ADDRESS).content.decode()
    assert token_in(made) not in page
    assert 'id="token"' not in page
    assert "Sheet of the pit" in page
    assert "Scouting: read and write" in re.sub(r"\s+", " ", page)


def test_a_form_that_is_sent_twice_makes_one_token_and_shows_none_again(scout):
    made = scout.post(ADDRESS, TYPED)
    again = scout.post(ADDRESS, TYPED)
    assert again.status_code == 200
    assert 'id="made-before"' in again.content.decode()
    assert token_in(made) not in again.content.decode()
    assert len(services.listed(CAST["scout"])) == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"scouting": ""}, "scouting"),
        ({"scouting": "none"}, "cms"),
        ({"scouting": "all"}, "scouting"),
        ({"days": "3650"}, "days"),
        ({"days": ""}, "days"),
    ],
)
def test_a_mistake_is_told_at_its_field(scout, wrong, field):
    answer = scout.post(ADDRESS, TYPED | wrong)
    assert (answer.status_code, [*answer.context["form"].errors]) == (422, [field])
    assert services.listed(CAST["scout"]) == []


def test_whoever_may_only_read_gets_no_scope_to_write(scout):
    scout.post(ADDRESS, TYPED | {"scouting": "read"})
    assert services.listed(CAST["scout"])[0].scopes == ["scouting:read"]


def test_a_token_is_revoked_by_its_owner_only(scout):
    token = token_in(scout.post(ADDRESS, TYPED))
    (row,) = services.listed(CAST["scout"])
    address = f"{ADDRESS}{row.digest}/revoke"
    assert sign_in(Client(), "admin").post(address).status_code == 302
    assert asks(token) == 200
    answer = scout.post(address)
    assert (answer.status_code, answer["Location"], asks(token)) == (302, ADDRESS, 401)


@pytest.mark.parametrize("digest", ["nothing", "a" * 3000])
def test_what_is_no_token_cannot_be_revoked(scout, digest):
    answer = scout.post(f"{ADDRESS}{digest}/revoke", follow=True)
    assert answer.status_code == 200
    assert "does not exist" in answer.content.decode()


def test_whoever_is_signed_out_everywhere_has_no_tokens_any_more(scout, monkeypatch):
    token = token_in(scout.post(ADDRESS, TYPED))
    other = token_in(sign_in(Client(), "scout-lead").post(ADDRESS, TYPED))
    with monkeypatch.context() as patch:
        patch.setattr(cognito, "administer", lambda *_args, **_options: {})
        assert people._sign_out(CAST["scout"].sub) == []
    assert (asks(token), asks(other)) == (401, 200)


def test_members_find_the_page_in_their_menu_and_guests_do_not(scout):
    assert 'id="access-tokens" href="/tokens/"' in scout.get("/desk/").content.decode()
    guest = sign_in(Client(), "guest")
    assert 'id="access-tokens"' not in guest.get("/desk/").content.decode()
    assert guest.get(ADDRESS).status_code == 403


def test_the_page_is_kept_nowhere(scout):
    assert scout.post(ADDRESS, TYPED)["Cache-Control"] == "no-store"
