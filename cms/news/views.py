"""The public pages of the news, and the page to share an article."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from cms.base.queries import public_at
from cms.media.queries import cover_id, with_pictures
from cms.news.forms import SharedForm
from cms.news.presenters import news_context, related
from cms.news.repository import news as news_repository
from cms.news.resource import news as news_resource
from cms.news.services import LONGEST_SHARE_TEXT, mark_shared, share_text
from cms.site.responses import moved, render_page
from core.accounts.rights import public, requires
from core.crud import edit_session
from core.crud.form_page import FormPage
from core.dynamo.errors import NotFound
from core.dynamo.paging import read_token

PER_PAGE = 8
TOKEN = "public news"  # noqa: S105 - what the token is for, no secret


@public
@require_safe
def news_list(request: HttpRequest) -> HttpResponse:
    start = read_token(request.GET.get("older"), TOKEN)
    found = news_repository.public(limit=PER_PAGE, start=start, newest_first=True)
    token = found.next_token(TOKEN)
    context = {
        "news": with_pictures(found.items, cover_id),
        "is_first_page": start is None,
        "older_address": f"?{urlencode({'older': token})}" if token else "",
    }
    return render_page(
        request,
        "cms/news/list.html",
        context,
        title=_("News"),
        description=_("News from the club, newest first."),
    )


@public
@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponse:
    news, records = public_at(news_repository, slug, related)
    if news.slug != slug:
        return moved("public:article", news.slug)
    description = news.excerpt or ""
    context = news_context(news, records)
    return render_page(request, "cms/news/page.html", context, title=news.title, description=description)


@requires("cms.news.view", "cms.news.update")
class Share(FormPage[SharedForm]):
    form_class = SharedForm
    template = "cms/news/share.html"
    success_message = _("Saved.")

    def load(self) -> None:
        self.opened = edit_session.open_record(self.request.user, news_resource, self.kwargs["key"])
        if self.opened.record is None:
            raise NotFound
        news_resource.ensure(self.request.user, "update", self.opened.record)

    def initial(self) -> Mapping[str, Any]:
        return {"is_shared": self.opened.record.shared_to_mastodon}

    def save(self) -> None:
        mark_shared(self.request.user, news_resource, self.opened, **self.form.cleaned_data)

    def context(self) -> Mapping[str, Any]:
        address = news_resource.public_address(self.opened.record)
        whole_address = self.request.build_absolute_uri(address)
        return {
            "resource": news_resource,
            "opened": self.opened,
            "record_address": news_resource.record_address(self.kwargs["key"]),
            "text": share_text(self.opened.record, whole_address) if address else "",
            "longest": LONGEST_SHARE_TEXT,
        }

    def success_url(self) -> str:
        return self.request.path
