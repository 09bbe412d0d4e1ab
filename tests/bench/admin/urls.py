"""The admin's list and form of articles: the columns, filters and search that ours have."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path

from tests.bench.admin.models import Article

LIST = "admin_of_bench_article_changelist"


@admin.register(Article)
class ArticleAdmin(admin.ModelAdmin):
    list_display = ("title", "status", "published_date", "author_names", "updated_at")
    list_filter = ("status",)
    list_per_page = 25
    search_fields = ("title",)
    prepopulated_fields = {"slug": ("title",)}
    fields = (
        "title",
        "text",
        "pictures",
        "excerpt",
        "published_date",
        "authors",
        "tags",
        "slug",
        "status",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Article]:
        articles = super().get_queryset(request)
        is_list = request.resolver_match is not None and request.resolver_match.url_name == LIST
        return articles.prefetch_related("authors") if is_list else articles

    @admin.display(description="Authors")
    def author_names(self, article: Article) -> str:
        return ", ".join(map(str, article.authors.all()))


def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path("healthz", healthz), path("admin/", admin.site.urls)]
