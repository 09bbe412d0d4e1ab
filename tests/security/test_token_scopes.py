"""Every operation of the API against every scope of a personal access token of an administrator."""

import pytest
from django.test import Client

from core.accounts.personal_tokens import services
from core.accounts.rights import ACROSS, PUBLIC, SAFE_METHODS, rights_of
from tests.cast import CAST
from tests.security.test_routes import ROUTES

OPERATIONS = [
    (method, address)
    for address, view in ROUTES.items()
    for method, rights in getattr(view, "rights_by_method", {}).items()
    if rights != (PUBLIC,)
]


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("access", ["read", "write"])
@pytest.mark.parametrize("domain", services.DOMAINS)
def test_a_token_is_let_in_by_exactly_the_operations_of_its_scope(domain: str, access: str) -> None:
    token = services.make(CAST["admin"], "Program", [f"{domain}:{access}"], 30).text
    headers = {"Authorization": f"Bearer {token}"}
    let_in = {
        (method, address): Client().generic(method, address, headers=headers).status_code not in (401, 403)
        for method, address in OPERATIONS
    }

    assert len(let_in) > 40
    assert let_in == {
        (method, address): (method in SAFE_METHODS) is (access == "read")
        and rights_of(ROUTES[address], method)[0].startswith((f"{domain}.", f"{ACROSS}."))
        for method, address in OPERATIONS
    }


def test_a_token_has_a_scope_for_every_domain_of_the_api() -> None:
    rights = {
        right
        for view in ROUTES.values()
        for declared in getattr(view, "rights_by_method", {}).values()
        for right in declared
    }

    assert {right.partition(".")[0] for right in rights} - {PUBLIC, ACROSS} == set(services.DOMAINS)
