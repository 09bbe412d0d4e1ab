"""Administrators choose how the club looks and what it uses."""

import re
from datetime import UTC, datetime

import pytest
from django.core.exceptions import PermissionDenied

from cms.pages.models import Page
from cms.pages.repository import pages
from core.club import queries as club
from core.club.repository import club_settings
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import Conflict
from desk.club import services
from tests.cast import CAST, ROLES, STRANGER, sign_in
from tests.desk.club.posted import PAGE, POSTED, SHIELD, png, seen, svg
from tests.racing import at_once
from tests.the_club import the_club

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def admin(as_role):
    return as_role("admin")


def error_at(answer, field):
    assert answer.status_code == 422
    assert answer.context["form"].fields[field].widget.attrs["autofocus"] is True
    return str(answer.context["form"].errors[field][0])


# --- Saving -------------------------------------------------------------------------------------------------


def test_only_administrators_find_it(client, as_role):
    for role in ROLES:
        client.cookies.clear()
        answer = as_role(role).get(PAGE)
        assert answer.status_code == (200 if role == "admin" else 302 if role == STRANGER else 403)
        home = client.get("/desk/").content.decode()
        assert (f'href="{PAGE}"' in home) is (role == "admin")


def test_it_begins_with_what_the_environment_says(admin):
    form = admin.get(PAGE).context["form"]

    assert (form["name"].initial, form["time_zone"].initial) == ("Fieldhouse", "Europe/Berlin")
    assert form["domains"].initial == ["cms", "scouting", "quests", "tracker"]
    assert [row["target"] for row in form["menu"].initial] == [
        "news",
        "teams",
        "dates",
        "tables",
        "people",
        "sponsors",
    ]


def test_what_is_saved_holds_at_once_everywhere(admin, client):
    chosen = {"domains": ["cms"], "time_zone": "Asia/Tokyo", "email": "a@b.example"}
    answer = admin.post(PAGE, POSTED | chosen)

    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    now = club.current()
    assert (now.name, now.short_name, now.colours) == ("TV Auenfeld", "TVA", "c8102e")
    assert (now.email, str(now.zone), list(now.domains)) == ("a@b.example", "Asia/Tokyo", ["cms"])
    page = admin.get("/desk/").content.decode()
    assert "<title>Home · TV Auenfeld</title>" in page
    assert '<link rel="stylesheet" href="/brand/c8102e.css">' in page
    assert '<span class="brand-short">TVA</span><span class="brand-name">TV Auenfeld</span>' in page
    assert 'href="/quests/' not in page
    assert admin.get("/quests/").status_code == 404


def test_it_is_read_with_the_session_and_saved_with_three_requests(admin):
    admin.get(PAGE)
    with metering.metered() as cost:
        admin.get(PAGE)
    assert cost.operations == ["BatchGetItem"]

    with metering.metered() as cost:
        admin.post(PAGE, POSTED)
    assert cost.operations == ["BatchGetItem", "GetItem", "TransactWriteItems"]


def test_an_empty_field_is_no_value(admin):
    admin.post(PAGE, POSTED | {"short_name": "", "address": " "})

    assert (club.current().short_name, club.current().address, club.current().second_colour) == (None,) * 3


def test_the_name_is_one_line_for_headers_of_mails_and_files(admin):
    admin.post(PAGE, POSTED | {"name": "TV\r\nBcc: x@evil.example  Auenfeld"})

    assert club.current().name == "TV Bcc: x@evil.example Auenfeld"


def test_nobody_else_saves_whatever_is_sent(client):
    for role in ("moderator", "official", "steward", "member"):
        assert sign_in(client, role).post(PAGE, POSTED).status_code == 403
        with pytest.raises(PermissionDenied):
            services.save(CAST[role], {}, seen_version=0)


# --- What cannot hold ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"time_zone": "Europe/Nowhere"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"language": "xx"}, "language"),
        ({"domains": ["cms", "accounts"]}, "domains"),
        ({"email": "nobody"}, "email"),
        ({"colour": ""}, "colour"),
        ({"colour": "red"}, "colour"),
        ({"colour": "#c8102e;}body{display:none"}, "colour"),
    ],
)
def test_what_cannot_hold_is_told_at_its_field(admin, wrong, field):
    assert error_at(admin.post(PAGE, POSTED | wrong), field)
    assert club.current().seen_version == 0


@pytest.mark.parametrize(
    ("target", "text", "address"),
    [
        ("link", "Shop", "javascript:alert(1)"),
        ("link", "Shop", "https://shop.example@evil.example"),
        ("link", "Shop", ""),
        ("link", "", "https://shop.example"),
        ("page:no-such-page", "", ""),
        ("accounts", "", ""),
    ],
)
def test_an_entry_of_the_menu_leads_to_a_page_or_to_an_address_of_the_web(admin, target, text, address):
    row = {"menu-0-target": target, "menu-0-text": text, "menu-0-address": address}
    answer = admin.post(PAGE, POSTED | row)

    assert (answer.status_code, [*answer.context["form"].errors]) == (422, ["menu"])
    assert club.current().menu == []


@pytest.mark.parametrize(
    ("colours", "field", "told"),
    [
        ({"colour": "#ffdd00"}, "colour", "the contrast to white is 1.3 to 1 and must be 2.0 to 1"),
        ({"colour": "#ffffff"}, "colour", "the contrast to white is 1.0 to 1"),
        (
            {"has_second": "on", "second_colour": "#c8302e"},
            "second_colour",
            "the contrast between them is 1.0 to 1 and must be 1.5 to 1",
        ),
    ],
)
def test_colours_that_cannot_be_read_or_told_apart_are_refused_with_the_contrast(admin, colours, field, told):
    assert told in error_at(admin.post(PAGE, POSTED | colours), field)
    shown = admin.get(f"{PAGE}colours", POSTED | colours).content.decode()
    assert told in shown
    assert "<svg" not in shown


def test_the_preview_shows_both_shades(admin):
    shown = admin.get(f"{PAGE}colours", {"colour": "#0b1f4b", "has_second": "on", "second_colour": "#FFDD00"})

    assert re.findall(r"links and buttons in (#\w+), contrast ([\d.]+) to 1", shown.content.decode()) == [
        ("#0b1f4b", "16.0"),
        ("#7b96cc", "5.5"),
    ]
    assert 'fill="#ffdd00"' in shown.content.decode()
    for nonsense in ({}, {"colour": "red"}, {"colour": "#0b1f4b", "has_second": "on", "second_colour": "1"}):
        assert admin.get(f"{PAGE}colours", nonsense).status_code == 404


# --- The logo -----------------------------------------------------------------------------------------------


def test_a_drawing_becomes_the_logo_of_every_page(admin, client):
    admin.post(PAGE, POSTED | {"logo": svg()})

    logo = club.current().logo
    assert (logo["width"], logo["height"]) == (75, 100)
    address = f"/brand/logo/{logo['name']}"
    for page in ("/desk/", "/", "/auth/signed-out", "/nothing/"):
        shown = client.get(page).content.decode()
        assert f'<link rel="icon" href="{address}">' in shown
        assert f'<img class="brand-logo" src="{address}" alt="" width="75" height="100">' in shown
    assert b"<path" in client.get(address).content


def test_a_picture_is_made_anew_and_small(admin):
    admin.post(PAGE, POSTED | {"logo": png(1200, 600)})

    logo = club.current().logo
    assert (logo["width"], logo["height"]) == (800, 400)
    assert logo["name"].endswith(".png")


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (svg(SHIELD.replace(b"<path", b"<script/><path")), "contains a script"),
        (svg(b"<svg"), "damaged"),
        (svg(b"%PDF-1.4", "logo.svg"), "This is a PDF"),
        (svg(b"GIF89a", "logo.svg"), "not a picture"),
        (png(1100, 100), "too long"),
        (png(1024, 1024, noise=True), ""),
    ],
)
def test_what_is_no_logo_is_refused_at_its_field(admin, file, told):
    answer = admin.post(PAGE, POSTED | {"logo": file})

    if told:
        assert told in error_at(answer, "logo")
        assert club.current().logo is None
    else:
        # Too detailed as it is, so a smaller copy was taken.
        assert answer.status_code == 302
        assert club.current().logo["width"] == 480


def test_the_logo_stays_until_it_is_removed_or_replaced(admin):
    admin.post(PAGE, POSTED | {"logo": svg()})
    first = club.current().logo
    admin.post(PAGE, POSTED | {"version": seen(admin), "name": "TV 2"})
    assert (club.current().name, club.current().logo) == ("TV 2", first)

    admin.post(PAGE, POSTED | {"version": seen(admin), "logo": svg(SHIELD.replace(b"40z", b"39z"))})
    assert club.current().logo["name"] != first["name"]

    admin.post(PAGE, POSTED | {"version": seen(admin), "remove_logo": "on"})
    assert club.current().logo is None


# --- Two administrators -------------------------------------------------------------------------------------


def test_who_saves_an_earlier_version_sees_both(admin):
    admin.post(PAGE, POSTED)
    earlier = seen(admin)
    admin.post(PAGE, POSTED | {"version": earlier, "name": "TV Neu"})

    late = admin.post(PAGE, POSTED | {"version": earlier, "phone": "07999 1", "domains": ["cms"]})

    assert late.status_code == 409
    told = {each.title: (each.mine, each.theirs) for each in late.context["contested"]}
    assert told["Name"] == ("TV Auenfeld", "TV Neu")
    assert told["Phone"] == ("07999 1", "")
    assert club.current().name == "TV Neu"
    # What was typed is saved by pressing Save again.
    again = POSTED | {"version": str(late.context["stored"].seen_version), "phone": "07999 1"}
    assert admin.post(PAGE, again).status_code == 302
    assert (club.current().name, club.current().phone) == ("TV Auenfeld", "07999 1")


def test_of_many_who_save_at_once_one_is_heard(admin):
    admin.post(PAGE, POSTED)
    before = club_settings.stored(strong=True)
    values = {name: getattr(before, name) for name in services.CHANGED}

    answers = at_once(
        lambda number: (
            services.save(
                CAST["admin"], values | {"name": f"TV {number}"}, seen_version=before.seen_version
            ).name
        ),
        12,
    )

    (winner,) = (each for each in answers if isinstance(each, str))
    assert all(isinstance(each, Conflict) for each in answers if each != winner)
    assert club_settings.stored(strong=True).name == winner


def test_of_two_first_saves_the_second_is_refused(admin):
    assert admin.post(PAGE, POSTED).status_code == 302
    assert admin.post(PAGE, POSTED | {"name": "Other"}).status_code == 409
    assert club.current().name == "TV Auenfeld"


def test_a_request_that_is_sent_twice_is_saved_once(admin):
    sent = POSTED | {"once": "first"}
    assert [admin.post(PAGE, sent).status_code for _attempt in range(2)] == [302, 302]
    assert len(admin.get(f"{PAGE}history/").context["entries"]) == 1


# --- What follows it ----------------------------------------------------------------------------------------


def test_days_are_those_of_the_chosen_time_zone(admin, monkeypatch):
    moment = datetime(2026, 6, 1, 20, 0, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    assert "1 June" in today(admin.get("/cms/calendar/"))

    the_club(time_zone="Asia/Tokyo")
    assert "2 June" in today(admin.get("/cms/calendar/"))


def today(page):
    return page.content.decode().partition('id="today"')[2][:300]


def test_an_own_page_can_be_in_the_menu(admin, client):
    page = pages.create(Page(title="Beitrag werden", slug="beitrag", status="published"), actor=SYSTEM)
    offered = dict(admin.get(PAGE).context["form"].fields["menu"].widget.row().fields["target"].choices)
    assert offered["Own pages"] == [(f"page:{page.id}", "Beitrag werden")]

    posted = POSTED | {"menu-rows": ["0", "1"], "menu-0-target": f"page:{page.id}", "menu-1-target": "news"}
    assert admin.post(PAGE, posted).status_code == 302
    nav = client.get("/").content.decode().partition("public-nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]+)"[^>]*>([^<]+)<', nav) == [
        ("/beitrag/", "Beitrag werden"),
        ("/news/", "News"),
    ]
