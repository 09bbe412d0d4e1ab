"""Clubs and teams follow SAMS; what SAMS does not answer deletes nothing."""

from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from django.core.management import CommandError, call_command
from PIL import Image

from cms.sams import client, sync
from cms.sams.models import CLUB_KEPT_FOR, TEAM_KEPT_FOR
from cms.sams.parsing import Hierarchy
from cms.sams.repository import sams_clubs, sams_leagues, sams_teams, sync_runs
from core.dynamo.attributes import now
from core.media import storage
from tests.cms.sams.server import ASSOCIATION, LEAGUE, NEXT_LEAGUE, OTHERS, OWN, OWN_CLUB, club, team, uuid_of


def command(*arguments: str) -> str:
    told = StringIO()
    call_command("sams", *arguments, stdout=told)
    return told.getvalue()


def stored_clubs():
    return sams_clubs.by_name(limit=500).items


def stored_teams():
    return {record.uuid: record for record in sams_teams.all()}


@pytest.fixture
def synced(sams):
    command("sync-clubs")
    command("sync-teams")
    return sams


def forget_answers() -> None:
    """As if the time for which answers are kept were over."""
    client.current().http._cache.clear()


# --- Clubs --------------------------------------------------------------------------------------------------


def test_all_pages_of_clubs_are_stored_of_an_association_that_the_list_leaves_out(sams):
    sams.clubs += [club(f"Verein {number:03}") for number in range(95)]

    assert command("sync-clubs") == "clubs: 103 found, 103 created, 0 changed, 0 deleted, 0 logos.\n"
    own = sams_clubs.get(OWN_CLUB)
    assert (own.name, own.name_slug, own.association_uuid) == (OWN, "vc-beispielstadt", ASSOCIATION)
    assert timedelta(0) <= now() + CLUB_KEPT_FOR - own.ttl < timedelta(minutes=1)
    assert len(stored_clubs()) == 103


def test_a_second_sync_changes_nothing(synced):
    before = [(record.sportsclub_uuid, record.name, record.logo_image_link) for record in stored_clubs()]

    assert command("sync-clubs") == "clubs: 8 found, 0 created, 0 changed, 0 deleted, 0 logos.\n"
    assert command("sync-teams") == "teams: 2 found, 0 created, 0 changed, 0 deleted, 0 logos.\n"
    assert [(each.sportsclub_uuid, each.name, each.logo_image_link) for each in stored_clubs()] == before


def test_a_club_with_a_new_name_is_found_by_it(synced):
    synced.clubs[1] = synced.clubs[1] | {"name": "SG Ahorn-Birke"}
    forget_answers()

    assert "1 changed" in command("sync-clubs")
    found = sams_clubs.get(uuid_of("club", "SV Ahorn"))
    assert (found.name, found.name_slug) == ("SG Ahorn-Birke", "sg-ahorn-birke")
    assert sams_clubs.words_of(found) == ["sg", "ahorn", "birke"]


def test_no_clubs_at_all_are_no_answer(synced):
    synced.is_empty = True
    forget_answers()

    with pytest.raises(CommandError, match=r"SAMS returned no clubs\. Nothing was changed\."):
        command("sync-clubs")
    assert len(stored_clubs()) == 8


def test_a_stored_logo_stays_when_sams_sends_null(synced):
    own = sams_clubs.get(OWN_CLUB, strong=True)
    fields = {"logo_image_link": "https://example.org/logo.png", "logo_s3_key": "sams-logos/x.png"}
    sams_clubs.store(OWN_CLUB, fields, kept_for=CLUB_KEPT_FOR, stored=own)

    command("sync-clubs")
    kept = sams_clubs.get(OWN_CLUB)
    assert (kept.logo_image_link, kept.logo_s3_key) == ("https://example.org/logo.png", "sams-logos/x.png")


def test_a_logo_is_decoded_made_smaller_and_copied_without_our_key(sams, monkeypatch):
    written: dict[str, tuple[bytes, str]] = {}
    monkeypatch.setattr(
        storage, "write", lambda key, data, *, mime_type: written.update({key: (data, mime_type)})
    )
    file = BytesIO()
    Image.new("RGB", (900, 600), "green").save(file, "PNG")
    sams.files = {"/uploads/logo.png": file.getvalue(), "/uploads/page.png": b"<html></html>"}
    sams.clubs = [
        club(OWN) | {"logoImageLink": f"{sams.origin}/uploads/logo.png"},
        club("SV Ahorn") | {"logoImageLink": f"{sams.origin}/uploads/page.png"},
        club("TV Birke") | {"logoImageLink": "https://elsewhere.example/logo.png"},
    ]

    assert command("sync-clubs") == "clubs: 3 found, 3 created, 0 changed, 0 deleted, 1 logos.\n"
    key = f"sams-logos/{OWN_CLUB}.jpg"
    assert sams_clubs.get(OWN_CLUB).logo_s3_key == key
    assert (list(written), written[key][1]) == ([key], "image/jpeg")
    assert Image.open(BytesIO(written[key][0])).size == (480, 320)
    of_logos = [sent for path, sent in zip(sams.asked, sams.headers, strict=True) if "/uploads/" in path]
    assert [sent.get("X-Api-Key") for sent in of_logos] == [None, None]
    assert "0 logos" in command("sync-clubs")


# --- Teams --------------------------------------------------------------------------------------------------


def test_our_teams_are_stored_with_league_and_season_and_without_other_entries_of_them(synced):
    teams = stored_teams()

    assert set(teams) == {uuid_of(LEAGUE, OWN), uuid_of(NEXT_LEAGUE, OWN)}
    record = sams_teams.get(uuid_of(LEAGUE, OWN))
    assert (record.name, record.league_uuid, record.league_name) == (f"{OWN} 1", LEAGUE, "Landesliga Herren")
    assert (record.season_name, record.sportsclub_uuid, record.type) == ("2026/27", OWN_CLUB, "team")
    assert timedelta(0) <= now() + TEAM_KEPT_FOR - record.ttl < timedelta(minutes=1)
    assert sams_teams.label_of(record) == f"{OWN} 1 (Landesliga Herren)"


def test_the_results_of_their_leagues_come_along(synced):
    league = sams_leagues.get(LEAGUE)

    assert (league.name, league.season_name, league.level, len(league.matches)) == (
        "Landesliga Herren",
        "2026/27",
        1,
        56,
    )


def test_a_team_that_plays_no_more_is_deleted(synced):
    synced.teams[NEXT_LEAGUE] = [team(NEXT_LEAGUE, name) for name in OTHERS]
    forget_answers()

    assert "1 found, 0 created, 0 changed, 1 deleted" in command("sync-teams")
    assert set(stored_teams()) == {uuid_of(LEAGUE, OWN)}


def test_a_team_of_a_league_that_is_no_more_is_deleted(synced):
    synced.leagues = [each for each in synced.leagues if each["uuid"] == LEAGUE]
    forget_answers()

    assert "1 found, 0 created, 0 changed, 1 deleted" in command("sync-teams")
    assert set(stored_teams()) == {uuid_of(LEAGUE, OWN)}


def test_a_league_that_names_no_team_deletes_none_of_ours(synced):
    synced.teams[NEXT_LEAGUE] = []
    forget_answers()

    told = command("sync-teams")

    assert "1 found, 0 created, 0 changed, 0 deleted" in told
    assert "SAMS returned no teams for Bezirksliga Damen. Its saved teams were kept." in told
    assert set(stored_teams()) == {uuid_of(LEAGUE, OWN), uuid_of(NEXT_LEAGUE, OWN)}


def test_nothing_is_deleted_when_sams_names_no_team(synced):
    synced.teams = {}
    forget_answers()

    assert "Nothing was changed." in command("sync-teams")
    assert len(stored_teams()) == 2
    assert sync_runs.latest(limit=1)[0].state == "empty"


def test_nothing_is_deleted_when_there_are_no_leagues(synced):
    synced.leagues = []
    forget_answers()

    assert "Nothing was changed." in command("sync-teams")
    assert len(stored_teams()) == 2


@pytest.mark.parametrize("kind", ["clubs", "teams", "results"])
def test_an_outage_deletes_nothing_and_is_in_the_log(synced, kind):
    synced.is_down = True
    forget_answers()

    with pytest.raises(CommandError, match=r"SAMS could not be reached \(refused\). Nothing was changed."):
        command(f"sync-{kind}")
    assert (len(stored_clubs()), len(stored_teams())) == (8, 2)
    run = sync_runs.latest(limit=1)[0]
    assert (run.kind, run.state, run.ended_at is not None) == (kind, "failed", True)


def test_earlier_answers_are_not_taken_for_news(synced, monkeypatch):
    synced.is_down = True
    # All answers are too old now, and yet they would serve.
    monkeypatch.setattr("cms.sams.client.RESULTS_SECONDS", 0)

    with pytest.raises(CommandError, match="only an earlier answer"):
        command("sync-teams")


def test_a_dry_run_asks_and_writes_nothing(sams):
    told = command("sync-clubs", "--dry-run")

    assert (
        told == "clubs: 8 found, 8 created, 0 changed, 0 deleted, 0 logos (dry run: nothing was written).\n"
    )
    assert (stored_clubs(), sync_runs.latest(limit=5)) == ([], [])


def test_teams_need_our_club_among_the_clubs(sams):
    with pytest.raises(CommandError, match="The club “vc-beispielstadt” was not found"):
        command("sync-teams")


def test_without_a_key_the_commands_say_what_is_missing(db):
    with pytest.raises(CommandError, match=r"SAMS is not set up\. SAMS_API_KEY and SAMS_CLUB are missing"):
        command("sync-clubs")


def test_each_request_accepts_anything_and_carries_the_key(synced):
    assert {(sent["Accept"], sent["X-Api-Key"]) for sent in synced.headers} == {("*/*", "the-club-s-key")}
    assert all("size=100" in path for path in synced.asked if not path.endswith(ASSOCIATION))


def test_a_level_is_what_a_league_says_or_one_below_its_parent():
    hierarchies = [
        Hierarchy("b", None, "a"),
        Hierarchy("a", 3, None),
        Hierarchy("c", None, "b"),
        Hierarchy("d", None, "d"),
    ]

    assert sync.levels_of(hierarchies) == {"a": 3, "b": 4, "c": 5, "d": 0}


# --- Files of the older interface ---------------------------------------------------------------------------


def test_results_of_the_older_interface_are_taken_over(db, tmp_path):
    file = tmp_path / "matches.xml"
    file.write_text("<matches><match><uuid>m-1</uuid><date>06.10.2024</date></match></matches>")

    assert command("import", "league-1", "--matches", str(file)) == "1 matches and 0 lines of the table.\n"
    assert [match["date"] for match in sams_leagues.get("league-1").matches] == ["2024-10-06"]
