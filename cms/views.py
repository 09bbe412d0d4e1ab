"""The public pages. They read no session and set no cookie, so anybody may keep them for a minute."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.rights import public
from cms import repository, services
from cms.models import News
from crud import richtext
from dynamo.paging import read_token

PER_PAGE = 8
KEPT_SECONDS = 60
TOKEN = "public news"  # noqa: S105 - what the token is for, no secret


@public
@require_safe
def news_list(request: HttpRequest) -> HttpResponse:
    start = read_token(request.GET.get("older"), TOKEN)
    page = repository.news.public(limit=PER_PAGE, start=start, newest_first=True)
    token = page.next_token(TOKEN)
    context = {
        "news": page.items,
        "is_first_page": start is None,
        "older_address": f"?{urlencode({'older': token})}" if token else "",
    }
    return _page("cms/news_list.html", context)


@public
@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponse:
    news, authors = services.public_article(slug)
    if news.slug != slug:
        return _kept(HttpResponsePermanentRedirect(reverse("public:article", args=[news.slug])))
    return _page("cms/article.html", article_context(news, authors))


def article_context(news: News, authors: list[str]) -> dict[str, Any]:
    """What the article's template shows, for readers and in the preview."""
    return {"news": news, "authors": authors, "text": richtext.render(news.content) if news.content else ""}


def _page(template: str, context: dict[str, Any]) -> HttpResponse:
    # Without the request: asking who is there would read the session, and make the page private.
    return _kept(HttpResponse(render_to_string(template, context)))


def _kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
    return response
