"""What the log tells about signing in."""

import pytest
from django.test import Client

from tests.core.accounts.issuer import Issuer
from tests.log_lines import MAIL, assert_clean, lines, written


@pytest.mark.usefixtures("db")
def test_signing_in_is_noted_without_anything_that_belongs_to_the_person(
    client: Client, issuer: Issuer
) -> None:
    issuer.person |= {"email": MAIL, "name": "Ada lovelace"}
    with written() as output:
        callback = issuer.authorize(client.get("/auth/login").headers["Location"])
        assert client.get(callback).status_code == 302
        client.get(callback)

    signed_in, refused = [line for line in lines(output) if line["event"].startswith("sign")]
    assert (signed_in["event"], signed_in["sub"]) == ("signed_in", issuer.person["sub"])
    assert refused["event"] == "sign_in_refused"
    assert_clean(output)
    for kept in (*client.cookies.values(), *issuer._refresh_tokens):
        assert str(getattr(kept, "value", kept)) not in output.getvalue()
