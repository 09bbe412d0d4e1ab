"""The URLconf of /api/v1/, imported with the first request to it."""

from django.urls import path

from api import reference
from api.v1 import api

app_name = "api"

urlpatterns = [
    path("", reference.page, name="reference"),
    path("openapi.json", reference.openapi, name="openapi"),
    *api.urls[0],
]
