"""Resource of social media posts."""

from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from cms.base.resource import newest_first
from cms.posts import repository
from cms.posts.forms import TYPES, PostForm
from core.accounts.user import User
from core.crud.listing import Column, Filter
from core.crud.resource import Resource
from core.dynamo.attributes import now


class PostResource(Resource):
    app = "cms"
    repository = repository.posts
    form = PostForm
    slug = "posts"
    icon = "link"
    singular = _("social post")
    plural = _("Social posts")
    new_title = _("New social post")
    lead = _("Posts of the club on social media. The website shows the latest.")
    empty = _("No posts yet. Paste the link to a post to show it on the website.")
    columns = (
        Column("caption", _("Text"), value=lambda post: Truncator(post.caption).chars(80)),
        Column("timestamp", _("Posted"), kind="time"),
        Column("type", _("Kind"), value=lambda post: dict(TYPES).get(post.type, "")),
        Column("team_id", _("Team"), to="team"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (Filter("type", _("Kind"), TYPES, keep=lambda post, kind: post.type == kind),)
    titles = {"image_id": _("Picture")}
    orders = newest_first("timestamp")

    def initial(self, user: User) -> dict[str, Any]:
        return {"timestamp": now().replace(second=0, microsecond=0)}


posts = PostResource()
