"""The pages about SAMS: teams and clubs to look up, and the log of the syncs with "Sync now"."""

import re
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied

from cms.sams import services as service
from cms.sams.models import CLUB_KEPT_FOR
from cms.sams.repository import sams_clubs, sync_runs
from core.dynamo.attributes import now
from core.dynamo.metering import metered
from tests.awaiting import eventually
from tests.cast import CAST
from tests.cms.sams.server import LEAGUE, OWN, OWN_CLUB, uuid_of
from tests.cms.sams.test_results import OURS, keep_results, keep_team


def runs():
    return sync_runs.latest(limit=10)


def ended(count=1):
    return eventually(runs, lambda found: len([run for run in found if run.ended_at]) == count)


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


# --- Looking up ---------------------------------------------------------------------------------------------


def test_teams_are_listed_with_league_and_a_uuid_to_copy(as_role):
    keep_team()
    official = as_role("official")
    with metered() as meter:
        response = official.get("/cms/sams/teams/")

    assert meter.requests == 2
    assert "Landesliga Herren" in text_of(response)
    assert f'value="{OURS}"' in response.content.decode()
    assert f'data-copy="uuid-{OURS}"' in response.content.decode()


def test_clubs_are_found_by_a_part_of_their_name(as_role):
    for name in ("SV Ahörn", "TV Birke"):
        sams_clubs.store(uuid_of(name), {"name": name}, kept_for=CLUB_KEPT_FOR, stored=None)
    page = text_of(as_role("official").get("/cms/sams/clubs/?q=ahor"))

    assert "SV Ahörn" in page
    assert "TV Birke" not in page


def test_long_lists_go_on(as_role):
    for number in range(53):
        sams_clubs.store(
            f"club-{number:02}", {"name": f"Club {number:02}"}, kept_for=CLUB_KEPT_FOR, stored=None
        )
    official = as_role("official")
    first = official.get("/cms/sams/clubs/").content.decode()
    more = official.get(
        "/cms/sams/clubs/" + re.search(r'id="load-more" href="([^"]+)"', first)[1].replace("&amp;", "&")
    )

    assert (first.count('class="card-title"'), more.content.decode().count('class="card-title"')) == (50, 3)


def test_a_picker_offers_teams_with_their_league(as_role):
    keep_team()
    page = text_of(as_role("official").get("/cms/sams/teams/pick?q=beispiel"))

    assert f"{OWN} 1 (Landesliga Herren)" in page


def test_the_page_of_a_team_shows_its_table_and_matches(as_role):
    keep_team()
    keep_results(
        [], [{"uuid": OURS, "teamName": f"{OWN} 1", "rank": 1, "points": 9, "setWins": 9, "setLosses": 2}]
    )
    page = text_of(as_role("official").get(f"/cms/sams/teams/{OURS}/"))

    assert f"1 {OWN} 1 9:2 9" in page


def test_what_does_not_exist_is_not_found(as_role):
    assert as_role("official").get("/cms/sams/clubs/nobody/").status_code == 404


# --- Syncing ------------------------------------------------------------------------------------------------


def test_without_a_key_the_page_says_so_and_offers_no_sync(as_role):
    response = as_role("admin").get("/cms/sams/")

    assert "SAMS is not set up." in text_of(response)
    assert "Sync now" not in text_of(response)


def test_without_a_key_a_sync_is_refused_in_words(as_role):
    response = as_role("admin").post("/cms/sams/run", {"kind": "clubs"}, follow=True)

    assert "SAMS_API_KEY and SAMS_CLUB are missing." in text_of(response)
    assert runs() == []


def test_officials_see_the_log_and_start_nothing(as_role, sams):
    official = as_role("official")

    assert "Sync now" not in text_of(official.get("/cms/sams/"))
    assert official.post("/cms/sams/run", {"kind": "clubs"}).status_code == 403
    with pytest.raises(PermissionDenied):
        service.start(CAST["official"], "clubs")
    assert runs() == []


def test_an_administrator_starts_a_sync_and_sees_it_in_the_log(as_role, sams):
    admin = as_role("admin")
    sams.may_answer.clear()
    response = admin.post("/cms/sams/run", {"kind": "clubs"}, follow=True)

    assert response.redirect_chain == [("/cms/sams/", 302)]
    assert "Running" in text_of(response)
    assert 'hx-trigger="every 3s"' in response.content.decode()
    assert 'id="reload"' in response.content.decode()
    sams.may_answer.set()
    (run,) = ended()
    assert (run.kind, run.state, run.started_by, run.counts["created"]) == (
        "clubs",
        "done",
        "Amara Lindqvist",
        8,
    )
    response = admin.get("/cms/sams/")
    assert "Clubs Done" in text_of(response)
    assert "8 found, 8 new" in text_of(response)
    assert "every 3s" not in response.content.decode()


def test_two_clicks_run_once(as_role, sams):
    admin = as_role("admin")
    sams.may_answer.clear()
    admin.post("/cms/sams/run", {"kind": "clubs"})
    response = admin.post("/cms/sams/run", {"kind": "clubs"}, follow=True)

    assert "This sync is already running." in text_of(response)
    sams.may_answer.set()
    assert len(ended()) == 1
    assert len([path for path in sams.asked if "sportsclubs" in path]) == 1


def test_progress_is_in_the_log_while_it_runs(as_role, sams, monkeypatch):
    monkeypatch.setattr(service, "NOTED_EVERY_SECONDS", 0)
    seen = []
    monkeypatch.setattr(service, "_Log", noting(service._Log, seen))
    as_role("admin").post("/cms/sams/run", {"kind": "clubs"})
    ended()

    assert seen == [(number, 8) for number in range(1, 9)]


def noting(log, seen):
    class Noting(log):
        def note(self, done, total):
            super().note(done, total)
            noted = sync_runs.get(self.run.id, strong=True)
            seen.append((noted.done, noted.total))

    return Noting


def test_a_failed_sync_says_why(as_role, sams):
    sams.is_down = True
    admin = as_role("admin")
    admin.post("/cms/sams/run", {"kind": "clubs"})
    ended()

    page = text_of(admin.get("/cms/sams/"))
    assert "Clubs Failed" in page
    assert "SAMS could not be reached (refused). Nothing was changed." in page


def test_a_run_that_was_silent_for_long_counts_as_stopped(as_role, monkeypatch):
    sync_runs.begin("teams", started_by="Alice")

    assert [run.state for run in service.latest_runs()] == ["running"]
    monkeypatch.setattr(service, "now", lambda: now() + timedelta(minutes=6))
    assert [run.state for run in service.latest_runs()] == ["stopped"]
    assert "Teams Stopped" in text_of(as_role("official").get("/cms/sams/"))


def test_an_unknown_kind_is_not_found(as_role, sams):
    assert as_role("admin").post("/cms/sams/run", {"kind": "everything"}).status_code == 404


def test_logos_are_shown_from_our_own_files(as_role, settings):
    settings.MEDIA_PUBLIC_URL = "https://files.example"
    fields = {
        "name": OWN,
        "logo_s3_key": "sams-logos/x.png",
        "logo_image_link": "https://elsewhere.example/x.png",
    }
    sams_clubs.store(OWN_CLUB, fields, kept_for=CLUB_KEPT_FOR, stored=None)
    page = as_role("official").get(f"/cms/sams/clubs/{OWN_CLUB}/").content.decode()

    assert 'src="https://files.example/sams-logos/x.png"' in page
    assert "elsewhere.example" not in page
    assert LEAGUE not in page
