"""The admin's list and form of articles: the columns, filters and search that ours have."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import path

from tests.bench.admin.models import Article


@admin.register(Article)
class ArticleAdmin(admin.ModelAdmin):
    list_display = ("title", "status", "published_date", "author", "updated_at")
    list_filter = ("status",)
    list_per_page = 25
    list_select_related = ("author",)
    search_fields = ("title",)
    prepopulated_fields = {"slug": ("title",)}
    fields = ("title", "text", "excerpt", "published_date", "author", "slug", "status")


def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path("healthz", healthz), path("admin/", admin.site.urls)]
