"""References that lie deeper in a field: in its rows, not in the field itself."""

from collections.abc import Iterator

import pytest

from core.dynamo import metering, references
from core.dynamo.actors import Actor
from core.dynamo.errors import InUse, NotFound
from core.dynamo.references import Reference
from core.dynamo.repository import Repository
from tests.core.dynamo.library import Article, Picture, pictures

pytestmark = pytest.mark.usefixtures("db")


class GalleryRepository(Repository[Article]):
    """Articles whose body is a list of rows, each with a picture."""

    model = Article
    entity = "gallery"
    scope = "cms"
    label = "title"
    references = (
        Reference(
            "body",
            to="picture",
            value=lambda item: (row.get("pictureId") for row in _rows(item.body)),
            cut=lambda item, gone: {
                "rows": [row for row in _rows(item.body) if row["pictureId"] not in gone]
            },
        ),
    )


def _rows(body: dict | None) -> Iterator[dict]:
    return iter((body or {}).get("rows", []))


@pytest.fixture
def galleries() -> GalleryRepository:
    return GalleryRepository()


def rows(*numbers: str) -> dict:
    return {"rows": [{"pictureId": f"2026|{number}" if number else None, "title": "x"} for number in numbers]}


def used(number: str) -> list[str]:
    return [row.field for row in references.used_in("picture", f"2026|{number}").items]


def test_what_a_row_names_is_used_and_cannot_be_deleted(galleries, alice: Actor) -> None:
    for number in ("1", "2"):
        pictures.create(Picture(album="2026", number=number), actor=alice)
    # The same one twice counts once, and a row may name none.
    gallery = galleries.create(Article(title="Cup", body=rows("1", "1", "", "2")), actor=alice)

    assert (used("1"), used("2")) == (["body"], ["body"])
    assert [pictures.get(f"2026|{number}").refs for number in ("1", "2")] == [1, 1]
    with pytest.raises(InUse):
        pictures.delete(pictures.get("2026|1", strong=True), actor=alice)

    with metering.metered() as meter:
        gallery = galleries.update(gallery, {"body": rows("2")}, actor=alice)
    assert meter.operations == ["TransactWriteItems"]
    assert (used("1"), used("2")) == ([], ["body"])
    pictures.delete(pictures.get("2026|1", strong=True), actor=alice)

    galleries.delete(gallery, actor=alice)
    assert pictures.get("2026|2").refs == 0


def test_a_row_that_names_what_does_not_exist_is_refused_at_its_field(galleries, alice: Actor) -> None:
    with pytest.raises(NotFound) as refused:
        galleries.create(Article(title="Cup", body=rows("7")), actor=alice)

    assert refused.value.field == "body"
