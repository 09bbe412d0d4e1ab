"""Items of SuperAlliance in our tables, as its document has them: read, corrected, deleted, still theirs."""

from io import StringIO
from urllib.parse import quote

import pytest
from django.core.management import call_command
from django.test import Client

from core.dynamo import transactions
from core.dynamo.attributes import unwrap
from core.dynamo.errors import Conflict, InUse
from core.dynamo.items import new_id
from scouting.analysis import queries
from scouting.events import services as events
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms import services as forms
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.settings.repository import stored_settings
from tests.api.programs import Program
from tests.cast import sign_in
from tests.core.crud.pages import OpenForm
from tests.core.dynamo.streamed import run
from tests.other_programs import changed, edit_and_delete, everything, left_behind, query, store, stored
from tests.scouting import field, other_program
from tests.scouting.field import LEAD, SCOUT
from tests.scouting.other_program import CODE, EVENT, TABLES

pytestmark = pytest.mark.usefixtures("db")
KINDS = {"stand": stand_forms, "pit": pit_forms, "comment": comment_forms}
# Set by each save.
STAMPS = {"updatedAt", "version"}


def not_adopted():
    """Before an adoption, events are there only if a lead has made them."""
    field.exist(EVENT)
    transactions.send(transactions.put(EventInfo.about(CODE, name=CODE)))
    return other_program.write()


def adopted():
    written = other_program.write()
    adopt()
    return written


@pytest.fixture(params=[not_adopted, adopted], ids=lambda make: make.__name__)
def theirs(filled_once, request):
    """What they have stored."""
    return filled_once(request.param)


def adopt(*options):
    told = StringIO()
    call_command("tables", "adopt", "--app", "scouting", *options, stdout=told)
    return told.getvalue().splitlines()


@pytest.fixture
def lead(theirs):
    return Program("scout-lead")


@pytest.fixture
def pages(theirs):
    return sign_in(Client(), "scout-lead")


def key_of(kind, raw):
    return KINDS[kind].key_of(KINDS[kind].model.from_raw_data(raw))


def now_stored(kind, raw):
    return stored(TABLES[kind], PK=raw["PK"]["S"], SK=raw["SK"]["S"])


def as_theirs(kind, raw):
    """What is stored now, without what says that it was adopted."""
    now = now_stored(kind, raw)
    return {name: value for name, value in now.items() if (name, value) != ("version", {"N": "0"})}


def stand_of(theirs, team=7028, match=4, event=CODE):
    (raw,) = (
        raw
        for raw in theirs["stand"]
        if (raw["event"], raw["SK"]) == ({"S": event}, {"S": f"TEAM#{team}#MATCH#{match}"})
    )
    return raw


def test_there_are_two_hundred(theirs):
    assert sum(map(len, theirs.values())) == 200


# --- Reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("event", [EVENT, CODE])
def test_every_form_is_listed_with_the_fields_of_the_document(lead, theirs, kind, event):
    wanted = {raw["id"]["S"]: raw for raw in theirs[kind] if raw["event"]["S"] == event}
    listed = lead.get(f"{kind}-forms?event={event}").json()
    assert {form["id"] for form in listed} == set(wanted)
    for form in listed:
        told = {
            name: unwrap(value)
            for name, value in wanted[form["id"]].items()
            if name not in {"PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "teamNumber"}
        }
        # Of what every form has, NULL is told as it is read: an empty text.
        assert {name: form[name] for name in told if form[name] != (told[name] or form[name])} == {}
        assert form["teamNumber"] == str(unwrap(wanted[form["id"]]["teamNumber"]))


@pytest.mark.parametrize("kind", KINDS)
def test_forms_of_a_team_are_listed_across_events(lead, theirs, kind):
    wanted = {raw["id"]["S"] for raw in theirs[kind] if unwrap(raw["teamNumber"]) == 70}
    assert {form["id"] for form in lead.get(f"{kind}-forms?team=70").json()} == wanted


def test_answers_beside_the_fields_are_scored_by_the_game_of_their_year(lead, theirs):
    form = lead.get(f"stand-forms/{stand_of(theirs)['id']['S']}").json()
    assert (form["endgame"], form["gameYear"]) == ("park", None)
    # 3; 0 + 4 + 12 + 21 and 4; 2 + 6 + 12 + 20, 12 and 2.
    assert (form["autoScore"], form["teleScore"], form["totalScore"]) == (44, 54, 98)


def test_single_fields_are_told_as_of_the_whole_form(lead, theirs):
    form = f"stand-forms/{stand_of(theirs)['id']['S']}"
    whole = lead.get(form).json()
    for names in ("autoCoralL3,usersName", "endgame", "teleScore,totalScore", "park"):
        some = lead.get(f"{form}?fields={names}").json()
        assert some == {name: whole[name] for name in names.split(",")}


def test_the_analysis_counts_them(theirs):
    read = queries.at(CODE, with_pits=True)
    assert read.game.year == 2025
    assert (len(read.forms), len(read.sightings), len(read.pit_by_team)) == (60, 60, 10)
    assert list(read.figures["7028"].measures["totalScore"].series) == [98, 108, 98, 108, 98, 108]
    assert {form.match for form in read.seen["70"].forms} == set(range(2, 8))
    assert [form.team for form in stand_forms.of_robot(CODE, "70", 3)] == ["70"]


SCREENS = (
    *("analysis/", "analysis/scatter/", "analysis/ranking/", "analysis/matches/", "analysis/forms/"),
    *("analysis/comments/", "analysis/scouts/", "coverage/", "coverage/pits/", "selection/"),
    *("teams/7028/", "compare/", "analysis/reports/7028/4/", "stand/", "events/"),
)


@pytest.mark.parametrize("event", [EVENT, CODE])
def test_every_screen_shows_them(pages, event):
    asked = {"event": event, "team": ["7028", "70"]}
    answers = {screen: pages.get(f"/scouting/{screen}", asked).status_code for screen in SCREENS}
    assert answers == dict.fromkeys(SCREENS, 200)
    assert pages.get(f"/scouting/events/{event}/").status_code == 200


@pytest.mark.parametrize("lists", [{}, {"criticals": None, "photos": None}], ids=["missing", "NULL"])
def test_a_form_with_nothing_but_its_place_is_shown_and_saved_as_it_is(db, lists):
    """None of its lists is needed by the document."""
    field.exist(EVENT)
    pages = sign_in(Client(), "scout-lead")
    for kind, place in (("stand", "#MATCH#4"), ("pit", "")):
        match = {"matchNumber": 4} if kind == "stand" else {}
        keys = {"PK": f"EVENT#{EVENT}", "SK": f"TEAM#7028{place}"}
        about = other_program.about(kind, EVENT, 7028, 1)
        (before,) = store(TABLES[kind], [keys | about | match | lists])
        address = f"/scouting/forms/{kind}/{quote(key_of(kind, before))}/"
        assert pages.get(address).status_code == 200
        form = OpenForm(pages, pages.get(f"{address}edit/"), "edit-form")
        assert form.send().status_code == 302
        assert as_theirs(kind, before) == before
    answers = {screen: pages.get(f"/scouting/{screen}", {"event": EVENT}).status_code for screen in SCREENS}
    assert answers == dict.fromkeys(SCREENS, 200)


def test_the_event_of_their_settings_is_the_current_one_and_locks_the_forms(theirs):
    season = settings.active()
    assert (season.event, season.is_locked, season.game.year) == (CODE, True, 2025)


# --- Correcting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "sent", "names"),
    [
        ("stand", {"teleopCoralL2": 9}, {"teleopCoralL2"}),
        ("stand", {"endgame": "deep"}, {"park", "deepClimb"}),
        ("stand", {"teleopAlgaeNet": 1}, {"teleopAlgaeNet"}),
        ("stand", {"win": False, "comments": "Slow"}, {"win", "comments"}),
        ("pit", {"notDo": "Score", "weakestValue": "Speed"}, {"notDo", "weakestValue"}),
        ("comment", {"comments": "Better"}, {"comments"}),
    ],
)
def test_a_correction_changes_only_what_was_corrected(lead, theirs, kind, sent, names):
    before = stand_of(theirs) if kind == "stand" else theirs[kind][-1]
    form = f"{kind}-forms/{key_of(kind, before).replace('#', '%23')}"
    assert lead.get(form)["ETag"] == '"0"'

    answer = lead.patch(form, sent, if_match='"0"')

    assert (answer.status_code, answer["ETag"]) == (200, '"1"'), answer.content
    assert answer.json() | sent == answer.json()
    assert changed(before, now_stored(kind, before)) == names | STAMPS
    assert lead.patch(form, sent, if_match='"0"').status_code == 412


def test_a_form_that_is_sent_back_as_it_was_read_changes_nothing(lead, theirs):
    for kind in ("stand", "pit"):
        before = theirs[kind][0]
        form = f"{kind}-forms/{key_of(kind, before).replace('#', '%23')}"
        read = lead.get(form).json()
        assert lead.patch(form, read, if_match='"0"').status_code == 200
        assert as_theirs(kind, before) == before


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_a_form_saves_only_what_was_changed_there(pages, theirs, kind):
    before = stand_of(theirs) if kind == "stand" else theirs[kind][-1]
    address = f"/scouting/forms/{kind}/{quote(key_of(kind, before))}/"
    assert pages.get(address).status_code == 200
    form = OpenForm(pages, pages.get(f"{address}edit/"), "edit-form")
    assert form.send().status_code == 302
    assert as_theirs(kind, before) == before

    name = "notDo" if kind == "pit" else "comments"
    form.fill(once=new_id(), **{"q_notDo" if kind == "pit" else name: "Slow"})
    assert form.send().status_code == 302
    assert changed(before, now_stored(kind, before)) == {name} | STAMPS
    assert "Leandro Sato" in pages.get(address).content.decode()


def test_what_they_change_without_a_version_is_never_told_as_unchanged(lead, theirs):
    before = stand_of(theirs)
    form = f"stand-forms/{before['id']['S']}"
    assert lead.get(form)["ETag"] == '"0"'
    store(TABLES["stand"], [{name: unwrap(value) for name, value in before.items()} | {"comments": "Theirs"}])

    again = lead.get(form, if_none_match='"0"')

    assert (again.status_code, again.json()["comments"]) == (200, "Theirs")


def test_of_two_first_corrections_one_is_refused(theirs):
    key = key_of("stand", stand_of(theirs))
    seen = stand_forms.get(key, strong=True)
    stand_forms.update(seen, {"win": False}, actor=LEAD.actor)
    with pytest.raises(Conflict):
        stand_forms.update(seen, {"defense": False}, actor=SCOUT.actor)


def test_a_moved_form_keeps_their_fields(theirs):
    before = stand_of(theirs)
    key = forms.move(LEAD, "stand", key_of("stand", before), {"team": "254", "match": 11}, seen_version=0)
    moved = stand_forms.get(key, strong=True)
    assert now_stored("stand", before) is None
    same = changed(before, moved.stored) & before.keys()
    assert same - {"PK", "SK", "GSI1PK", "GSI1SK", "teamNumber", "matchNumber"} == {"updatedAt"}
    assert (moved.sk, moved.total_score) == ("TEAM#254#MATCH#0011", 98)


# --- Deleting -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_deleted_form_comes_back_byte_for_byte(lead, theirs, kind):
    before = theirs[kind][0]
    key = key_of(kind, before)
    form = f"{kind}-forms/{key.replace('#', '%23')}"
    assert lead.delete(form, if_match='"1"').status_code == 412
    assert lead.delete(form, if_match='"0"').status_code == 204
    assert now_stored(kind, before) is None
    forms.restore(LEAD, kind, key)
    assert as_theirs(kind, before) == before


def test_each_of_the_two_hundred_is_changed_and_deleted(theirs):
    edit_and_delete(stand_forms, theirs["stand"], strategy="Slow")
    edit_and_delete(pit_forms, theirs["pit"], scout_name="Sina")
    edit_and_delete(comment_forms, theirs["comment"], comments="Slow")
    edit_and_delete(selections, theirs["selection"], saved_by="Leandro")
    edit_and_delete(stored_settings, theirs["config"], locked=False)
    assert [kind for kind in TABLES if kind != "config" and list(everything(TABLES[kind]))] == []
    for event in (CODE, EVENT):
        # Refused as long as anything of it is counted.
        event_infos.delete(event_infos.parts(event, strong=True).info, actor=LEAD.actor)
    assert left_behind() == []


# --- The pick list -----------------------------------------------------------------------------------------


def test_a_pick_list_keeps_what_they_store_of_each_team(theirs):
    event, saved = selection.read(CODE, strong=True)
    assert {pick.number: pick.column for pick in saved.picks}["254"] == "unsorted"
    picks = pick_list.moved(saved.picks, "254", "r1")
    selection.save(LEAD, event, picks, base=saved.order, over=saved)

    before = theirs["selection"][1]
    after = now_stored("selection", before)
    assert changed(before, after) == {"teams", "savedBy", "savedAt"} | STAMPS
    teams = {each["teamNumber"]: each for each in unwrap(after["teams"])}
    assert teams[254] == {
        "id": "254", "columnId": "r1", "teamNumber": 254, "teamName": "Robots 254", "rank": 2
    }  # fmt: skip


def not_chosen():
    """The settings of no certain year."""
    return stored(TABLES["config"], PK="CONFIG", SK="DEFAULT")


# --- For them -----------------------------------------------------------------------------------------------


def test_what_we_write_is_found_by_the_patterns_of_the_document(theirs):
    forms.submit_stand(SCOUT, {"event": CODE, "team": "254", "match": 41, "scores": {}})
    forms.submit_pit(SCOUT, {"event": CODE, "team": "9", "answers": {}, "photos": []})
    forms.submit_comment(SCOUT, {"event": CODE, "team": "254", "comments": "Ours"})

    stand, pit, comment = (TABLES[kind] for kind in ("stand", "pit", "comment"))
    of_team = query(stand, PK=f"EVENT#{CODE}", SK="TEAM#254#")
    (ours,) = (raw for raw in of_team if raw["matchNumber"] == {"N": "41"})
    assert (len(of_team), ours["entity"], ours["usersName"]) == (7, {"S": "StandForm"}, {"S": SCOUT.name})
    at_event = query(stand, "GSI1", GSI1PK="TEAM#254", GSI1SK=f"EVENT#{CODE}#MATCH#")
    assert {raw["SK"]["S"] for raw in at_event} == {raw["SK"]["S"] for raw in of_team}
    assert query(stand, "GSI2", GSI2PK=f"ID#{ours['id']['S']}") != []
    assert stored(pit, PK=f"EVENT#{CODE}", SK="TEAM#9")["entity"] == {"S": "PitForm"}
    (newest,) = query(comment, PK=f"EVENT#{CODE}#TEAM#254", SK="CREATED#2026")
    assert newest["comments"] == {"S": "Ours"}
    assert not_chosen()["event"] == {"S": CODE}
    settings.choose(LEAD, 2025, event=EVENT, locked=True, game_year=None, seen_version=0)
    assert (not_chosen()["event"], settings.active().event) == ({"S": EVENT}, EVENT)
    theirs = {kind: written for kind, written in theirs.items() if kind != "config"}
    # And theirs are as they wrote them.
    for kind, written in theirs.items():
        assert [as_theirs(kind, raw) for raw in written] == written


# --- Adopting -----------------------------------------------------------------------------------------------


def test_an_adoption_adds_the_events_and_touches_nothing_of_theirs(db):
    written = other_program.write()
    report = [
        "comment: 56 seen, 56 adopted, 0 already ours, 0 problems.",
        "scouting-settings: 2 seen, 2 adopted, 0 already ours, 0 problems.",
        "pit: 20 seen, 20 adopted, 0 already ours, 0 problems.",
        "stand: 120 seen, 120 adopted, 0 already ours, 0 problems.",
        "selection: 2 seen, 2 adopted, 0 already ours, 0 problems.",
    ]
    assert adopt("--dry-run") == [line.replace(" adopted", " would be adopted") for line in report]
    assert [raw for kind in written for raw in written[kind] if now_stored(kind, raw) != raw] == []
    assert adopt() == report

    for kind, raws in written.items():
        assert [changed(raw, now_stored(kind, raw)) for raw in raws] == [{"version"}] * len(raws)
    assert [(info.event, info.name) for info in event_infos.newest_first()] == [(CODE, CODE), (EVENT, EVENT)]
    assert [line.split(", ")[1] for line in adopt()] == ["0 adopted"] * 5


def test_an_event_of_theirs_is_in_use_until_the_last_of_its_records_is_deleted(db):
    store(TABLES["comment"], [other_program.comment(CODE, 254, number) for number in (1, 2)])
    adopt()
    (one, other) = comment_forms.at(CODE)

    def delete_event():
        events.delete(LEAD, CODE, seen_version=event_infos.parts(CODE, strong=True).info.seen_version)

    for form in (one, other):
        with pytest.raises(InUse):
            delete_event()
        forms.delete(LEAD, "comment", comment_forms.key_of(form), seen_version=0)
    delete_event()
    assert event_infos.newest_first() == []


def test_what_arrives_later_comes_in_by_the_stream(streaming):
    store(TABLES["stand"], [other_program.stand(CODE, 254, 7)])
    run()
    (form,) = stand_forms.at(CODE)
    assert (form.version, event_infos.read(CODE).name) == (0, CODE)
