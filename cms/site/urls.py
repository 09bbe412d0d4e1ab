"""URLs of the public website."""

from django.urls import path

from core.common.lazy_views import LazyViews

events = LazyViews("cms.events.views")
feeds = LazyViews("cms.feeds.views")
news = LazyViews("cms.news.views")
pages = LazyViews("cms.pages.views")
site = LazyViews("cms.site.views")
teams = LazyViews("cms.teams.views")

app_name = "public"
# Another program may store an address with any characters.
urlpatterns = [
    path("", site.home, name="home"),
    path("news/", news.news_list, name="news"),
    path("news/<path:slug>/", news.article, name="article"),
    path("events/<path:slug>/", events.event, name="event"),
    path("dates/", site.dates, name="dates"),
    path("dates/past/", site.past_dates, name="past-dates"),
    path("tables/", site.tables, name="tables"),
    path("teams/", site.teams, name="teams"),
    path("teams/<path:slug>/", teams.team, name="team"),
    path("club/", site.pages, name="pages"),
    path("club/people/", site.people, name="people"),
    path("sponsors/", site.sponsors, name="sponsors"),
    path("feeds/all.ics", feeds.feed, name="feed"),
    path("feeds/<path:slug>.ics", feeds.team_feed, name="team-feed"),
    path("feeds/news.rss", feeds.news_feed, name="news-feed"),
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
    path("robots.txt", feeds.robots, name="robots"),
    # Must stay last: it matches any single path segment.
    path("<slug:slug>/", pages.page, name="page"),
]
