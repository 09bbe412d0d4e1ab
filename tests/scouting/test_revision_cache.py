"""What analysis keeps is found under all that it depends on: what another process writes is seen at once."""

import json

import pytest
from django.utils import translation

from core.dynamo.connection import connection
from core.dynamo.items import StoredModel
from scouting import revision_cache
from scouting.analysis import queries
from scouting.analysis.statistics.table import row, values
from scouting.cells import NOTHING
from scouting.events.models import EventInfo, Schedule
from scouting.forms.models import PitForm, StandForm
from scouting.forms.repository import stand_forms
from scouting.games import definition as game
from scouting.games.models import StoredGame
from scouting.revision_cache import Kept
from scouting.settings import services as settings
from tests.scouting import field
from tests.scouting.field import KEY
from tests.scouting.unsaved import event_figures

ANALYSIS = "/scouting/analysis/?column=totalScore.mean&column=matches"


@pytest.fixture
def lead(db, as_role):
    field.event(matches=4, teams=field.TEAMS[:8], played=2)
    field.stand("20", 1, teleFuel=10)
    field.stand("2053", 1, teleFuel=20)
    return as_role("scout-lead")


def shown(client, address: str = ANALYSIS) -> dict[str, list[str]]:
    """The texts of each row by its first one."""
    rows = client.get(address).context["sheet"].rows
    return {str(row[0].text): [str(cell.text) for cell in row[2:]] for row in rows}


def stored(item: StoredModel) -> dict:
    found = connection().dispatch("GetItem", {"TableName": item.Meta.table_name, "Key": item.raw_key()})
    return found["Item"]


def put(model: type[StoredModel], raw: dict) -> None:
    """As another process does it: nothing of this one has a part in it."""
    connection().dispatch("PutItem", {"TableName": model.Meta.table_name, "Item": raw})


def put_changed(item: StoredModel, **changed: dict) -> None:
    raw = stored(item)
    version = {"N": str(int(raw["version"]["N"]) + 1)}
    put(type(item), raw | {"version": version, "updatedAt": {"S": "2026-03-07T12:00:00.000Z"}} | changed)


def remove(item: StoredModel) -> None:
    connection().dispatch("DeleteItem", {"TableName": item.Meta.table_name, "Key": item.raw_key()})


def test_a_changed_form_is_seen_at_once(lead):
    assert shown(lead)["20"] == ["10.0", "1"]
    put_changed(StandForm.about(KEY, "20", 1), teleScore={"N": "12"}, totalScore={"N": "12"})

    assert shown(lead)["20"] == ["12.0", "1"]


def test_a_new_form_is_seen_at_once(lead):
    assert shown(lead)["20"] == ["10.0", "1"]
    raw = stored(StandForm.about(KEY, "20", 1))
    put(
        StandForm,
        raw | {"SK": {"S": "TEAM#20#MATCH#0002"}, "matchNumber": {"N": "2"}, "teleScore": {"N": "30"}},
    )

    assert shown(lead)["20"] == ["20.0", "2"]


def test_a_deleted_form_is_gone_at_once(lead):
    assert shown(lead)["20"] == ["10.0", "1"]
    remove(StandForm.about(KEY, "20", 1))

    assert shown(lead)["20"] == [NOTHING, "0"]


def test_a_moved_form_is_seen_where_it_is_at_once(lead):
    before = shown(lead)
    raw = stored(StandForm.about(KEY, "20", 1))
    remove(StandForm.about(KEY, "20", 1))
    put(StandForm, raw | {"SK": {"S": "TEAM#2095#MATCH#0001"}, "teamNumber": {"S": "2095"}})

    assert (before["20"], before["2095"]) == (["10.0", "1"], [NOTHING, "0"])
    after = shown(lead)
    assert (after["20"], after["2095"]) == ([NOTHING, "0"], ["10.0", "1"])


def test_a_form_without_a_version_is_told_by_what_it_says(lead):
    """Imports of other software leave none."""
    raw = stored(StandForm.about(KEY, "20", 1))
    for name in ("version", "updatedAt"):
        del raw[name]
    put(StandForm, raw)
    assert shown(lead)["20"] == ["10.0", "1"]
    put(StandForm, raw | {"teleScore": {"N": "14"}})

    assert shown(lead)["20"] == ["14.0", "1"]


def test_a_changed_pit_form_is_seen_at_once(lead):
    field.pit("20")
    assert shown(lead, "/scouting/coverage/pits/")["20"] == ["yes", "missing", field.SCOUT.name]
    put_changed(PitForm.about(KEY, "20"), usersName={"S": "Somebody else"})

    assert shown(lead, "/scouting/coverage/pits/")["20"] == ["yes", "missing", "Somebody else"]


def test_changed_scores_and_names_of_the_event_are_seen_at_once(lead):
    ranking = "/scouting/analysis/ranking/"
    before = shown(lead, ranking)
    raw = stored(Schedule.about(KEY))
    for match in raw["matches"]["L"]:
        match["M"]["red"]["M"]["score"] = {"N": "1000"}
    put_changed(Schedule.about(KEY), matches=raw["matches"])
    put_changed(EventInfo.about(KEY), name={"S": "Another name"})

    assert shown(lead, ranking) != before
    assert "Another name" in lead.get(ANALYSIS).content.decode()


def stored_game(points: int) -> StoredGame:
    definition = game.to_json(field.REBUILT)
    for question in definition["questions"]:
        if question["key"] == "teleFuel":
            question |= {"label": f"Fuel of {points}", "points": points}
    item = StoredGame.of_year(2026, name=definition["name"], definition=json.loads(json.dumps(definition)))
    item.version = points
    return item


def test_a_changed_game_is_seen_as_soon_as_the_season_is_read_again(lead):
    """Two reports that agree count by what they are worth now."""
    assert "Teleop: Fuel of 7" not in labels(lead)
    for points in (7, 8):
        put(StoredGame, stored_game(points).serialize())
        # Half a minute later.
        settings.forget()
        assert f"Teleop: Fuel of {points}, mean" in labels(lead)


def test_a_new_form_asks_what_the_changed_game_asks(lead):
    for points in (7, 8):
        put(StoredGame, stored_game(points).serialize())
        settings.forget()
        page = lead.get("/scouting/stand/").content.decode()
        assert page.count(f">Fuel of {points}</label>") == 1
        assert f"&quot;points&quot;: {points}," in page


def labels(client) -> list[str]:
    return [column.label for column in client.get(ANALYSIS).context["offered"]]


def test_changed_settings_are_seen_as_soon_as_they_are_read_again(lead):
    field.exist("2026other")
    assert "20" in shown(lead)
    field.be_at("2026other")

    assert shown(lead) == {}


# --- What is kept -------------------------------------------------------------------------------------------


def test_the_same_forms_are_computed_once(lead):
    first = queries.at(KEY)

    assert queries.at(KEY) is first


def test_after_a_form_only_its_team_is_computed_again(lead):
    before = queries.at(KEY)
    assert before.rows
    field.stand("20", 2, teleFuel=30)
    after = queries.at(KEY)

    assert [team for team in after.seen if after.seen[team] is not before.seen[team]] == ["20"]
    figures = event_figures(after.sightings, after.game, after.seen)
    assert after.rows == [row(team, values(each), after.official.values) for team, each in figures.items()]


def test_another_language_has_its_own_labels(lead):
    here = queries.at(KEY)
    with translation.override("de"):
        there = queries.at(KEY)

    assert (here.language, there.language) == ("en", "de")
    assert not set(map(id, here.seen.values())) & set(map(id, there.seen.values()))


def test_what_was_asked_for_longest_ago_goes_first():
    results: Kept[int] = Kept(2)
    computed = []

    def ask(key: str) -> int:
        return results.get(key, lambda: computed.append(key) or len(computed))

    assert [ask(key) for key in "abacab"] == [1, 2, 1, 3, 1, 4]
    assert len(results.all()) == 2


def test_revisions_tell_every_write_apart(db):
    field.event(matches=0)
    form = field.stand("20", 1, teleFuel=10)
    changed = stand_forms.update(form, {"total_score": 3}, actor=field.LEAD.actor)
    stand_forms.delete(changed, actor=field.LEAD.actor)
    again = field.stand("20", 1, teleFuel=10)

    assert len({revision_cache.revision_of(each.stored) for each in (form, changed, again)}) == 3


def test_forecasts_are_made_once_for_a_change_and_official_scores_are_not_gone_through_for_a_form(lead):
    first = queries.at(KEY)
    assert queries.at(KEY).forecasts is first.forecasts
    field.stand("2095", 1, teleFuel=30)
    second = queries.at(KEY)
    assert second.forecasts is not first.forecasts
    assert second.official.known_before is first.official.known_before
