"""Sponsors: shown for a year unless told otherwise, gone from the website the second they expire."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils.timezone import localdate, localtime

from cms.sponsors.repository import sponsors
from core.dynamo import metering
from core.dynamo.attributes import now
from tests.cast import CAST, sign_in
from tests.cms.club import make_sponsor
from tests.core.crud.pages import OpenForm, open_form
from tests.core.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")

NEW = "/cms/sponsors/new"


def of_form(form: OpenForm):
    return sponsors.get(form.action.split("/")[-2], strong=True)


def state_in(response) -> str:
    """What the head of the form says."""
    head = re.search(r'id="record-head".*?</div>', response.content.decode(), re.DOTALL)
    return " ".join(re.findall(r'class="badge status \w+">([^<]*)<', head[0]))


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(
        name="Bäckerei Kornblum",
        website="kornblum.example/verein",
        description="Brötchen.",
        expiry_timestamp="2027-06-01T12:00",
    )
    assert form.send().status_code == 302

    stored = of_form(form).stored
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "sponsor"},
        "name": {"S": "Bäckerei Kornblum"},
        "sortName": {"S": "backerei kornblum"},
        "website": {"S": "https://kornblum.example/verein"},
        "description": {"S": "Brötchen."},
        # Noon in summer in Berlin.
        "expiryTimestamp": {"N": str(int(datetime(2027, 6, 1, 10, tzinfo=UTC).timestamp()))},
        "createdAt": stored["createdAt"],
        "updatedAt": stored["createdAt"],
        "version": {"N": "1"},
    }


def test_a_new_one_is_shown_for_a_year_until_the_end_of_the_day(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(name="Kornblum")
    form.send()

    end = localtime(of_form(form).expiry_timestamp)
    assert (end.date(), end.time()) == (localdate() + timedelta(days=365), time(23, 59))


def test_a_moment_that_is_over_is_refused_when_it_is_entered(as_role) -> None:
    sponsor = make_sponsor()

    for address in (NEW, f"/cms/sponsors/{sponsor.id}/"):
        form = open_form(as_role("moderator"), address).fill(
            name="Radhaus", expiry_timestamp="2026-11-01T12:00"
        )
        answer = form.send()
        assert answer.context["form"].errors == {
            "expiry_timestamp": ["This time is in the past. Choose a later one, or delete the sponsor."]
        }
    assert sponsors.get(sponsor.id, strong=True).expiry_timestamp is None


def test_the_way_of_the_guide_to_end_one_at_once_is_accepted(as_role) -> None:
    guide = (settings.BASE_DIR / "docs" / "editors.md").read_text()
    assert "To end one at once, delete it" in " ".join(guide.split())
    sponsor = make_sponsor("Radhaus")
    moderator = as_role("moderator")
    assert "Radhaus" in Client().get("/sponsors/").content.decode()

    assert moderator.post(f"/cms/sponsors/{sponsor.id}/delete", {"version": "1"}).status_code == 302
    assert "Radhaus" not in Client().get("/sponsors/").content.decode()


def test_what_has_expired_can_be_changed_and_shown_again(as_role) -> None:
    sponsor = make_sponsor(expiry_timestamp=now() - timedelta(minutes=5))
    client, address = as_role("moderator"), f"/cms/sponsors/{sponsor.id}/"

    assert open_form(client, address).fill(website="").send().status_code == 302
    assert state_in(client.get(address)) == "Expired"
    form = open_form(client, address).fill(expiry_timestamp=f"{localdate() + timedelta(days=90)}T12:00")
    assert form.send().status_code == 302
    assert state_in(client.get(address)) == "Shown"


def test_without_an_end_it_stays(as_role) -> None:
    form = open_form(as_role("moderator"), NEW).fill(name="Kornblum", expiry_timestamp="")
    form.send()

    assert "expiryTimestamp" not in of_form(form).stored
    assert of_form(form).is_shown()


@pytest.mark.parametrize(
    "website",
    [
        "javascript:alert(1)",
        "JAVASCRIPT://example.com/%0aalert(1)",
        "data:text/html,<script>alert(1)</script>",
        "ftp://kornblum.example",
        "https://",
        "https://korn blum.example",
        "https://[kornblum.example/",
        "]",
        "https://bank.example@kornblum.example/",
        f"https://kornblum.example/{'x' * 500}",
    ],
)
def test_only_addresses_of_the_web_are_taken(as_role, website: str) -> None:
    answer = open_form(as_role("moderator"), NEW).fill(name="Kornblum", website=website).send()

    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"website"}


def test_a_name_is_taken_once(as_role) -> None:
    make_sponsor("Kornblum")

    answer = open_form(as_role("moderator"), NEW).fill(name="KORNBLUM").send()

    assert answer.context["form"].errors == {"name": ["Another sponsor already has this name."]}


def test_readers_see_it_until_the_second_it_expires() -> None:
    moment = now().replace(microsecond=0)
    make_sponsor("Gone", expiry_timestamp=moment)
    make_sponsor("Still there", expiry_timestamp=moment + timedelta(hours=1))

    assert [sponsor.name for sponsor in sponsors.public()] == ["Still there"]
    # DynamoDB has not removed it yet: editors still find it.
    assert len(sponsors.by_name().items) == 2


def test_the_list_says_which_end_soon_and_which_have_expired(as_role) -> None:
    make_sponsor("Expired", expiry_timestamp=now() - timedelta(minutes=1))
    make_sponsor("Soon", expiry_timestamp=now() + timedelta(days=29))
    make_sponsor("Later", expiry_timestamp=now() + timedelta(days=31))
    make_sponsor("For good")
    client = as_role("moderator")

    states = re.findall(r'badge status (\w+)">([^<]*)<', client.get("/cms/sponsors/").content.decode())
    assert states == [
        ("archived", "Expired"),
        ("published", "Shown"),
        ("published", "Shown"),
        ("waiting", "Ends soon"),
    ]
    assert names_in(client.get("/cms/sponsors/?state=expired").content.decode()) == ["Expired"]
    assert names_in(client.get("/cms/sponsors/?state=shown").content.decode()) == ["For good", "Later"]


@pytest.mark.parametrize("role", ["official", "scout", "member"])
def test_others_than_moderators_do_not_come_in(role: str) -> None:
    sponsor = make_sponsor()
    client = sign_in(Client(), role)

    for address in ("", "new", f"{sponsor.id}/"):
        assert client.get(f"/cms/sponsors/{address}").status_code == 403


def test_home_asks_for_them_only_for_those_whom_it_concerns() -> None:
    costs = {}
    for role in ("moderator", "official", "member"):
        client = sign_in(Client(), role)
        with metering.metered() as meter:
            client.get(client.get("/desk/").context["later"])
        costs[role] = [call.table for call in meter.calls].count(sponsors.model.Meta.table_name)

    assert costs == {"moderator": 1, "official": 0, "member": 0}


def test_a_moment_that_was_left_alone_keeps_its_seconds(as_role) -> None:
    moment = datetime(2027, 6, 1, 10, 11, 12, tzinfo=UTC)
    sponsor = make_sponsor(expiry_timestamp=moment)

    open_form(as_role("moderator"), f"/cms/sponsors/{sponsor.id}/").fill(name="Kornblum").send()

    assert sponsors.get(sponsor.id).expiry_timestamp == moment
    assert CAST["moderator"].groups == {"moderator"}
