"""`manage.py import_tba`: events out of saved files, or asked for."""

import io
import json
import os

import pytest
from django.core.management import CommandError, call_command

from core.dynamo import metering
from scouting.events import services as events
from scouting.events.repository import event_infos
from tests.scouting import field, tba_server
from tests.scouting.field import KEY, LEAD

pytestmark = pytest.mark.usefixtures("db")
HOUR = 3600


def save(folder, *, matches=6, played=2, at=1_773_820_800, instead=None):
    """The four files, saved at a moment."""
    answers = tba_server.answers(KEY, matches=matches, played=played)
    told = {"event": answers[f"/event/{KEY}"]}
    told |= {name: answers[f"/event/{KEY}/{name}"] for name in ("teams", "rankings", "matches")}
    for name, answer in (told | (instead or {})).items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(answer), encoding="utf-8")
        os.utime(path, (at, at))


def run(source, *options):
    out = io.StringIO()
    call_command("import_tba", str(source), *options, stdout=out)
    return out.getvalue()


def stored():
    return event_infos.read(KEY, strong=True)


def test_the_files_become_an_event_as_old_as_they_are(tmp_path):
    save(tmp_path)
    told = run(tmp_path)

    assert told.splitlines() == [
        f"Fieldhouse Regional ({KEY}), as of 2026-03-18 08:00 UTC.",
        "It has 12 teams and 6 matches.",
    ]
    assert stored().name == "Fieldhouse Regional"
    assert stored().team("2053").rank == 2
    assert [match.teams for match in stored().matches] == [
        match.teams for match in field.schedule(field.TEAMS, 6, played=2)
    ]
    assert f"{stored().schedule_fetched_at:%H:%M}" == "08:00"


def playoff(level, set_number, number, *teams):
    red, blue = ([f"frc{team}" for team in side] for side in (teams[:3], teams[3:]))
    return {
        "comp_level": level,
        "set_number": set_number,
        "match_number": number,
        "alliances": {"red": {"team_keys": red, "score": 90}, "blue": {"team_keys": blue, "score": 80}},
        "score_breakdown": {"red": {"rp": 0, "totalPoints": 90, "endGameRobot1": "Parked"}, "blue": {}},
    }


def file_of(client, address):
    return b"".join(client.get(address).streaming_content).decode()


def test_playoffs_come_along_and_no_ranking_counts_them(tmp_path, as_role):
    save(tmp_path)
    run(tmp_path)
    before = stored()
    lead, ranking = as_role("scout-lead"), f"/scouting/analysis/ranking/?event={KEY}&as=csv"
    ranked = file_of(lead, ranking)
    matches = json.loads((tmp_path / "matches.json").read_text())
    added = [playoff("f", 1, 1, "20", "71", "8", "101", "102", "103")]
    save(tmp_path, at=1_773_820_800 + HOUR, instead={"matches": matches + added})

    assert "It would tell 12 teams, 6 matches and 1 playoff matches." in run(tmp_path, "--dry-run")
    assert "It has 12 teams, 6 matches and 1 playoff matches." in run(tmp_path)
    (final,) = stored().playoffs
    assert (final.label, final.red.score, final.red.robot("20")) == (
        "Final, match 1",
        90,
        {"endGame": "Parked"},
    )
    assert stored().matches == before.matches
    assert file_of(lead, ranking) == ranked
    for page in (f"/scouting/events/{KEY}/", f"/scouting/analysis/matches/?event={KEY}"):
        assert "Final, match 1" in lead.get(page).content.decode()
    file = file_of(lead, f"/scouting/events/{KEY}/?as=csv&list=schedule")
    assert "Final, match 1" in file.splitlines()[-1]


def test_an_answer_without_playoffs_leaves_those_that_were_told(tmp_path):
    save(tmp_path)
    matches = json.loads((tmp_path / "matches.json").read_text())
    added = [playoff("sf", 2, 1, "20", "71", "8", "101", "102", "103")]
    save(tmp_path, instead={"matches": matches + added})
    run(tmp_path)
    save(tmp_path, at=1_773_820_800 + HOUR)
    run(tmp_path)

    assert [match.label for match in stored().playoffs] == ["Semifinal 2, match 1"]


def test_repeating_it_writes_nothing(tmp_path):
    save(tmp_path)
    run(tmp_path)
    before = stored()
    with metering.metered() as cost:
        run(tmp_path)

    assert "TransactWriteItems" not in cost.operations
    assert stored() == before


def test_later_files_count_and_earlier_ones_do_not(tmp_path):
    save(tmp_path, played=2)
    run(tmp_path)
    save(tmp_path, played=4, at=1_773_820_800 + HOUR)
    run(tmp_path)
    save(tmp_path, played=1, at=1_773_820_800 - HOUR)
    assert "What is here was told later: it stays." in run(tmp_path)

    assert sum(match.was_played for match in stored().matches) == 4


def test_what_leads_typed_stays_unless_it_is_said(tmp_path):
    events.create(LEAD, KEY, {"name": "Ours"})
    events.type_matches(LEAD, KEY, "2: 20 - 71", seen_version=0)
    save(tmp_path)

    assert "Kept as leads typed it: 2." in run(tmp_path)
    assert stored().match(2).teams == ("20", "71")
    run(tmp_path, "--replace-typed")
    assert len(stored().match(2).teams) == 6


def test_a_dry_run_writes_nothing(tmp_path):
    save(tmp_path)

    assert "It would tell 12 teams and 6 matches." in run(tmp_path, "--dry-run")
    assert not event_infos.by_key().items


def test_an_event_is_asked_for_by_its_key(tba):
    assert "It has 12 teams and 6 matches." in run(KEY)
    assert len(tba.asked) == 4


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"matches": {"Error": "x"}}, "not a match list"),
        ({"event": []}, "not an event"),
        ({"teams": [3]}, "not a team list"),
    ],
)
def test_files_that_cannot_be_read_are_told_in_one_sentence(tmp_path, changed, told):
    save(tmp_path, instead=changed)
    with pytest.raises(CommandError, match=told):
        run(tmp_path)
    assert not event_infos.by_key().items


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"no event\.json, teams\.json, matches\.json"):
        run(tmp_path)
    (tmp_path / "event.json").write_text("{")
    for name in ("teams", "matches"):
        (tmp_path / f"{name}.json").write_text("[]")
    with pytest.raises(CommandError, match=r"event\.json is not JSON"):
        run(tmp_path)
    with pytest.raises(CommandError, match="neither a folder nor an event"):
        run("nowhere/at/all")
