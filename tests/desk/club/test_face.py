"""Colours, icon and logo as browsers load them: without a session, for ever, and with nothing that runs."""

import re

import pytest
from django.test import Client

from core.club.colours import shades
from core.club.repository import put_logo
from core.dynamo import metering
from core.dynamo.transactions import commit
from core.media import drawings
from tests.cast import sign_in
from tests.desk.club.posted import SHIELD
from tests.the_club import the_club

NAME = f"{'0' * 32}.svg"


@pytest.fixture
def logo(db) -> str:
    commit(put_logo(NAME, drawings.clean(SHIELD).data))
    return f"/brand/logo/{NAME}"


def test_the_style_sheet_follows_from_its_address_and_costs_no_request():
    with metering.metered() as cost:
        answer = Client().get("/brand/ff9900-0b1f4b.css")

    assert cost.operations == []
    assert answer["Content-Type"] == "text/css; charset=utf-8"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    found = shades("#ff9900")
    assert f"--accent: light-dark({found.light}, {found.dark});" in answer.content.decode()
    assert "--brand: #ff9900;\n  --on-brand: #000000;\n  --second: #0b1f4b;" in answer.content.decode()


def test_without_a_second_colour_the_ornament_is_a_shade_of_the_first():
    sheet = Client().get("/brand/0b1f4b.css").content.decode()

    assert "--second: color-mix(in oklab, #ffffff 22%, #0b1f4b);" in sheet


@pytest.mark.parametrize(
    "address",
    [
        "/brand/red.css",
        "/brand/FF9900.css",
        "/brand/ff9900-.css",
        "/brand/ff9900-0b1f4b-000000.css",
        "/brand/ff990;%7D.css",
        "/brand/ff9900/%3Cb%3E.svg",
        "/brand/red/TVA.svg",
        "/brand/logo/none.svg",
        "/brand/logo/..%2Fsettings",
    ],
)
@pytest.mark.usefixtures("db")
def test_what_is_no_colour_and_no_logo_is_not_found(address):
    assert Client().get(address).status_code == 404


def test_a_club_without_a_logo_has_its_initials_as_icon():
    assert the_club(name="TSV 1904 Auenfeld").initials == "T1A"
    assert the_club(name="Verein", short_name="VCA").initials == "VCA"
    assert the_club(name="Verein", short_name="Auenfeld").initials == "V"
    assert the_club(name="* ♥ *").initials == ""
    answer = Client().get("/brand/0b1f4b/VCA.svg")

    assert answer["Content-Type"] == "image/svg+xml"
    assert ">VCA</text>" in answer.content.decode()
    assert 'fill="#0b1f4b"' in answer.content.decode()


def test_a_logo_runs_nothing_wherever_it_is_opened(logo):
    answer = Client().get(logo)

    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Set-Cookie" not in answer
    assert not re.search(rb"<script|on\w+=|href", answer.content)


def test_they_are_the_same_for_everyone_and_read_no_session(logo):
    person = sign_in(Client(), "admin")

    for address, requests in ((logo, ["GetItem"]), ("/brand/0b1f4b.css", []), ("/brand/0b1f4b/A.svg", [])):
        with metering.metered() as cost:
            answer = person.get(address)
        assert cost.operations == requests
        assert "Cookie" not in answer.get("Vary", "")
