"""The games of the years: shown as scouts see them, and changed by leads."""

import json
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from core.dynamo.attributes import now
from scouting.games import definition as game
from scouting.games import services as games
from scouting.games.forms import GameForm
from scouting.games.repository import stored_games
from scouting.settings import services as settings
from tests.cast import ROLES, STRANGER
from tests.scouting.field import LEAD
from tests.seen import version_in

pytestmark = pytest.mark.usefixtures("db")
PAGE = "/scouting/games/2026/"


def sent_by(definition, **changes):
    """What a browser sends for a definition that nobody changed."""
    initial = GameForm.initial_of_game(definition)
    sent = {name: initial[name] for name in ("name", "criticals", "ranking")} | {"version": 0}
    for name in ("questions", "pit"):
        sent[f"{name}-rows"] = [str(number) for number in range(len(initial[name]))]
        for number, row in enumerate(initial[name]):
            sent |= {
                f"{name}-{number}-{key}": "on" if value is True else value
                for key, value in row.items()
                if value not in (None, False)
            }
    return sent | changes


def uploaded(**changes):
    """A file with one question; what is no part of the definition is part of the question."""
    definition = {"name": "x", "criticals": [], "ranking": [], "questions": []}
    question = {"key": "fuel", "label": "Fuel", "phase": "auto", "kind": "counter"}
    definition["questions"] = [question | {k: v for k, v in changes.items() if k not in definition}]
    return json.dumps(definition | {k: v for k, v in changes.items() if k in definition}).encode()


@pytest.mark.parametrize("year", [2024, 2025, 2026])
def test_saving_what_nobody_changed_changes_nothing(as_role, year):
    shipped = game.shipped(year)
    answer = as_role("scout-lead").post(f"/scouting/games/{year}/edit/", sent_by(shipped))

    assert answer.status_code == 302
    assert settings.game(year) == shipped
    assert stored_games.all()[0].year == year


def test_only_leads_see_and_change_games_whatever_is_sent(client, as_role):
    for role in ROLES:
        if role in ("scout-lead", "admin"):
            continue
        client.cookies.clear()
        person = as_role(role)
        codes = {
            person.get(PAGE).status_code,
            person.get(f"{PAGE}game.json").status_code,
            person.post(f"{PAGE}edit/", sent_by(game.shipped(2026))).status_code,
            person.post(f"{PAGE}upload").status_code,
        }
        assert codes == ({302, 401} if role == STRANGER else {403})
    assert stored_games.all() == []


def test_the_page_shows_the_questions_as_scouts_see_them(as_role):
    page = as_role("scout-lead").get(PAGE).content.decode()

    assert "2026 REBUILT" in page
    for text in ("Climbed the tower", "Level 3", "Is the battery secured?", "Stuck On Fuel"):
        assert text in page
    assert as_role("scout-lead").get("/scouting/games/2023/").status_code == 404


def test_a_changed_question_counts_at_once_and_old_years_stay(as_role):
    client = as_role("scout-lead")
    settings.active()
    sent = sent_by(game.shipped(2026), **{"questions-2-points": "20", "questions-2-label": "Tower"})
    assert client.post(f"{PAGE}edit/", sent).status_code == 302

    changed = settings.active().game.question("autoClimb")
    assert (changed.label, changed.points) == ("Tower", 20)
    assert settings.game(2025) == game.shipped(2025)
    assert "changed" in client.get("/scouting/settings/").content.decode()


def test_a_preview_saves_nothing_and_keeps_what_was_typed(as_role):
    sent = sent_by(game.shipped(2026), **{"questions-0-label": "Did it move?", "preview": "1"})
    page = as_role("scout-lead").post(f"{PAGE}edit/", sent)

    assert page.status_code == 200
    assert page.content.decode().count("Did it move?") == 2
    assert stored_games.all() == []


def test_rows_are_added_without_javascript(as_role):
    sent = sent_by(game.shipped(2026), **{"questions-add": "1"})
    page = as_role("scout-lead").post(f"{PAGE}edit/", sent)

    assert page.status_code == 200
    assert len(page.context["form"]["questions"].parts.forms) == len(game.shipped(2026).questions) + 1


@pytest.mark.parametrize(
    ("changes", "row", "told"),
    [
        ({"questions-1-key": "auto"}, 1, "has the same key as another question"),
        ({"questions-1-key": "two words"}, 1, "A key is letters and digits"),
        ({"questions-5-choices": ""}, 5, "has no choices"),
        (
            {"questions-12-shown": "teleopClimb: one"},
            12,
            "depends on a question that does not come before it",
        ),
        ({"questions-11-choices": "one | One | many"}, 11, "are not a number"),
        ({"questions-1-key": "totalScore"}, 1, "uses the key of a calculated score"),
        ({"questions-12-shown": "climbLevel: twoo"}, 12, "depends on an answer that does not exist"),
        ({"questions-12-shown": "climbLevel:"}, 12, "depends on an answer that does not exist"),
        ({"questions-12-shown": "autoFuel: many"}, 12, "depends on an answer that does not exist"),
        ({"questions-12-shown": "auto: perhaps"}, 12, "depends on an answer that does not exist"),
    ],
)
def test_what_is_wrong_is_said_at_its_question(as_role, changes, row, told):
    page = as_role("scout-lead").post(f"{PAGE}edit/", sent_by(game.shipped(2026), **changes))

    assert page.status_code == 422
    wrong = [
        number for number, form in enumerate(page.context["form"]["questions"].parts.forms) if form.errors
    ]
    assert wrong == [row]
    assert told in page.content.decode()
    assert stored_games.all() == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("rp\ntwo words", "“two words” is not the name of a stat"),
        ("rp\nrp", "each stat only once"),
        ("\n".join(f"figure{number}" for number in range(11)), "at most 10 stats"),
    ],
)
def test_what_is_wrong_with_the_ranking_is_said_there(as_role, typed, told):
    page = as_role("scout-lead").post(f"{PAGE}edit/", sent_by(game.shipped(2026), ranking=typed))

    assert page.status_code == 422
    assert told in page.context["form"].errors["ranking"].as_text()


def test_the_game_of_a_new_year_ranks_by_what_leads_type(as_role):
    year = now().year + 1
    address = f"/scouting/games/{year}/edit/"
    client = as_role("scout-lead")
    assert client.get(address).context["form"]["ranking"].value() == "rp\npoints"

    sent = sent_by(game.shipped(2026), ranking=" rp \n\nhubScore.autoPoints\n")
    assert client.post(address, sent).status_code == 302
    assert settings.game(year).ranking == ("rp", "hubScore.autoPoints")


def test_a_definition_that_somebody_changed_meanwhile_is_not_overwritten(as_role):
    theirs = replace(game.shipped(2026), name="Theirs")
    games.save(LEAD, theirs, seen_version=0)
    client = as_role("scout-lead")
    late = client.post(f"{PAGE}edit/", sent_by(game.shipped(2026), name="Mine"))

    assert late.status_code == 409
    assert 'value="Mine"' in late.content.decode()
    assert settings.game(2026) == theirs
    again = sent_by(game.shipped(2026), name="Mine", version=version_in(late))
    assert client.post(f"{PAGE}edit/", again).status_code == 302
    assert settings.game(2026).name == "Mine"


def test_a_downloaded_definition_can_be_uploaded_for_another_year(as_role):
    client = as_role("scout-lead")
    downloaded = client.get(f"{PAGE}game.json")
    assert game.from_json(json.loads(downloaded.content)) == game.shipped(2026)
    year = now().year + 1

    file = SimpleUploadedFile("game.json", downloaded.content, "application/json")
    answer = client.post(f"/scouting/games/{year}/upload", {"file": file, "version": 0})

    assert answer.status_code == 302
    assert settings.game(year) == replace(game.shipped(2026), year=year)
    assert year in [each.year for each in games.listed()]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[1]",
        b'{"name": "x"}',
        b'{"name": "x", "questions": [1]}',
        b"[" * 199_000,
        b'{"name": "x", "questions": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
        uploaded(criticals=[["a"]]),
        uploaded(criticals="abc"),
        uploaded(ranking=[["rp"]]),
        uploaded(ranking=["two words"]),
        uploaded(questions=[]),
        uploaded(points=10**400),
        uploaded(shown={"field": ["a"], "among": ["b"]}),
        uploaded(most=-5),
        uploaded(key="totalScore"),
        uploaded(name="\ud800"),
        uploaded(label="\ud800"),
        uploaded(criticals=["\ud800"]),
        uploaded(kind="choice", choices=[{"key": "a", "label": "\ud800"}]),
        uploaded(name="x" * 61),
        uploaded(name=None),
        uploaded(label="x" * 121),
        uploaded(help="x" * 301),
        uploaded(most=True),
        uploaded(criticals=[f"Fault {number}" for number in range(41)]),
        uploaded(kind="choice", choices=[{"key": f"c{number}", "label": "x"} for number in range(41)]),
    ],
    ids=range(27),
)
def test_a_file_that_is_no_definition_is_told_in_words(as_role, content):
    file = SimpleUploadedFile("game.json", content, "application/json")
    answer = as_role("scout-lead").post(f"{PAGE}upload", {"file": file, "version": 0})

    assert answer.status_code == 422
    assert answer.context["upload_problem"]
    assert stored_games.all() == []


def test_a_form_that_was_sent_before_with_other_contents_keeps_what_is_typed(as_role):
    client = as_role("scout-lead")
    first = sent_by(game.shipped(2026), once="once-1")
    assert client.post(f"{PAGE}edit/", first).status_code == 302
    # Back, another name, and saved again: the page still has the earlier key.
    again = client.post(f"{PAGE}edit/", first | {"name": "Corrected"})

    assert again.status_code == 422
    assert 'value="Corrected"' in again.content.decode()
    assert "Save again to confirm." in again.content.decode()


def test_the_game_of_a_new_year_begins_as_the_newest_one(as_role):
    year = now().year + 1
    client = as_role("scout-lead")
    page = client.get(f"/scouting/games/{year}/edit/")

    assert len(page.context["form"]["questions"].parts.forms) == len(game.shipped(2026).questions)
    assert f"/scouting/games/{year}/edit/" in client.get("/scouting/settings/").content.decode()
    assert client.get(f"/scouting/games/{year + 5}/edit/").status_code == 404
