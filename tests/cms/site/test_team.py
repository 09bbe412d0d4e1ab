"""What the page of a team tells beside its training and people: table, matches, pictures and its calendar."""

import pytest

from cms.teams.repository import teams
from tests.cms.club import MAKER, make_location, make_team, training
from tests.cms.public import make_picture, operations, page_of, part, text_of
from tests.cms.sams.server import LEAGUE, OTHERS, OWN, season_of
from tests.cms.sams.test_results import OURS, keep_results, keep_team

pytestmark = pytest.mark.usefixtures("db")


def test_its_table_and_its_matches_are_there_from_what_is_stored(client) -> None:
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True))
    make_team(status="published", sbvv_team_id=OURS)

    page = page_of(client, "/teams/herren1/")

    assert page.count('<tr class="ours">') == 1
    assert page.count('<li class="match">') == 14


def test_with_a_table_and_pictures_it_costs_three_requests(client) -> None:
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS), is_played=True))
    pictures = [make_picture(f"{number}.jpg").id for number in range(20)]
    make_team(status="published", sbvv_team_id=OURS, image_ids=pictures)

    assert operations(client, "/teams/herren1/") == ["BatchGetItem", "BatchGetItem", "Query"]


def test_a_team_that_sams_does_not_know_has_no_table(client) -> None:
    make_team(status="published", sbvv_team_id="gone")

    assert "league-table" not in page_of(client, "/teams/herren1/")


def test_the_week_is_shown_day_by_day(client) -> None:
    hall = make_location("Mühlenhalle")
    rows = [training(hall, "freitags", "dienstags", start="19:00", end="21:00"), training(hall, "montags")]
    make_team(status="published", schedules=rows)

    week = text_of(part(page_of(client, "/teams/herren1/"), "table", "week"))

    assert week == (
        "Day Time Place Mondays 18:00–20:00 Mühlenhalle "  # noqa: RUF001
        "Tuesdays 19:00–21:00 Mühlenhalle Fridays 19:00–21:00 Mühlenhalle"  # noqa: RUF001
    )


def test_the_first_picture_is_large_and_shared_and_the_others_follow(client) -> None:
    first, second = make_picture("a.jpg", alt="We"), make_picture("b.jpg", alt="The <hall>")
    paper = make_picture("c.pdf", mime_type="application/pdf")
    make_team(status="published", image_ids=[first.id, paper.id, second.id])

    page = page_of(client, "/teams/herren1/")

    assert page.count("<img ") == 3  # with the icon of the site
    assert 'alt="The &lt;hall&gt;"' in page
    assert f'<meta property="og:image" content="{first.address}">' in page
    assert "c.pdf" not in page


def test_it_leads_to_its_calendar_and_its_account_elsewhere(client) -> None:
    team = make_team(status="published", instagram="vca_herren1")

    page = page_of(client, "/teams/herren1/")
    assert 'href="/feeds/herren1.ics"' in page
    assert 'href="https://www.instagram.com/vca_herren1/"' in page

    # What another program wrote cannot lead elsewhere.
    teams.update(team, {"instagram": '../"><script>'}, actor=MAKER)
    page = page_of(client, "/teams/herren1/")
    assert "<script" not in page
    assert 'href="https://www.instagram.com/..%2F%22%3E%3Cscript%3E/"' in page


@pytest.mark.parametrize("slug", ["herren1'--", "..%2Fcms", "%00", "x" * 3000, "HERREN1", "é"])
def test_other_addresses_find_nothing(client, slug: str) -> None:
    make_team(status="published")

    assert client.get(f"/teams/{slug}/").status_code == 404
