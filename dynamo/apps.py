"""The data layer as a Django app, so that its management commands and tests are found."""

from django.apps import AppConfig


class DynamoConfig(AppConfig):
    name = "dynamo"
    verbose_name = "Data layer"
