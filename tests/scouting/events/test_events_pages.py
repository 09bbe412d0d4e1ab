"""The list of events, a new one, the page of an event and its editing."""

import pytest

from core.dynamo import metering
from core.dynamo.connection import SharedConnection
from scouting.events import services as events
from scouting.events.repository import event_infos
from scouting.models import ConfigItem
from tests.cast import ROLES, STRANGER
from tests.scouting import field
from tests.scouting.field import KEY, LEAD
from tests.seen import version_in

pytestmark = pytest.mark.usefixtures("db")
LIST = "/scouting/events/"
PAGE = f"{LIST}{KEY}/"
LEADS = {"scout-lead", "admin"}


def text_of(response):
    return response.content.decode()


def stored():
    return event_infos.parts(KEY, strong=True)


def test_only_leads_see_and_change_events_whatever_is_sent(client, as_role):
    field.event()
    asked = [("get", LIST), ("get", PAGE), ("get", f"{PAGE}edit/"), ("post", f"{PAGE}edit/")]
    asked += [("post", f"{LIST}new/"), ("post", f"{PAGE}teams/"), ("post", f"{PAGE}schedule/")]
    asked += [("post", f"{PAGE}refresh")]
    for role in ROLES:
        client.cookies.clear()
        person = as_role(role)
        codes = {
            getattr(person, method)(address, {"event": "2026x1", "name": "x", "text": "1"}).status_code
            for method, address in asked
        }
        if role == STRANGER:
            assert codes == {302, 401}
        elif role not in LEADS:
            assert codes == {403}, role
    assert [info.event for info in event_infos.by_key().items] == [KEY, "2026x1"]


def test_days_are_told_as_people_say_them(as_role):
    days = {"starts_on": "2026-03-18", "ends_on": "2026-03-21"}
    events.create(LEAD, KEY, {"name": "Regional", **days})
    client = as_role("scout-lead")

    assert "18 Mar 2026 \N{EN DASH} 21 Mar 2026" in text_of(client.get(PAGE))
    assert "18 Mar 2026" in text_of(client.get(LIST))


def test_its_page_leads_to_what_was_seen_there_also_of_an_event_of_the_past(as_role):
    field.event()
    field.be_at(None)
    client = as_role("scout-lead")
    page = text_of(client.get(PAGE))

    for address in ("analysis", "coverage", "selection"):
        assert f'href="/scouting/{address}/?event={KEY}"' in page
        assert client.get(f"/scouting/{address}/?event={KEY}").context["event"].key == KEY


def test_an_empty_list_says_how_to_begin(as_role):
    page = text_of(as_role("scout-lead").get(LIST))

    assert "No events yet" in page
    assert f'href="{LIST}new/"' in page


def test_the_list_marks_where_we_are(as_role):
    field.event()
    events.create(LEAD, "2025mndu", {"name": "Northern Lights"})
    page = as_role("scout-lead").get(LIST)

    assert [info.event for info in page.context["events"]] == [KEY, "2025mndu"]
    assert text_of(page).count("We are here") == 1


def test_a_long_list_goes_on(as_role):
    for number in range(25 * 2 + 1):
        events.create(LEAD, f"2026x{number:03}", {"name": f"Event {number}"})
    client = as_role("scout-lead")
    seen, address = [], LIST
    while address:
        page = client.get(address)
        seen += [info.event for info in page.context["events"]]
        token = page.context["next_token"]
        address = f"{LIST}?after={token}" if token else None

    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 51


def test_scouts_choose_among_all_events(as_role):
    for number in range(45):
        events.create(LEAD, f"2026x{number:03}", {"name": f"Event {number}"})
    page = text_of(as_role("scout").get("/scouting/stand/"))

    assert page.count('class="tile"') == 45


def test_an_official_event_is_filled_in_at_once(tba, as_role):
    answer = as_role("scout-lead").post(f"{LIST}new/", {"event": " 2026FHTEST "}, follow=True)

    assert answer.redirect_chain == [(PAGE, 302)]
    assert "Up to date: 12 teams, 6 matches." in text_of(answer)
    assert "Fieldhouse Regional" in text_of(answer)


def test_the_form_of_a_new_event_promises_only_what_can_be(as_role, settings):
    page = text_of(as_role("scout-lead").get(f"{LIST}new/"))
    assert "Leave empty to use its code." in page
    settings.TBA_KEY = "key"
    assert ("Leave empty to use the name from The Blue Alliance.") in text_of(
        as_role("scout-lead").get(f"{LIST}new/")
    )


def test_an_official_event_is_made_also_when_nothing_is_told(as_role):
    answer = as_role("scout-lead").post(f"{LIST}new/", {"event": KEY}, follow=True)

    assert "Event added without its teams: The Blue Alliance is not set up" in text_of(answer)
    assert stored().info.name == KEY


@pytest.mark.parametrize(
    ("sent", "name", "status"),
    [
        ({"event": "mndu"}, "event", 400),
        ({"event": KEY}, "event", 409),
        ({"event": "2026week0", "is_own": "on"}, "name", 422),
        ({"event": "2026x1", "starts_on": "2026-03-02", "ends_on": "2026-03-01"}, "ends_on", 422),
        ({"event": "2026x1", "time_zone": "Mars/Base"}, "time_zone", 422),
        ({}, "event", 422),
    ],
)
def test_what_is_wrong_with_a_new_event_is_said_at_its_field(as_role, sent, name, status):
    field.event()
    answer = as_role("scout-lead").post(f"{LIST}new/", sent)

    assert answer.status_code == status
    assert list(answer.context["form"].errors) == [name]
    assert sent.get("event", "") in text_of(answer)


def test_the_page_shows_teams_and_matches_with_three_requests(as_role):
    field.event(matches=80, played=40)
    client = as_role("scout-lead")
    client.get(PAGE)
    with metering.metered() as cost:
        page = client.get(PAGE)

    assert cost.operations == ["GetItem", "BatchGetItem"]
    assert "254B Robots 254B" in text_of(page)
    first = page.context["event"].matches[0]
    assert f"{first.red.score} \N{EN DASH} {first.blue.score}" in text_of(page)
    assert text_of(page).count("to come") == 40


def test_the_first_look_costs_two_requests_more(as_role):
    field.event()
    client = as_role("scout-lead")
    with metering.metered() as cost:
        client.get(PAGE)

    assert cost.operations == ["GetItem", "BatchGetItem", "Query", "GetItem"]


def test_who_was_disqualified_is_told_beside_the_score(as_role):
    events.create(LEAD, KEY, {"name": "Ours", "is_own": True})
    events.type_matches(LEAD, KEY, "1: 20! 101 - 254B = 5 - 6", seen_version=0)

    assert "disqualified: 20</span>" in text_of(as_role("scout-lead").get(PAGE))


def test_an_event_without_anything_says_so(as_role):
    events.create(LEAD, KEY, {"name": "Empty"})
    page = text_of(as_role("scout-lead").get(PAGE))

    assert "No teams yet." in page
    assert "No matches yet." in page
    assert page.count("never received from The Blue Alliance") == 2


def test_teams_of_the_schedule_that_are_on_no_list_are_named(as_role):
    events.create(LEAD, KEY, {"name": "Guests", "is_own": True})
    events.type_teams(LEAD, KEY, "20", seen_version=0)
    events.type_matches(LEAD, KEY, "1: 20 9 - 254B", seen_version=0)

    assert "not in this list: 9, 254B." in text_of(as_role("scout-lead").get(PAGE))


def test_an_event_that_does_not_exist(as_role):
    client = as_role("scout-lead")
    for address in (PAGE, f"{PAGE}edit/", f"{PAGE}teams/", f"{LIST}%20/"):
        assert client.get(address).status_code == 404
    assert client.post(f"{PAGE}refresh").status_code == 404


def test_when_nothing_is_told_the_page_says_why_and_how_old_it_is(tba, as_role):
    events.create(LEAD, KEY, {"name": KEY})
    events.refresh(LEAD, KEY)
    as_told = stored().event
    tba.status = 500
    tba.later_ms = 60_000
    answer = as_role("scout-lead").post(f"{PAGE}refresh")

    assert answer.status_code == 503
    assert "an answer that we cannot read. Nothing has changed." in text_of(answer)
    assert "just now" in text_of(answer)
    assert answer.context["event"] == as_told


def test_typed_ones_are_named_and_replaced_only_on_request(tba, as_role):
    events.create(LEAD, KEY, {"name": KEY})
    events.type_teams(LEAD, KEY, "20 Our friends", seen_version=0)
    client = as_role("scout-lead")
    kept = client.post(f"{PAGE}refresh", follow=True)

    assert "Manual changes were kept." in text_of(kept)
    assert "Entered manually: teams 20." in text_of(kept)
    replaced = client.post(f"{PAGE}refresh", {"replace": "yes"}, follow=True)
    assert stored().event.team("20").name == "Robots 20"
    assert "Entered manually" not in text_of(replaced)


def test_the_event_is_edited_from_the_version_that_was_seen(as_role):
    field.event()
    client = as_role("scout-lead")
    seen = client.get(f"{PAGE}edit/").context["info"].seen_version
    sent = {"name": "New name", "place": "Hall 2", "starts_on": "2026-03-01", "is_own": "on", "version": seen}

    assert client.post(f"{PAGE}edit/", sent).status_code == 302
    assert (stored().info.name, stored().info.starts_on) == ("New name", "2026-03-01")
    late = client.post(f"{PAGE}edit/", sent | {"name": "Later", "place": "", "starts_on": "2026-03-02"})
    assert late.status_code == 409
    assert "Hall 2" in text_of(late)
    told = {each.title: (each.mine, each.theirs) for each in late.context["contested"]}
    assert told == {
        "Name": ("Later", "New name"),
        "Where": ("", "Hall 2"),
        "First day": ("2 Mar 2026", "1 Mar 2026"),
    }
    assert 'value="Later"' in text_of(late)
    again = client.post(f"{PAGE}edit/", sent | {"name": "Later", "version": stored().info.seen_version})
    assert again.status_code == 302
    assert client.post(f"{PAGE}edit/", {"name": ""}).status_code == 422


def test_a_form_that_was_sent_before_with_other_contents_keeps_what_is_typed(as_role):
    field.event()
    client = as_role("scout-lead")
    sent = {"name": "New name", "version": stored().info.seen_version, "once": "once-1"}
    assert client.post(f"{PAGE}edit/", sent).status_code == 302
    again = client.post(f"{PAGE}edit/", sent | {"name": "Corrected"})

    assert again.status_code == 422
    assert 'value="Corrected"' in text_of(again)
    assert "Save again to confirm." in text_of(again)


def test_what_is_edited_and_what_was_saved_is_read_as_it_is_now(as_role, monkeypatch):
    field.event()
    client = as_role("scout-lead")
    send, eventual = SharedConnection._send, []

    def noted(shared, operation, request):
        wanted = [request, *request.get("RequestItems", {}).values()]
        if operation in ("GetItem", "Query", "BatchGetItem") and not any(
            part.get("ConsistentRead") for part in wanted
        ):
            eventual.append((operation, str(request)))
        return send(shared, operation, request)

    monkeypatch.setattr(SharedConnection, "_send", noted)
    for address in (PAGE, f"{PAGE}edit/", f"{PAGE}teams/", f"{PAGE}schedule/"):
        client.get(address)
    for address in ("/scouting/games/2026/", "/scouting/games/2026/edit/", "/scouting/settings/"):
        client.get(address)
    config = ConfigItem.Meta.table_name
    # The list of a year's events is a choice, nothing that is edited here.
    assert [told for _operation, told in eventual if config in told and "EVENTS" not in told] == []


@pytest.mark.parametrize(
    ("part", "good", "bad"), [("teams", "20 New", "x y"), ("schedule", "1: 20 - 71", "1 20")]
)
def test_lists_are_typed_and_nothing_typed_is_lost(as_role, part, good, bad):
    field.event()
    client = as_role("scout-lead")
    address = f"{PAGE}{part}/"
    shown = client.get(address)
    seen = version_in(shown)
    assert shown.context["form"]["text"].value()

    wrong = client.post(address, {"text": f"{good}\n{bad}", "version": seen})
    assert wrong.status_code == 422
    assert "Line 2: " in text_of(wrong)
    assert f"{good}\n{bad}" in text_of(wrong)
    assert version_in(wrong) == seen
    assert client.post(address, {"text": good, "version": seen}).status_code == 302
    # The person has not seen the new version yet.
    assert version_in(client.post(address, {"text": bad, "version": seen})) == seen
    late = client.post(address, {"text": f"{good}\n", "version": seen})
    assert late.status_code == 409
    assert "The other version" in text_of(late)
    assert client.post(address, {"text": good, "version": version_in(late)}).status_code == 302


def test_a_form_that_is_sent_twice_is_carried_out_once(as_role):
    field.event()
    client = as_role("scout-lead")
    sent = {"text": "20 New", "version": stored().teams.seen_version, "once": "key-1"}
    first, second = (client.post(f"{PAGE}teams/", sent) for _time in range(2))

    assert (first.status_code, second.status_code) == (302, 302)
    assert [team.label for team in stored().event.teams] == ["20 New"]
