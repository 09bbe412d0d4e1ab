"""Scouting as a Django app."""

from django.apps import AppConfig


class ScoutingConfig(AppConfig):
    name = "scouting"
    verbose_name = "Scouting"
