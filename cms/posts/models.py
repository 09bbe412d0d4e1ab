"""Item of a social media post that the home page links to."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, by_timestamp
from core.dynamo.attributes import TimestampAttribute
from core.dynamo.items import Item, new_id, table_name

POST_COLUMNS = ("url", "caption", "timestamp", "type", "teamId", "imageId")


class Post(Item):
    """A link to a post; `timestamp` is when it was posted there."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="post")
    url = UnicodeAttribute()
    caption = UnicodeAttribute()
    timestamp = TimestampAttribute()
    type = UnicodeAttribute(null=True)
    team_id = UnicodeAttribute(attr_name="teamId", null=True)
    image_id = UnicodeAttribute(attr_name="imageId", null=True)
    by_age = by_age(*POST_COLUMNS)
    by_timestamp = by_timestamp(*POST_COLUMNS)

    class Meta:
        table_name = table_name("vcm-social", variable="CMS_SOCIAL_TABLE")

    def derived(self) -> dict[str, Any]:
        return {"entity": "post"}
