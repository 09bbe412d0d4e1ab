"""Resource of news."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.resource import BY_ME, AuthoredResource, newest_first
from cms.news import repository
from cms.news.forms import NewsForm
from cms.news.models import News
from cms.news.presenters import news_context, related
from cms.news.rules import prepare
from core.accounts.user import User
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud.listing import Badge, Column, Filter, Link, Listing
from core.crud.times import club_time
from core.dynamo.attributes import now
from core.dynamo.errors import Text
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.registry import records_at

SCHEDULED = "scheduled"
NEWS_STATUSES = (
    (DRAFT, _("Draft")),
    (SCHEDULED, _("Scheduled")),
    (PUBLISHED, _("Published")),
    (ARCHIVED, _("Archived")),
)


def state_of(news: News) -> str:
    return SCHEDULED if news.is_scheduled() else news.status


def state_badge(news: News) -> Badge:
    state = state_of(news)
    return Badge(state, dict(NEWS_STATUSES).get(state, state))


class NewsResource(AuthoredResource):
    repository = repository.news
    form = NewsForm
    slug = "news"
    icon = "news"
    singular = _("article")
    plural = _("News")
    new_title = _("New article")
    lead = _("News from the club.")
    empty = _("No news yet. Write the first article. Nobody sees it until you publish it.")
    columns = (
        Column("title", _("Title")),
        Column("status", _("Status"), kind="badge", value=state_badge),
        Column("published_date", _("Date"), kind="time"),
        Column("author_ids", _("Authors"), to="person"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (Filter("status", _("Status"), NEWS_STATUSES), BY_ME)
    titles = {
        "old_slugs": _("Earlier addresses"),
        "image_ids": _("Pictures"),
        "shared_to_mastodon": _("Shared on Mastodon"),
    }
    orders = newest_first("published_date")
    public_route = "public:article"
    online_from = "publish_at"

    # --- Lists -----------------------------------------------------------------------------------------

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[News]:
        status = listing.filters.get("status", "")
        match status:
            case "":
                return repository.news.by_date(**options)
            case "scheduled":
                return repository.news.scheduled(**options)
            case "published":
                return repository.news.public(**options)
        return repository.news.with_status(status, **options)

    def keeps(self, filter_name: str) -> Callable[[Any, str], bool]:
        return lambda news, status: state_of(news) == status

    # --- States ----------------------------------------------------------------------------------------

    def state(self, record: News) -> Badge:
        if record.is_scheduled():
            return Badge(SCHEDULED, _("Scheduled: %(when)s") % {"when": club_time(record.published_date)})
        return state_badge(record)

    def fields_to_publish(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {"publish_at": fields.get("publish_at") or now()}

    def offline_until(self, record: News | None, fields: Mapping[str, Any]) -> datetime | None:
        chosen: datetime | None = fields.get("publish_at")
        is_taken = record is not None and record.is_public() and chosen is not None and chosen > now()
        return chosen if is_taken else None

    def published_message(self, record: News) -> Text:
        if record.is_scheduled():
            return _("Visible from %(when)s.") % {"when": club_time(record.published_date)}
        return super().published_message(record)

    def links(self, user: User, record: News) -> Sequence[Link]:
        if not self.may(user, "update", record):
            return ()
        return (Link("share", _("Share"), self.address("share", record.id), "send"),)

    def preview(self, user: User, record: News) -> tuple[str, dict[str, Any]]:
        return "cms/news/page.html#article", news_context(record, records_at(related(record)))

    # --- Records ---------------------------------------------------------------------------------------

    def prepare(self, user: User, record: News | None, values: Mapping[str, Any]) -> dict[str, Any]:
        return prepare(record, super().prepare(user, record, values))

    def copied(self, record: Item) -> dict[str, Any]:
        return super().copied(record) | {"publish_at": None}


news = NewsResource()
