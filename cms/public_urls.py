"""The addresses that readers use."""

from django.urls import path

from cms.views import article, event, page, team

app_name = "public"
urlpatterns = [
    path("news/", article.news_list, name="news"),
    path("news/<slug:slug>/", article.article, name="article"),
    path("events/<slug:slug>/", event.event, name="event"),
    path("teams/<slug:slug>/", team.team, name="team"),
    # The last one: whatever is above has its address first.
    path("<slug:slug>/", page.page, name="page"),
]
