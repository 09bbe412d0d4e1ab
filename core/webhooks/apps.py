"""Webhooks as a Django app."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "core.webhooks"
    verbose_name = "Webhooks"
