"""The quest board as a Django app."""

from django.apps import AppConfig


class QuestsConfig(AppConfig):
    name = "quests"
    verbose_name = "Quests"

    def ready(self) -> None:
        # Register the sign-in hook that opens accounts, and the photos with `manage.py media check`.
        from quests import photos  # noqa: F401
        from quests.services import accounts  # noqa: F401
