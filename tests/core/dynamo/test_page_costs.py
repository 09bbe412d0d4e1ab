"""A page costs the same however many records there are."""

import pytest

from tests.core.dynamo.filling import costs, fill, stop_streams


# The lists of news and roles are asked the same in every run.
@pytest.mark.slow
@pytest.mark.usefixtures("own_engine")
def test_first_and_fortieth_page_and_search_cost_the_same_with_500_and_5000_records() -> None:
    stop_streams()
    fill(0, 500)
    with_500 = costs()
    fill(500, 5000)
    with_5000 = costs()

    assert with_500 == with_5000
    assert with_500["first page"] == with_500["fortieth page"]
    assert with_500["first page"][:2] == (1, 10)
    assert with_500["search"][:2] == (2, 40)
