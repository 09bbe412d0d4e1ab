"""The addresses that readers use."""

from django.urls import path

from cms.views import article, event, feeds, page, site, team

app_name = "public"
urlpatterns = [
    path("", site.home, name="home"),
    path("news/", article.news_list, name="news"),
    path("news/<slug:slug>/", article.article, name="article"),
    path("events/<slug:slug>/", event.event, name="event"),
    path("dates/", site.dates, name="dates"),
    path("dates/past/", site.past_dates, name="past-dates"),
    path("tables/", site.tables, name="tables"),
    path("teams/", site.teams, name="teams"),
    path("teams/<slug:slug>/", team.team, name="team"),
    path("club/", site.pages, name="pages"),
    path("club/people/", site.people, name="people"),
    path("sponsors/", site.sponsors, name="sponsors"),
    path("feeds/all.ics", feeds.feed, name="feed"),
    path("feeds/<slug:slug>.ics", feeds.team_feed, name="team-feed"),
    path("feeds/news.rss", feeds.news_feed, name="news-feed"),
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
    path("robots.txt", feeds.robots, name="robots"),
    # The last one: whatever is above has its address first.
    path("<slug:slug>/", page.page, name="page"),
]
