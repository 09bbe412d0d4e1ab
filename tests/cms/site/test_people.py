"""Who is who: the board, the coaches and the others, and never how to reach them."""

import pytest

from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo.actors import SYSTEM
from tests.cast import sign_in
from tests.cms.club import make_member, make_team
from tests.cms.public import make_picture, operations, page_of, part, text_of

pytestmark = pytest.mark.usefixtures("db")
ADDRESS = "/club/people/"


def make_role(name: str, *, vorstand: bool = False) -> str:
    return str(roles.create(Role(name=name, vorstand=vorstand), actor=SYSTEM).id)


def group(page: str, name: str) -> str:
    return text_of(part(page, "ul", f"people-{name}"))


def test_each_is_in_one_of_three_groups(client) -> None:
    chair, coach = make_role("Chair", vorstand=True), make_role("Jugendtrainerin")
    board = make_member("Amara", role_ids=[coach, chair])
    make_member("Liv", role_ids=[coach])
    maya, nele = make_member("Maya"), make_member("Nele")
    make_member("Otto", role_ids=[make_role("Referee")])
    make_team("Damen 1", status="published", coach_ids=[maya.id, board.id])
    make_team("Damen 2", status="draft", coach_ids=[nele.id])

    page = page_of(client, ADDRESS)

    assert group(page, "board") == "A Amara Jugendtrainerin, Chair Coaches Damen 1"
    assert group(page, "trainers") == "L Liv Jugendtrainerin M Maya Coaches Damen 1"
    assert group(page, "others") == "N Nele O Otto Referee"
    assert "Damen 2" not in page


def test_a_picture_takes_the_place_of_the_initials(client) -> None:
    picture = make_picture("maya.jpg", alt="Maya at the net")
    make_member("Maya Rosenthal", avatar_id=picture.id)

    assert group(page_of(client, ADDRESS), "others") == "Maya Rosenthal"
    assert f'src="{picture.address}"' in page_of(client, ADDRESS)


def test_nobodys_mail_or_phone_is_told(client) -> None:
    make_member("Maya <b>", email="maya@verein.example", phone="0151 555")

    page = page_of(client, ADDRESS)

    assert "Maya &lt;b&gt;" in page
    assert "maya@verein.example" not in page
    assert "0151" not in page


def test_sixty_are_on_a_page_the_board_first_and_each_with_their_picture(client) -> None:
    chair = make_role("Chair", vorstand=True)
    make_member("Zoe", role_ids=[chair])
    for number in range(61):
        make_member(f"Member {number:02}", avatar_id=make_picture(f"{number:02}.jpg").id)

    first, last = page_of(client, ADDRESS), page_of(client, f"{ADDRESS}?page=2")

    assert group(first, "board") == "Z Zoe Chair"
    assert group(first, "others") == " ".join(f"Member {number:02}" for number in range(59))
    assert part(first, "ul", "people-others").count("<img") == 59
    assert '<a class="button quiet-button" id="more" rel="next" href="?page=2">More</a>' in first
    assert 'id="back"' not in first
    assert (group(last, "board"), group(last, "others")) == ("", "Member 59 Member 60")
    assert 'id="back" rel="prev" href="?page=1"' in last
    assert 'id="more"' not in last


@pytest.mark.parametrize(("number", "status"), [("1", 200), ("x", 200), ("0", 200), ("2", 404)])
def test_a_page_that_the_list_does_not_have_is_not_there(client, number: str, status: int) -> None:
    make_member("Maya")

    assert client.get(f"{ADDRESS}?page={number}").status_code == status


def test_where_nobody_is_named_it_says_so(client) -> None:
    assert "Nobody is listed yet." in page_of(client, ADDRESS)


def test_it_costs_four_requests_with_five_and_with_more_than_a_hundred_people(client) -> None:
    sign_in(client, "admin")
    role, costs = make_role("Chair"), []
    for first, last in ((0, 5), (5, 120)):
        for number in range(first, last):
            make_member(f"Member {number}", role_ids=[role], avatar_id=make_picture(f"{number}.jpg").id)
        costs.append(operations(client, ADDRESS))

    assert costs == [["BatchGetItem", "Query", "Query", "Query"]] * 2
