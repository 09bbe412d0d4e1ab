"""The addresses that readers use."""

from django.urls import path

from cms.views import article, event

app_name = "public"
urlpatterns = [
    path("news/", article.news_list, name="news"),
    path("news/<slug:slug>/", article.article, name="article"),
    path("events/<slug:slug>/", event.event, name="event"),
]
