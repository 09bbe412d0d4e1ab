"""The e-mail address and phone number of members: for administrators, moderators and the person alone.

Each test is one way by which they could leave, asked by each of those who come near members.
"""

import csv
import io
import re
import zipfile
from typing import Any

import pytest
from django.test import Client

from cms.members.models import Member
from cms.members.repository import members
from core.accounts import directory
from core.accounts.rights import OFFICIALS, RIGHTS, Right
from tests.cast import CAST, sign_in
from tests.cms.club import MAKER, as_member, make_member, make_team, signed_in
from tests.core.crud.pages import open_form
from tests.core.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")

EMAIL, PHONE, EARLIER = "quandt@verein.example", "0151 777 4242", "0151 777 1111"
OWN_EMAIL, OWN_PHONE = CAST["member"].email, "0151 888 5151"
SECRETS = (EMAIL, PHONE, EARLIER)
TEAM = "/teams/damen2/"
ELSEWHERE = (
    *("/desk/", "/cms/calendar/", "/quests/", "/tracker/", "/club/people/", TEAM),
    *("/feeds/all.ics", "/feeds/damen2.ics", "/feeds/news.rss", "/cms/members/trash"),
)
# The coach is one of the members and has no group.
WHO = {"admin": True, "moderator": True, "official": False, "coach": False}


class Club:
    """A member with an address, and a coach who is another one."""

    def __init__(self) -> None:
        first = make_member("Svea Nordmann", email=EMAIL, phone=EARLIER)
        self.svea = members.update(first, {"phone": PHONE}, actor=MAKER)
        self.coach = make_member("Maya Rosenthal", email=OWN_EMAIL, phone=OWN_PHONE)
        make_team("Damen 1", status="published", coach_ids=[self.coach.id])

    def client(self, who: str) -> Client:
        return signed_in(as_member("member", self.coach)) if who == "coach" else sign_in(Client(), who)


@pytest.fixture
def club(db: Any) -> Club:
    return Club()


def text_of(client: Client, address: str, **query: str) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode()


def told(page: str, *secrets: str) -> list[str]:
    return [secret for secret in secrets if secret in page]


def contact_links(page: str) -> list[str]:
    return re.findall(r'href="(mailto:[^"]*)"', page)


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_the_list_has_columns_for_them(club: Club, who: str, may: bool) -> None:
    page = text_of(club.client(who), "/cms/members/")

    assert names_in(page) == ["Maya Rosenthal", "Svea Nordmann"]
    assert told(page, EMAIL, PHONE, "E-mail", "Phone") == ([EMAIL, PHONE, "E-mail", "Phone"] if may else [])


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_the_page_of_a_member_has_them(club: Club, who: str, may: bool) -> None:
    page = text_of(club.client(who), f"/cms/members/{club.svea.id}/")

    assert "Svea Nordmann" in page
    assert told(page, EMAIL, PHONE) == ([EMAIL, PHONE] if may else [])


def test_a_person_reads_and_changes_their_own(club: Club) -> None:
    form = open_form(club.client("coach"), f"/cms/members/{club.coach.id}/")

    assert (form.fields["email"], form.fields["phone"]) == ([OWN_EMAIL], [OWN_PHONE])
    assert form.fill(phone="0151 999").send().status_code == 302
    assert members.get(club.coach.id, strong=True).phone == "0151 999"


@pytest.mark.parametrize(("who", "may"), WHO.items())
@pytest.mark.parametrize("query", [{}, {"q": "Svea"}])
def test_the_export_has_them(club: Club, who: str, may: bool, query: dict[str, str]) -> None:
    text = text_of(club.client(who), "/cms/members/export.csv", **query).removeprefix("\ufeff")
    headings, *lines = csv.reader(io.StringIO(text))

    contact = ["E-mail", "Phone"] if may else []
    assert headings == ["Key", "Name", "Roles", *contact, "Changed", "Created"]
    (svea,) = [line for line in lines if line[1] == "Svea Nordmann"]
    assert svea[:-2] == [club.svea.id, "Svea Nordmann", "", *([EMAIL, PHONE] if may else [])]


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_the_workbook_has_them(club: Club, who: str, may: bool) -> None:
    response = club.client(who).get("/cms/members/export.xlsx")
    with zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content))) as book:
        everything = "".join(book.read(name).decode() for name in book.namelist())

    assert "Svea Nordmann" in everything
    assert told(everything, EMAIL, PHONE) == ([EMAIL, PHONE] if may else [])


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_a_picker_has_the_address_beside_the_name(club: Club, who: str, may: bool) -> None:
    page = text_of(club.client(who), "/cms/members/pick", q="Nordmann")

    assert "Svea Nordmann" in page
    assert told(page, EMAIL, PHONE) == ([EMAIL] if may else [])


@pytest.mark.parametrize(("who", "may"), WHO.items())
@pytest.mark.parametrize(
    "address", ["/cms/members/", "/cms/members/pick", "/cms/members/export.csv", "/search"]
)
@pytest.mark.parametrize("typed", [EMAIL, "quandt", "svea quandt"])
def test_a_search_finds_by_them(club: Club, address: str, typed: str, who: str, may: bool) -> None:
    client = club.client(who)

    assert "Svea Nordmann" in text_of(client, address, q="svea nord")
    assert ("Svea Nordmann" in text_of(client, address, q=typed)) is may


@pytest.mark.parametrize("address", ["/cms/members/", "/search"])
def test_a_person_finds_themselves_by_their_own_address(club: Club, address: str) -> None:
    assert "Maya Rosenthal" in text_of(club.client("coach"), address, q=OWN_EMAIL)


@pytest.mark.parametrize("who", ["admin", "moderator", "official"])
def test_the_directory_of_people_finds_nobody_by_the_address(who: str) -> None:
    directory.enter("svea-sub", name="Svea Nordmann", email=EMAIL, actor=MAKER)
    client = sign_in(Client(), who)

    assert "Svea Nordmann" in text_of(client, "/directory/pick", q="svea")
    assert "Svea Nordmann" not in text_of(client, "/directory/pick", q=EMAIL)


def versions(client: Client, member: Member) -> str:
    """Every entry of the history with what it changed."""
    page = text_of(client, f"/cms/members/{member.id}/history")
    addresses = re.findall(r'href="([^"]*/version\?[^"]*)"', page)
    assert len(addresses) == 2
    return page + "".join(text_of(client, address.replace("&amp;", "&")) for address in addresses)


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_the_history_has_them(club: Club, who: str, may: bool) -> None:
    assert told(versions(club.client(who), club.svea), *SECRETS) == (list(SECRETS) if may else [])


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_the_history_of_a_deleted_member_has_them(club: Club, who: str, may: bool) -> None:
    members.delete(club.svea, actor=MAKER)
    client = club.client(who)
    page = text_of(client, f"/cms/members/{club.svea.id}/history")
    pages = [
        text_of(client, each.replace("&amp;", "&"))
        for each in re.findall(r'href="([^"]*/version\?[^"]*)"', page)
    ]

    assert len(pages) == 3
    assert told(page + "".join(pages), *SECRETS) == (list(SECRETS) if may else [])


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("address", ELSEWHERE)
def test_home_the_trash_the_website_and_the_feeds_have_none(
    club: Club, who: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apart from the address of a contact person, on the page of the team."""
    make_team("Damen 2", status="published", coach_ids=[club.svea.id], contact_person_ids=[club.coach.id])
    members.delete(make_member("Ida Quandt", email="ida@verein.example", phone=EARLIER), actor=MAKER)
    # So that the trash lets everybody in.
    monkeypatch.setitem(RIGHTS, "cms.member.delete", Right(OFFICIALS, members=True))
    page = text_of(club.client(who), address)

    assert told(page, *SECRETS, "ida@verein.example", OWN_PHONE) == []
    assert contact_links(page) == ([f"mailto:{OWN_EMAIL}"] if address == TEAM else [])


@pytest.mark.parametrize(("who", "may"), WHO.items())
def test_the_preview_of_a_team_has_the_address_of_its_contact(club: Club, who: str, may: bool) -> None:
    team = make_team("Damen 3", status="draft", contact_person_ids=[club.svea.id])
    page = text_of(club.client(who), f"/cms/teams/{team.id}/preview")

    assert "Svea Nordmann" in page
    assert contact_links(page) == ([f"mailto:{EMAIL}"] if may else [])


def test_whoever_saves_without_reading_them_leaves_them_as_they_are(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RIGHTS, "cms.member.update", Right(OFFICIALS))
    form = open_form(club.client("official"), f"/cms/members/{club.svea.id}/")
    assert not {"email", "phone"} & form.fields.keys()

    form.fields |= {"email": ["mine@verein.example"], "phone": [""]}
    assert form.fill(name="Svea Nord").send().status_code == 302

    stored = members.get(club.svea.id, strong=True)
    assert (stored.name, stored.email, stored.phone) == ("Svea Nord", EMAIL, PHONE)


def test_an_earlier_version_comes_back_without_them_for_whoever_does_not_read_them(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RIGHTS, "cms.member.update", Right(OFFICIALS))
    client = club.client("official")
    members.update(club.svea, {"name": "Svea Nord"}, actor=MAKER)
    page = text_of(client, f"/cms/members/{club.svea.id}/history")
    first = re.findall(r'href="([^"]*/restore-version\?[^"]*)"', page)[-1].replace("&amp;", "&")

    assert told(text_of(client, first), "Svea Nordmann", *SECRETS) == ["Svea Nordmann"]
    assert client.post(first, {"version": "3"}).status_code == 302
    stored = members.get(club.svea.id, strong=True)
    assert (stored.name, stored.email, stored.phone) == ("Svea Nordmann", EMAIL, PHONE)


def words_of(page: str, section: str) -> str:
    part = page.partition(f'id="{section}"')[2].partition("</section>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", part.partition(">")[2]).split())


@pytest.mark.parametrize("who", WHO)
def test_each_entry_says_what_the_website_shows(club: Club, who: str) -> None:
    make_team("Damen 2", status="published", contact_person_ids=[club.coach.id])
    make_team("Damen 3", status="draft", contact_person_ids=[club.coach.id, club.svea.id])
    client = club.client(who)

    named = words_of(text_of(client, f"/cms/members/{club.coach.id}/"), "on-website")
    unnamed = words_of(text_of(client, f"/cms/members/{club.svea.id}/"), "on-website")

    assert "in the group “Coaches”; as a coach of Damen 1" in named
    assert "E-mail address As a contact person, on the page of Damen 2 Phone number Never shown." in named
    assert "in the group “Others”" in unnamed
    assert (
        "E-mail address Not shown. Only contact persons of a team are shown. Phone number Never shown."
    ) in unnamed
