"""Repository of social media posts."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import ContentRepository
from cms.posts.models import Post
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference


class PostRepository(ContentRepository[Post]):
    model = Post
    entity = "post"
    label = "caption"
    searched = ("caption",)
    list_index = "GSI-Timestamp"
    unique = (Unique("url", message=_("This post is already in the list.")),)
    references = (Reference("team_id", to="team"), Reference("image_id", to="media"))

    def by_timestamp(self, **options: Unpack[PageOptions]) -> Page[Post]:
        """By the time they were posted."""
        return self.page("post", index="GSI-Timestamp", **options)


posts = PostRepository()
