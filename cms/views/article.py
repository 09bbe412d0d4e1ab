"""News, as readers see it."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.rights import public
from cms import repository
from cms.models import News
from cms.services.article import public_article
from cms.views.public import kept, page
from crud import richtext
from dynamo.paging import read_token

PER_PAGE = 8
TOKEN = "public news"  # noqa: S105 - what the token is for, no secret


@public
@require_safe
def news_list(request: HttpRequest) -> HttpResponse:
    start = read_token(request.GET.get("older"), TOKEN)
    found = repository.news.public(limit=PER_PAGE, start=start, newest_first=True)
    token = found.next_token(TOKEN)
    context = {
        "news": found.items,
        "is_first_page": start is None,
        "older_address": f"?{urlencode({'older': token})}" if token else "",
    }
    return page("cms/news_list.html", context)


@public
@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponse:
    news, authors = public_article(slug)
    if news.slug != slug:
        return kept(HttpResponsePermanentRedirect(reverse("public:article", args=[news.slug])))
    return page("cms/article.html", article_context(news, authors))


def article_context(news: News, authors: list[str]) -> dict[str, Any]:
    """What the article's template shows, for readers and in the preview."""
    return {"news": news, "authors": authors, "text": richtext.render(news.content) if news.content else ""}
