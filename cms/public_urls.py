"""The addresses that readers use."""

from django.urls import path

from cms import views

app_name = "public"
urlpatterns = [
    path("news/", views.news_list, name="news"),
    path("news/<slug:slug>/", views.article, name="article"),
]
