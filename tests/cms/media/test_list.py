"""The library as a grid and as rows: what it shows, finds and costs."""

import pytest
from django.http import HttpResponse

from core.dynamo import metering
from tests.cms.files import document, picture
from tests.media_bucket import Bucket

pytestmark = pytest.mark.usefixtures("db")
LIST = "/cms/media/"


@pytest.fixture(autouse=True)
def _bucket(bucket: Bucket) -> None:
    """Files are made by really uploading them."""


def names(page: HttpResponse) -> list[str]:
    return [row.label for row in page.context["rows"]]


def test_the_newest_files_come_first_with_their_pictures(as_role) -> None:
    first, second = picture("A.jpg", colour="red"), picture("B.jpg", colour="navy")

    page = as_role("official").get(LIST)

    assert names(page) == ["B.jpg", "A.jpg"]
    assert [page.content.decode().count(f'src="{media.thumbnail}"') for media in (first, second)] == [1, 1]


def test_a_list_costs_the_session_and_one_query(as_role) -> None:
    for colour in ("red", "navy", "teal"):
        picture(f"{colour}.jpg", colour=colour)
    client = as_role("official")

    with metering.metered() as meter:
        client.get(LIST)

    assert meter.operations == ["GetItem", "Query"]


def test_it_is_searched_by_name_description_and_caption(as_role) -> None:
    picture("IMG_1.jpg", colour="red", alt="Die Damen jubeln")
    picture("IMG_2.jpg", colour="navy", caption="Foto: Jubelbär")
    picture("jubel.jpg", colour="teal")
    picture("IMG_4.jpg", colour="gray")

    page = as_role("official").get(LIST, {"q": "jubel"})

    assert sorted(names(page)) == ["IMG_1.jpg", "IMG_2.jpg", "jubel.jpg"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"kind": "image"}, ["Mine.jpg", "Described.jpg", "Bare.jpg"]),
        ({"kind": "document"}, ["Satzung.pdf"]),
        ({"description": "missing"}, ["Mine.jpg", "Bare.jpg"]),
        ({"by": "me"}, ["Mine.jpg"]),
        ({"kind": "image", "q": "described"}, ["Described.jpg"]),
    ],
)
def test_filters_narrow_it(as_role, asked: dict[str, str], found: list[str]) -> None:
    document()
    picture("Bare.jpg", colour="red")
    picture("Described.jpg", colour="navy", alt="A hall")
    picture("Mine.jpg", colour="teal", by="official")

    assert names(as_role("official").get(LIST, asked)) == found


def test_a_picture_without_a_description_says_so_and_a_document_does_not(as_role) -> None:
    picture("Bare.jpg", colour="red")
    picture("Described.jpg", colour="navy", alt="A hall")
    document()

    cells = {row.label: str(row.values[2] or "") for row in as_role("official").get(LIST).context["rows"]}

    assert cells == {"Bare.jpg": "Needs a description", "Described.jpg": "", "Satzung.pdf": ""}


def test_grid_or_rows_is_remembered_for_the_person(as_role) -> None:
    picture()
    client = as_role("official")
    client.post(f"{LIST}layout", {"layout": "nonsense"})
    assert client.get(LIST).context["is_grid"]

    answer = client.post(f"{LIST}layout", {"layout": "rows", "back": "kind=image"})

    # The fragment gives the focus to the menu with the button that was pressed.
    assert answer["Location"] == f"{LIST}?kind=image&sort=-created_at#list-more-button"
    assert not client.get(LIST).context["is_grid"]


def test_a_list_without_pictures_has_no_layouts(as_role) -> None:
    assert 'id="layout"' not in as_role("moderator").get("/cms/roles/").content.decode()
