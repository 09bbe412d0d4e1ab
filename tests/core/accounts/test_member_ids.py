"""Who somebody is among the members of the club: found by the verified e-mail address, like their groups."""

import pytest
from django.test import Client
from django.urls import reverse

from cms.members.models import Member
from cms.members.repository import members
from core.accounts import sessions
from core.dynamo import metering
from core.dynamo.actors import Actor
from tests.core.accounts.issuer import PERSON, Issuer
from tests.core.accounts.signing_in import kept_user, sign_in_through

pytestmark = pytest.mark.usefixtures("db")


def member(actor: Actor, name: str, email: str | None) -> Member:
    return members.create(Member(name=name, email=email), actor=actor)


def test_signing_in_finds_the_members_with_the_same_address(client: Client, issuer, alice) -> None:
    own = [member(alice, name, PERSON["email"].lower()) for name in ("Odile Brandt", "Her daughter")]
    member(alice, "Somebody else", "else@fieldhouse.example")
    member(alice, "Nobody's address", None)

    with metering.metered() as meter:
        sign_in_through(issuer, client)

    assert kept_user(client)["member_ids"] == sorted(each.id for each in own)
    asked = [call.operation for call in meter.calls if call.table == Member.Meta.table_name]
    assert asked == ["Query"]


def test_a_page_asks_no_more_and_a_renewal_asks_again(
    client: Client, issuer: Issuer, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in_through(issuer, client)
    own = member(alice, "Odile Brandt", PERSON["email"].lower())

    with metering.metered() as meter:
        assert client.get(reverse("home")).wsgi_request.user.member_ids == frozenset()
    assert Member.Meta.table_name not in {call.table for call in meter.calls}

    monkeypatch.setattr(sessions, "RENEW_AFTER", -1)
    sign_in_through(issuer, client)
    members.update(own, {"email": None}, actor=alice)
    user = client.get(reverse("home")).wsgi_request.user
    assert (user.sub, user.member_ids) == (PERSON["sub"], frozenset())
