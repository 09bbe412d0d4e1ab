"""Every operation of the API against every scope of a personal access token of an administrator."""

import pytest
from django.test import Client

from core.accounts.personal_tokens import services
from core.accounts.rights import PUBLIC, SAFE_METHODS
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
def test_a_token_is_let_in_by_exactly_the_operations_of_its_scope(access: str) -> None:
    token = services.make(
        CAST["admin"], "Program", [f"{domain}:{access}" for domain in services.DOMAINS], 30
    ).text
    headers = {"Authorization": f"Bearer {token}"}
    let_in = {
        (method, address): Client().generic(method, address, headers=headers).status_code not in (401, 403)
        for method, address in OPERATIONS
    }

    assert len(let_in) > 40
    assert let_in == {
        (method, address): (method in SAFE_METHODS) is (access == "read") for method, address in OPERATIONS
    }


def test_a_token_has_a_scope_for_every_domain_of_the_api() -> None:
    rights = {
        right
        for view in ROUTES.values()
        for declared in getattr(view, "rights_by_method", {}).values()
        for right in declared
    }

    assert {right.partition(".")[0] for right in rights} - {PUBLIC} == set(services.DOMAINS)


@pytest.mark.usefixtures("db")
def test_a_token_for_one_domain_is_refused_by_the_others() -> None:
    token = services.make(CAST["admin"], "Program", ["cms:read"], 30).text
    headers = {"Authorization": f"Bearer {token}"}
    statuses = {
        address.split("/")[3]: Client().get(address, headers=headers).status_code
        for method, address in OPERATIONS
        if method == "GET"
    }

    assert {domain for domain, status in statuses.items() if status != 403} == {"cms"}
