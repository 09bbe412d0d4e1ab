"""The data layer as a Django app, so that its management commands and tests are found."""

from django.apps import AppConfig

from core.common.discovery import import_everywhere


class DynamoConfig(AppConfig):
    name = "core.dynamo"
    verbose_name = "Data layer"

    def ready(self) -> None:
        # A reference, a search or a command may need a repository that no page has imported yet.
        import_everywhere("repository")
