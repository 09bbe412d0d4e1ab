"""Item of a social media post that the home page links to."""

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import listing
from cms.base.models import ContentItem
from core.dynamo.attributes import TimestampAttribute
from core.dynamo.items import table_name

POST_COLUMNS = ("url", "caption", "timestamp", "type", "teamId", "imageId")


class Post(ContentItem):
    """A link to a post; `timestamp` is when it was posted there."""

    entity = UnicodeAttribute(default="post")
    url = UnicodeAttribute()
    caption = UnicodeAttribute()
    timestamp = TimestampAttribute()
    type = UnicodeAttribute(null=True)
    team_id = UnicodeAttribute(attr_name="teamId", null=True)
    image_id = UnicodeAttribute(attr_name="imageId", null=True)
    by_timestamp = listing("GSI-Timestamp", "entity", "timestamp", *POST_COLUMNS)

    class Meta:
        table_name = table_name("vcm-social", variable="CMS_SOCIAL_TABLE")
