"""User administration as a Django app."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "core.people"
    verbose_name = "People"
