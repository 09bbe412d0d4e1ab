"""The list of teams: what is published, narrowed by gender and league, with coaches and days of training."""

import pytest

from tests.cast import sign_in
from tests.cms.club import make_location, make_member, make_team, training
from tests.cms.public import headings, make_picture, operations, page_of, part, text_of

pytestmark = pytest.mark.usefixtures("db")


def shown(client, query: str = "") -> list[str]:
    return headings(part(page_of(client, f"/teams/{query}"), "ul", "teams"))


@pytest.fixture
def three_teams(db) -> None:
    make_team("Herren 1", status="published", gender="men", league="Landesliga")
    make_team("Damen 1", status="published", gender="woman", league="Landesliga")
    make_team("Damen 2", status="published", gender="woman", league="Kreisliga")
    make_team("Draft", status="draft", gender="mixed", league="Oberliga")
    make_team("Archived", status="archived", gender="men")


@pytest.mark.usefixtures("three_teams")
@pytest.mark.parametrize(
    ("query", "teams"),
    [
        ("", ["Damen 1", "Damen 2", "Herren 1"]),
        ("?gender=woman", ["Damen 1", "Damen 2"]),
        ("?league=Landesliga", ["Damen 1", "Herren 1"]),
        ("?gender=woman&league=Landesliga", ["Damen 1"]),
        ("?gender=men&league=Kreisliga", []),
        ("?gender=<script>", ["Damen 1", "Damen 2", "Herren 1"]),
        ("?status=draft", ["Damen 1", "Damen 2", "Herren 1"]),
    ],
)
def test_it_shows_what_is_published_narrowed_by_gender_and_league(client, query, teams) -> None:
    assert shown(client, query) == teams


@pytest.mark.usefixtures("three_teams")
def test_only_what_some_of_them_are_is_offered(client) -> None:
    page = page_of(client, "/teams/?gender=woman")

    assert text_of(part(page, "p", "genders")) == "All Men Women"
    assert text_of(part(page, "p", "leagues")) == "All leagues Landesliga Kreisliga"
    assert 'href="?gender=woman&amp;league=Kreisliga"' in page
    # What is not chosen is not in an address: one list has one address.
    assert '<a class="chip" href="/teams/">All</a>' in page
    assert '<a class="chip" href="?gender=men">Men</a>' in page
    assert "Oberliga" not in page


def test_where_all_are_alike_nothing_is_offered(client) -> None:
    make_team("Herren 1", status="published", gender="men")

    page = page_of(client, "/teams/")

    assert 'class="chips"' not in page


def test_a_card_names_all_coaches_and_the_days_in_the_order_of_the_week(client) -> None:
    coaches = [make_member(name, email="secret@verein.example").id for name in ("Ruben", "Jonas")]
    hall = make_location()
    rows = [training(hall, "freitags"), training(hall, "montags", "freitags"), {"day": ["nonsense"]}]
    make_team(status="published", coach_ids=coaches, schedules=rows, age=16)

    page = page_of(client, "/teams/")

    assert "Training: Mondays, Fridays Coaches: Ruben, Jonas" in text_of(page)
    assert "16 years and up" in page
    assert "secret@verein.example" not in page


def test_sixty_are_on_a_page_and_the_next_is_narrowed_in_the_same_way(client) -> None:
    make_team("Damen 1", status="published", gender="woman")
    for number in range(61):
        make_team(f"Herren {number:02}", status="published", gender="men")

    assert shown(client) == ["Damen 1", *(f"Herren {number:02}" for number in range(59))]
    assert shown(client, "?page=2") == ["Herren 59", "Herren 60"]
    assert shown(client, "?gender=men&page=2") == ["Herren 60"]
    assert 'id="more" rel="next" href="?gender=men&amp;page=2"' in page_of(client, "/teams/?gender=men")


def test_an_empty_list_says_so(client) -> None:
    assert "No teams yet." in page_of(client, "/teams/")
    assert "No such team." in page_of(client, "/teams/?league=Oberliga")


def test_it_costs_three_requests_with_five_and_with_more_than_a_hundred_teams(client) -> None:
    sign_in(client, "admin")
    costs = []
    for first, last in ((0, 5), (5, 120)):
        for number in range(first, last):
            picture, coach = make_picture(f"{number}.jpg"), make_member(f"Coach {number}")
            make_team(f"Team {number}", status="published", image_ids=[picture.id], coach_ids=[coach.id])
        costs.append(operations(client, "/teams/"))

    assert costs == [["BatchGetItem", "Query", "Query"]] * 2
