"""What a person has set for themselves comes into the session when they sign in."""

import pytest
from django.test import Client

from core.accounts.preferences import KEPT_IN
from core.dynamo import preferences
from core.dynamo.errors import Unavailable
from tests.core.accounts.issuer import PERSON, Issuer
from tests.core.accounts.signing_in import session, sign_in_through

pytestmark = pytest.mark.usefixtures("db")
SUB = str(PERSON["sub"])


def test_signing_in_brings_them_into_the_session(client: Client, issuer: Issuer) -> None:
    preferences.save(SUB, "view:role:The board", {"vorstand": "yes"})
    preferences.save("somebody-else", "view:role:Foreign", {})

    sign_in_through(issuer, client)

    assert session(client)[KEPT_IN] == {"view:role:The board": {"vorstand": "yes"}}


def test_an_outage_of_the_preferences_keeps_nobody_out(
    client: Client, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(_sub: str) -> None:
        raise Unavailable

    monkeypatch.setattr(preferences, "all_of", unavailable)

    sign_in_through(issuer, client)

    assert client.get("/desk/").status_code == 200
    assert KEPT_IN not in session(client)
