"""The data layer as a Django app, so that its management commands and tests are found."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class DynamoConfig(AppConfig):
    name = "dynamo"
    verbose_name = "Data layer"

    def ready(self) -> None:
        # A reference, a search or a command may need a repository that no page has imported yet.
        autodiscover_modules("repository")
