"""News, as readers see it."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cms.media.queries import cover_id, pictures
from cms.news.queries import Article, public_article
from cms.news.repository import news as news_repository
from cms.site.responses import kept, page
from core.accounts.rights import public
from core.content import richtext
from core.dynamo.paging import read_token

PER_PAGE = 8
TOKEN = "public news"  # noqa: S105 - what the token is for, no secret


@public
@require_safe
def news_list(request: HttpRequest) -> HttpResponse:
    start = read_token(request.GET.get("older"), TOKEN)
    found = news_repository.public(limit=PER_PAGE, start=start, newest_first=True)
    token = found.next_token(TOKEN)
    covers = pictures(map(cover_id, found.items))
    context = {
        "news": [(each, covers.get(cover_id(each) or "")) for each in found.items],
        "is_first_page": start is None,
        "older_address": f"?{urlencode({'older': token})}" if token else "",
    }
    return page(
        request,
        "cms/news/list.html",
        context,
        title=_("News"),
        description=_("What happened in the club, the newest first."),
    )


@public
@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponse:
    found = public_article(slug)
    news = found.news
    if news.slug != slug:
        return kept(HttpResponsePermanentRedirect(reverse("public:article", args=[news.slug])))
    return page(
        request,
        "cms/news/page.html",
        article_context(found),
        title=news.title,
        description=news.excerpt or "",
        picture=next(iter(found.pictures), None),
    )


def article_context(article: Article) -> dict[str, Any]:
    """What the article's template shows, for readers and in the preview."""
    content = article.news.content
    return {
        "news": article.news,
        "authors": article.authors,
        "pictures": article.pictures,
        "text": richtext.render(content, article.in_text) if content else "",
    }
