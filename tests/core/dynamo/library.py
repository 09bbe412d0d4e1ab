"""A small made-up domain that uses every feature of the data layer: articles with pictures, and trips."""

from typing import Any

from pynamodb.attributes import ListAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex

from core.dynamo.attributes import JSONMapAttribute, TimestampAttribute
from core.dynamo.guards import Unique
from core.dynamo.items import Item, RawItem, new_id, table_name
from core.dynamo.paging import Page, StartKey
from core.dynamo.references import Reference
from core.dynamo.repository import Repository


class _ByList(GlobalSecondaryIndex["Article"]):
    kind = UnicodeAttribute(hash_key=True)
    updated_at = TimestampAttribute(range_key=True, attr_name="updatedAt")

    class Meta:
        index_name = "GSI-List"
        projection = AllProjection()


class Article(Item):
    article_id = UnicodeAttribute(hash_key=True, attr_name="articleId", default_for_new=new_id)
    kind = UnicodeAttribute(default="article")
    title = UnicodeAttribute()
    slug = UnicodeAttribute(null=True)
    body = JSONMapAttribute(null=True)
    tags = UnicodeSetAttribute(null=True)
    picture_ids: Any = ListAttribute(attr_name="pictureIds", of=UnicodeAttribute, null=True)
    cover_id = UnicodeAttribute(attr_name="coverId", null=True)
    priority = NumberAttribute(null=True)
    by_list = _ByList()

    class Meta:
        table_name = table_name("test-articles", variable="TEST_ARTICLES_TABLE")


class Picture(Item):
    """Its natural key has two parts."""

    album = UnicodeAttribute(hash_key=True, attr_name="PK")
    number = UnicodeAttribute(range_key=True, attr_name="SK")
    caption = UnicodeAttribute(null=True)
    shelf = UnicodeAttribute(null=True)

    class Meta:
        table_name = table_name("test-pictures", variable="TEST_PICTURES_TABLE")

    def derived(self) -> dict[str, Any]:
        return {"shelf": f"SHELF#{self.caption[:1].upper()}" if self.caption else None}


class Trip(Item):
    """Lives in the pictures' table; its keys begin with TRIP#."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK", default="TRIP")
    goal = UnicodeAttribute(null=True)
    team = UnicodeAttribute(default="1")
    starts = TimestampAttribute(null=True)
    bus = NumberAttribute(null=True)
    seats = NumberAttribute(null=True)
    counters = ("refs", "seats")

    class Meta:
        table_name = Picture.Meta.table_name


class ArticleRepository(Repository[Article]):
    model = Article
    entity = "article"
    scope = "cms"
    label = "title"
    searched = ("title", "tags")
    unique = (Unique("slug"),)
    references = (Reference("picture_ids", to="picture"), Reference("cover_id", to="picture"))

    def latest(self, *, limit: int = 20, start: StartKey | None = None) -> Page[Article]:
        return self.page("article", index="GSI-List", newest_first=True, limit=limit, start=start)


class PictureRepository(Repository[Picture]):
    model = Picture
    entity = "picture"
    natural_key = True
    scope = "cms"
    label = "caption"
    searched = ("caption",)

    def owns(self, raw: RawItem) -> bool:
        return not raw["PK"]["S"].startswith("TRIP#")


class TripRepository(Repository[Trip]):
    """Each team searches its own trips only; one starts at a time, and no bus goes twice."""

    model = Trip
    entity = "trip"
    natural_key = True
    scope = "trips"
    label = "goal"
    searched = ("goal",)
    unique = (Unique("starts"), Unique("bus"))

    def scope_of(self, item: Trip) -> str:
        return f"team:{item.team}"

    def owns(self, raw: RawItem) -> bool:
        return raw["PK"]["S"].startswith("TRIP#")


articles = ArticleRepository()
pictures = PictureRepository()
trips = TripRepository()


def everybody_may(_repository: Repository[Any], _item: Item) -> bool:
    """For searches that are not about rights."""
    return True
