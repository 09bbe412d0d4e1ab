"""The addresses that readers use."""

from django.urls import path

from cms.views import article, event, feeds, page, team

app_name = "public"
urlpatterns = [
    path("news/", article.news_list, name="news"),
    path("news/<slug:slug>/", article.article, name="article"),
    path("events/<slug:slug>/", event.event, name="event"),
    path("teams/<slug:slug>/", team.team, name="team"),
    path("feeds/all.ics", feeds.feed, name="feed"),
    path("feeds/<slug:slug>.ics", feeds.team_feed, name="team-feed"),
    path("feeds/news.rss", feeds.news_feed, name="news-feed"),
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
    path("robots.txt", feeds.robots, name="robots"),
    # The last one: whatever is above has its address first.
    path("<slug:slug>/", page.page, name="page"),
]
