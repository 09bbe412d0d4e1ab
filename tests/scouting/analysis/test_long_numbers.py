"""Whoever sends thousands of digits where a number belongs is answered as for any other nonsense."""

import pytest
from django.urls import reverse

from scouting.forms.repository import stand_forms
from tests.scouting import field
from tests.scouting.field import KEY

pytestmark = pytest.mark.usefixtures("db")
LONG = "9" * 5000


@pytest.fixture
def lead(as_role):
    field.event()
    field.stand("20", 1)
    return as_role("scout-lead")


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        (f"events/{KEY}/edit/", {"name": "x", "version": LONG}),
        (f"events/{KEY}/teams/", {"text": "20", "version": LONG}),
        (f"events/{KEY}/schedule/", {"text": "1: 20 - 71", "version": LONG}),
        ("settings/", {"year": "2026", "version": LONG}),
        ("settings/", {"year": LONG, "version": "0"}),
        ("games/2026/edit/", {"name": "x", "version": LONG}),
        (f"games/{LONG}/upload", {}),
        ("selection/change", {"version": LONG, "do": "save"}),
        ("selection/change", {"version": "0", "do": f"save:{LONG}"}),
        ("selection/change", {"version": "0", "do": f"move:20:r1:{LONG}"}),
    ],
)
def test_a_long_number_in_a_form_is_no_fault_of_ours(lead, address, sent):
    assert lead.post(f"/scouting/{address}", sent).status_code < 500


@pytest.mark.parametrize(
    "address",
    [
        f"analysis/matches/{LONG}/",
        f"analysis/forms/?q=match+{LONG}",
        f"settings/?year={LONG}",
        f"teams/{LONG}/",
        f"games/{LONG}/",
        f"stand/?match={LONG}&team=20&after={LONG}",
    ],
)
def test_a_long_number_in_an_address_is_no_fault_of_ours(lead, address):
    assert lead.get(f"/scouting/{address}").status_code < 500


@pytest.mark.parametrize("screen", ["form-edit", "form-delete"])
def test_a_long_version_of_a_form_is_no_fault_of_ours(lead, screen):
    key = stand_forms.key_of(field.stand("20", 2))
    sent = {"version": LONG, "q_teleFuel": 7, "once": "once"}
    assert lead.post(reverse(f"scouting:{screen}", args=["stand", key]), sent).status_code < 500
